//! The policy in force here: every layer's files read, checked and stacked.
//!
//! A file that is there and cannot be read is a mistake and never skipped: whoever makes a policy
//! unreadable must not be rid of it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::builtin::{self, find};
use super::cache::Cache;
use super::code::Code;
use super::diagnostic::{Diagnostic, Report, Source};
use super::discover::{candidates, managed};
use super::example::Placed;
use super::gates;
use super::gather::{Opened, Piece, Shelf, Unavailable, gather};
use super::node::Node;
use crate::domain::guard::Packed;
use crate::domain::policy::{Layer, Policy, Trust, wants_defaults};
use crate::domain::suggest;
use crate::io::platform::Surroundings;
use crate::io::trust::{self, Basis, Standing};

/// Bytes that a policy file may have.
const MOST_BYTES: u64 = 4 << 20;

/// Which policy is wanted.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// What surrounds the program.
    pub surroundings: &'a Surroundings,
    /// The root of the project.
    pub project: Option<&'a str>,
    /// Files that were named on the command line; they stand in for those of person and project.
    pub chosen: &'a [String],
    /// The names of the hosts there are; none for any.
    pub hosts: &'a [&'a str],
    /// By what it is settled whether a person trusts what the project brings.
    pub trust: Basis,
    /// Whether files that were read before may be taken as they were read then. Their tests, their
    /// examples and their warnings are left out.
    pub warm: bool,
}

/// The policy in force, and what is wrong with it.
#[derive(Debug)]
pub struct Loaded {
    /// The policy, of all that could be read. Its settings hold also when there are errors.
    pub policy: Policy,
    /// The mistakes, by file, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The files and packs that the policy comes from, the highest layer first.
    pub files: Vec<LoadedFile>,
    /// Whether the bundled policy applies beside them, in force or not.
    pub wants_defaults: bool,
    /// How a person stands to what the project brings.
    pub standing: Standing,
}

/// A file or a pack that was read.
#[derive(Debug)]
pub struct LoadedFile {
    /// The layer it belongs to.
    pub layer: Layer,
    /// The file's path or the pack's name.
    pub name: String,
    /// Its text; none for a pack.
    pub source: Option<Arc<Source>>,
    /// How many rules it brings.
    pub rules: usize,
    /// Its tests, unread.
    pub tests: Option<Node>,
    /// The examples of its rules; none for a pack.
    pub examples: Vec<Placed>,
}

impl Loaded {
    /// Tells whether any mistake makes the policy unusable.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Loads the policy in force.
pub fn load(request: &Request<'_>) -> Loaded {
    let mut pieces: Vec<Piece> = Vec::new();
    let mut diagnostics = Vec::new();
    let cache = request.warm.then(|| Cache::of(request.surroundings)).flatten();
    for (layer, paths, required) in layers(request) {
        let mut roots = Vec::new();
        let files = Files { within: request.project.filter(|_| layer.is_of_project()) };
        for path in &paths {
            match files.read(path, required) {
                Ok(source) => roots.extend(source),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        let gathered = match &cache {
            Some(cache) if !roots.is_empty() => cache.gather(&roots, layer, &files, request.hosts),
            _ => gather(&roots, layer, &files, request.hosts),
        };
        pieces.extend(gathered.pieces);
        diagnostics.extend(gathered.diagnostics);
    }
    let standing = settle_trust(request, &mut pieces);
    let defaults = wants_defaults(pieces.iter().map(|piece| &piece.part));
    let bundled = if defaults { builtin::DEFAULTS } else { &[] };
    diagnostics.extend(disables_nothing(&pieces, bundled));
    diagnostics.extend(gates::unknown(&pieces));
    Loaded { standing, ..stacked(pieces, bundled, diagnostics) }
}

/// Looks whether a person trusts what the project brings, and lets it speak accordingly.
fn settle_trust(request: &Request<'_>, pieces: &mut [Piece]) -> Standing {
    let Some(root) = request.project else { return Standing::Nothing };
    let brought = pieces.iter().filter(|piece| piece.part.layer.is_of_project());
    let sources: Vec<Arc<Source>> = brought.filter_map(|piece| piece.source.clone()).collect();
    let (standing, trust) = match request.trust {
        Basis::Supposed => (Standing::Unknown, Trust::Given),
        Basis::Records => {
            let standing = trust::standing(request.surroundings, root, &sources);
            let trust = standing.trust();
            (standing, trust)
        }
    };
    for piece in pieces {
        piece.part.layer = piece.part.layer.with_trust(trust);
    }
    standing
}

fn stacked(pieces: Vec<Piece>, bundled: &'static [Packed], diagnostics: Vec<Diagnostic>) -> Loaded {
    let mut files = Vec::new();
    let mut parts = Vec::new();
    for Piece { part, source, tests, examples, .. } in pieces {
        let (layer, name, rules) = (part.layer, part.source.clone(), part.rules.len() + part.packed.len());
        files.push(LoadedFile { layer, name, source, rules, tests, examples });
        parts.push(part);
    }
    let wants_defaults = wants_defaults(parts.iter());
    Loaded { policy: Policy::stack(parts, bundled), diagnostics, files, wants_defaults, standing: Standing::Nothing }
}

/// Loads packs and files by name, as if a file beside this one extended them, and nothing else.
pub fn load_only(name: &str, extends: &[String], hosts: &[&str]) -> Loaded {
    let list = extends.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let beside = Path::new(name).with_file_name("(the policies under test)");
    let root = Source::new(beside.to_string_lossy(), format!("version: 1\nextends: [{list}]\n"));
    let gathered = gather(&[root], Layer::Chosen, &Files { within: None }, hosts);
    let mut diagnostics = gathered.diagnostics;
    diagnostics.extend(gates::unknown(&gathered.pieces));
    stacked(gathered.pieces, &[], diagnostics)
}

/// Returns each layer's files, and whether they must be there.
fn layers(request: &Request<'_>) -> Vec<(Layer, Vec<String>, bool)> {
    if request.chosen.is_empty() {
        let candidates = candidates(request.surroundings, request.project).into_iter();
        return candidates.map(|candidate| (candidate.layer, vec![candidate.path], false)).collect();
    }
    let managed = managed(request.surroundings).into_iter().collect();
    vec![(Layer::Managed, managed, false), (Layer::Chosen, request.chosen.to_vec(), true)]
}

/// Looks for orders that turn down what is not there.
fn disables_nothing(pieces: &[Piece], bundled: &[Packed]) -> Vec<Diagnostic> {
    let ids: Vec<&str> = pieces
        .iter()
        .flat_map(|piece| {
            let stored = piece.part.packed.iter().map(|packed| packed.id.as_ref());
            piece.part.rules.iter().map(|rule| rule.id.as_str()).chain(stored)
        })
        .chain(bundled.iter().map(|packed| packed.id.as_ref()))
        .collect();
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let Some(source) = &piece.source else { continue };
        let mut report = Report::new(Arc::clone(source));
        for (disable, span) in piece.part.disable.iter().zip(&piece.disable_at) {
            if !ids.iter().any(|id| disable.covers(id)) {
                let near = suggest::nearest(&disable.rule, ids.iter().copied());
                let message = suggest::unknown("rule", &disable.rule, near);
                report.add(Code::DisablesNothing, span, message, None);
            }
        }
        diagnostics.extend(report.diagnostics);
    }
    diagnostics
}

/// The files of the machine and the packs of the program.
struct Files<'a> {
    /// The directory that they must lie in: a stranger's project must not have other files of the person's
    /// read, and shown in messages.
    within: Option<&'a str>,
}

impl Files<'_> {
    /// Reads a file; `None` when it is not there and need not be.
    fn read(&self, path: &str, required: bool) -> Result<Option<Arc<Source>>, Diagnostic> {
        let leads = |path: &str| std::fs::canonicalize(path).ok();
        match (self.within, leads(path)) {
            (Some(root), Some(real)) if !leads(root).is_some_and(|root| real.starts_with(root)) => {
                let message = "the file lies outside of the project, whose policy may read nothing there".to_owned();
                Err(about_file(Code::UnreadableFile, path, message, None))
            }
            _ => open(path, required),
        }
    }
}

impl Shelf for Files<'_> {
    fn open(&self, from: &Source, name: &str) -> Result<Opened, Unavailable> {
        let unavailable = |message: String, help| Unavailable { code: Code::UnknownExtends, message, help };
        if let Some(pack) = find(name) {
            return pack.parts().map(Opened::Ready).map_err(|message| unavailable(message, None));
        }
        let is_recipe = name.starts_with(builtin::COOKBOOK_PREFIX) && !name.contains('.');
        let is_path =
            !is_recipe && name.contains(['/', '\\']) || [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
        if !is_path {
            let unknown = suggest::among("pack", name, builtin::all().map(|pack| pack.name).collect::<Vec<_>>());
            let (message, known) = suggest::split_help(&unknown);
            let help = known.map(|known| format!("{known}; a file is named by its path, such as `./{name}.yaml`"));
            return Err(unavailable(message.to_owned(), help));
        }
        let path = beside(&from.name, name);
        match self.read(&path, true) {
            Ok(source) => source.map(Opened::Text).ok_or_else(|| unavailable(format!("there is no file {path}"), None)),
            Err(diagnostic) => Err(unavailable(format!("{}: {}", diagnostic.source.name, diagnostic.message), None)),
        }
    }
}

/// Returns the path of a file that is named relative to another. Steps back and forth are taken
/// out, so that one file has one name, except where a link would make them lead elsewhere.
fn beside(file: &str, name: &str) -> String {
    let written = Path::new(file).parent().unwrap_or_else(|| Path::new("")).join(name);
    let mut tidy = PathBuf::new();
    for component in written.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir if matches!(tidy.components().next_back(), Some(Component::Normal(_))) => {
                tidy.pop();
            }
            Component::ParentDir | Component::Prefix(_) | Component::RootDir | Component::Normal(_) => {
                tidy.push(component);
            }
        }
    }
    let leads = |path: &Path| std::fs::canonicalize(path).ok();
    let path = if leads(&tidy) == leads(&written) { tidy } else { written };
    path.to_string_lossy().into_owned()
}

/// Reads a file; `None` when it is not there and need not be.
fn open(path: &str, required: bool) -> Result<Option<Arc<Source>>, Diagnostic> {
    let fail = |message: String| about_file(Code::UnreadableFile, path, message, None);
    let own = std::fs::symlink_metadata(path);
    let is_link = own.as_ref().is_ok_and(std::fs::Metadata::is_symlink);
    let metadata = match if is_link { std::fs::metadata(path) } else { own } {
        Ok(metadata) => metadata,
        // A link that leads nowhere is there, and is a mistake.
        Err(error) if is_missing(&error) && !required && !is_link => return Ok(None),
        Err(error) => return Err(fail(describe(&error))),
    };
    if metadata.is_dir() {
        return Err(fail("expected a file, found a directory".into()));
    }
    // Anything else might never end, or never begin.
    if !metadata.is_file() {
        return Err(fail("expected a file, found a device or a pipe".into()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| fail(describe(&error)))?;
    if bytes.len() as u64 > MOST_BYTES {
        let message = format!("the file has more than {MOST_BYTES} bytes");
        return Err(about_file(Code::ExceededLimit, path, message, None));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(Source::new(path, text))),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(fail(format!("the file is not UTF-8: byte {at} begins no character")))
        }
    }
}

fn is_missing(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn describe(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "the file may not be read".into(),
        _ => format!("the file cannot be read: {error}"),
    }
}

fn about_file(code: Code, name: &str, message: String, help: Option<String>) -> Diagnostic {
    Diagnostic { code, source: Source::new(name, ""), span: None, message, help }
}
