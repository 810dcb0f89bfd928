//! The policy in force here: every layer's files read, checked and stacked.
//!
//! A file that is there and cannot be read is a mistake and never skipped: whoever makes a policy
//! unreadable must not be rid of it.

use std::fs::File;
use std::io::Read as _;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::builtin::{self, find_pack};
use super::cache::PolicyCache;
use super::code::DiagnosticCode;
use super::collect::{OpenedSource, PolicySource, SourceError, collect};
use super::diagnostic::{Diagnostic, DiagnosticReport, SourceText};
use super::discover::{candidates, managed_policy_path};
use super::example::LocatedExample;
use super::gate_checks::unknown_gates;
use super::loaded_part::LoadedPart;
use super::node::Node;
use crate::domain::layer::{Layer, Trust};
use crate::domain::policy::host_name::HostName;
use crate::domain::policy::prefilter::CompiledRule;
use crate::domain::policy::{Policy, includes_defaults};
use crate::domain::text::suggest;
use crate::io::platform::Platform;
use crate::io::trust::{self, ProjectFile, TrustBasis, TrustStatus};

/// Bytes that a policy file may have.
const MAX_BYTES: u64 = 4 << 20;

/// Which policy is wanted.
#[derive(Debug, Clone, Copy)]
pub struct LoadRequest<'a> {
    /// The platform that the program runs on.
    pub platform: &'a Platform,
    /// The root of the project.
    pub project: Option<&'a str>,
    /// Files that were named on the command line; they replace those of user and project.
    pub explicit_files: &'a [String],
    /// The hosts that a policy may name; none for any.
    pub hosts: &'a [HostName],
    /// How trust in the project's policy is determined.
    pub trust: TrustBasis,
    /// Whether files that were read before may be taken as they were read then. Their tests, their
    /// examples and their warnings are left out.
    pub use_cache: bool,
}

/// The policy in force, and what is wrong with it.
#[derive(Debug)]
pub struct LoadedPolicy {
    /// The policy, of all that could be read. Its settings hold also when there are errors.
    pub policy: Policy,
    /// The mistakes, by file, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The files and packs that the policy comes from, the highest layer first.
    pub files: Vec<LoadedFile>,
    /// Whether the bundled policy applies beside them, in force or not.
    pub wants_defaults: bool,
    /// Whether the user trusts what the project brings.
    pub trust_status: TrustStatus,
}

/// A file or a pack that was read.
#[derive(Debug)]
pub struct LoadedFile {
    /// The layer it belongs to.
    pub layer: Layer,
    /// The file's path or the pack's name.
    pub name: String,
    /// Its text; none for a pack.
    pub source: Option<Arc<SourceText>>,
    /// How many rules it brings.
    pub rule_count: usize,
    /// Its tests, unread.
    pub tests: Option<Node>,
    /// The examples of its rules; none for a pack.
    pub examples: Vec<LocatedExample>,
}

impl LoadedPolicy {
    /// Returns whether any mistake makes the policy unusable.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Loads the policy in force.
pub fn load(request: &LoadRequest<'_>) -> LoadedPolicy {
    let mut pieces: Vec<LoadedPart> = Vec::new();
    let mut diagnostics = Vec::new();
    let cache = request.use_cache.then(|| PolicyCache::open(request.platform)).flatten();
    for (layer, paths, required) in layers(request) {
        let mut roots = Vec::new();
        let files = FileSource { root: request.project.filter(|_| layer.is_project()) };
        for path in &paths {
            match files.read(path, required) {
                Ok(source) => roots.extend(source),
                Err(diagnostic) => diagnostics.push(diagnostic),
            }
        }
        let gathered = match &cache {
            Some(cache) if !roots.is_empty() => cache.collect(&roots, layer, &files, request.hosts),
            _ => collect(&roots, layer, &files, request.hosts),
        };
        pieces.extend(gathered.parts);
        diagnostics.extend(gathered.diagnostics);
    }
    let standing = apply_trust(request, &mut pieces);
    let defaults = includes_defaults(pieces.iter().map(|piece| &piece.part));
    let bundled = if defaults { builtin::DEFAULTS } else { &[] };
    diagnostics.extend(unknown_disables(&pieces, bundled));
    diagnostics.extend(unknown_gates(&pieces));
    LoadedPolicy { trust_status: standing, ..stack_parts(pieces, bundled, diagnostics) }
}

/// Checks whether a user trusts what the project brings, and lets it speak accordingly.
fn apply_trust(request: &LoadRequest<'_>, pieces: &mut [LoadedPart]) -> TrustStatus {
    let Some(root) = request.project else { return TrustStatus::NotApplicable };
    let brought = pieces.iter().filter(|piece| piece.part.layer.is_project());
    let sources: Vec<ProjectFile<'_>> = brought
        .filter_map(|piece| piece.source.as_ref())
        .map(|source| ProjectFile { path: &source.name, text: &source.text })
        .collect();
    let (standing, trust) = match request.trust {
        TrustBasis::Assumed => (TrustStatus::Untrusted, Trust::Trusted),
        TrustBasis::Records => {
            let standing = trust::trust_status(request.platform, root, &sources);
            let trust = standing.trust();
            (standing, trust)
        }
    };
    for piece in pieces {
        piece.part.layer = piece.part.layer.with_trust(trust);
    }
    standing
}

fn stack_parts(
    pieces: Vec<LoadedPart>,
    bundled: &'static [CompiledRule],
    diagnostics: Vec<Diagnostic>,
) -> LoadedPolicy {
    let mut files = Vec::new();
    let mut parts = Vec::new();
    for LoadedPart { part, source, tests, examples, .. } in pieces {
        let (layer, name, rules) = (part.layer, part.source.clone(), part.rules.len() + part.compiled_rules.len());
        files.push(LoadedFile { layer, name, source, rule_count: rules, tests, examples });
        parts.push(part);
    }
    let wants_defaults = includes_defaults(parts.iter());
    LoadedPolicy {
        policy: Policy::from_parts(parts, bundled),
        diagnostics,
        files,
        wants_defaults,
        trust_status: TrustStatus::NotApplicable,
    }
}

/// Loads packs and files by name, as if a file beside this one extended them, and nothing else.
pub fn load_extends(name: &str, extends: &[String], hosts: &[HostName]) -> LoadedPolicy {
    let list = extends.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
    let beside = Path::new(name).with_file_name("(the policies under test)");
    let root = SourceText::new(beside.to_string_lossy(), format!("version: 1\nextends: [{list}]\n"));
    let gathered = collect(&[root], Layer::CommandLine, &FileSource { root: None }, hosts);
    let mut diagnostics = gathered.diagnostics;
    diagnostics.extend(unknown_gates(&gathered.parts));
    stack_parts(gathered.parts, &[], diagnostics)
}

/// Reads a policy from a text, as if it were the user's own file. The recommended pack applies beside it,
/// unless the text says `defaults: false`.
///
/// # Errors
/// Returns the mistakes in the text.
pub fn parse_policy(name: &str, text: &str, hosts: &[HostName]) -> Result<Policy, Vec<Diagnostic>> {
    let root = SourceText::new(name, text);
    let collected = collect(&[root], Layer::User, &FileSource { root: None }, hosts);
    let defaults = includes_defaults(collected.parts.iter().map(|part| &part.part));
    let bundled = if defaults { builtin::DEFAULTS } else { &[] };
    let mut diagnostics = collected.diagnostics;
    diagnostics.extend(unknown_disables(&collected.parts, bundled));
    diagnostics.extend(unknown_gates(&collected.parts));
    let loaded = stack_parts(collected.parts, bundled, diagnostics);
    if loaded.has_errors() { Err(loaded.diagnostics) } else { Ok(loaded.policy) }
}

/// Returns each layer's files, and whether they must be there.
fn layers(request: &LoadRequest<'_>) -> Vec<(Layer, Vec<String>, bool)> {
    if request.explicit_files.is_empty() {
        let candidates = candidates(request.platform, request.project).into_iter();
        return candidates.map(|candidate| (candidate.layer, vec![candidate.path], false)).collect();
    }
    let managed = managed_policy_path(request.platform).into_iter().collect();
    vec![(Layer::Managed, managed, false), (Layer::CommandLine, request.explicit_files.to_vec(), true)]
}

/// Checks for orders that turn down what is not there.
fn unknown_disables(pieces: &[LoadedPart], bundled: &[CompiledRule]) -> Vec<Diagnostic> {
    let ids: Vec<&str> = pieces
        .iter()
        .flat_map(|piece| {
            let stored = piece.part.compiled_rules.iter().map(|packed| packed.id.as_ref());
            piece.part.rules.iter().map(|rule| rule.id.as_str()).chain(stored)
        })
        .chain(bundled.iter().map(|packed| packed.id.as_ref()))
        .collect();
    let mut diagnostics = Vec::new();
    for piece in pieces {
        let Some(source) = &piece.source else { continue };
        let mut report = DiagnosticReport::new(Arc::clone(source));
        for (disable, span) in piece.part.disable.iter().zip(&piece.disable_spans) {
            if !ids.iter().any(|id| disable.is_match(id)) {
                let near = suggest::nearest(&disable.rule, ids.iter().copied());
                let message = suggest::unknown_message("rule", &disable.rule, near);
                report.add(DiagnosticCode::DisablesNothing, span, message, None);
            }
        }
        diagnostics.extend(report.diagnostics);
    }
    diagnostics
}

/// The files of the machine and the packs of the program.
struct FileSource<'a> {
    /// The directory that they must lie in: a stranger's project must not have other files of the user's
    /// read, and shown in messages.
    root: Option<&'a str>,
}

impl FileSource<'_> {
    /// Reads a file; `None` when it doesn't exist and need not be.
    fn read(&self, path: &str, required: bool) -> Result<Option<Arc<SourceText>>, Diagnostic> {
        let leads = |path: &str| std::fs::canonicalize(path).ok();
        match (self.root, leads(path)) {
            (Some(root), Some(real)) if !leads(root).is_some_and(|root| real.starts_with(root)) => {
                let message = "the file is outside the project, where the project's policy can't read files".to_owned();
                Err(file_diagnostic(DiagnosticCode::UnreadableFile, path, message, None))
            }
            _ => open(path, required),
        }
    }
}

impl PolicySource for FileSource<'_> {
    fn read_policy_file(&self, from: &SourceText, name: &str) -> Result<OpenedSource, SourceError> {
        let unavailable = |message: String, help| SourceError { code: DiagnosticCode::UnknownExtends, message, help };
        if let Some(pack) = find_pack(name) {
            return pack.parts().map(OpenedSource::Compiled).map_err(|error| unavailable(error.to_string(), None));
        }
        let is_recipe = name.starts_with(builtin::COOKBOOK_PREFIX) && !name.contains('.');
        let is_path =
            !is_recipe && name.contains(['/', '\\']) || [".yaml", ".yml"].iter().any(|ending| name.ends_with(ending));
        if !is_path {
            let unknown =
                suggest::unknown_among("pack", name, builtin::all_packs().map(|pack| pack.name).collect::<Vec<_>>());
            let (message, known) = suggest::split_help(&unknown);
            let help = known.map(|known| format!("{known}; to name a file, use its path, such as `./{name}.yaml`"));
            return Err(unavailable(message.to_owned(), help));
        }
        let path = resolve_relative(&from.name, name);
        match self.read(&path, true) {
            Ok(source) => {
                source.map(OpenedSource::Text).ok_or_else(|| unavailable(format!("there is no file {path}"), None))
            }
            Err(diagnostic) => Err(unavailable(format!("{}: {}", diagnostic.source.name, diagnostic.message), None)),
        }
    }
}

/// Returns the path of a file that is named relative to another. Steps back and forth are taken
/// out, so that one file has one name, except where a link would make them lead elsewhere.
fn resolve_relative(file: &str, name: &str) -> String {
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

/// Reads a file; `None` when it doesn't exist and need not be.
fn open(path: &str, required: bool) -> Result<Option<Arc<SourceText>>, Diagnostic> {
    let fail = |message: String| file_diagnostic(DiagnosticCode::UnreadableFile, path, message, None);
    let own = std::fs::symlink_metadata(path);
    let is_link = own.as_ref().is_ok_and(std::fs::Metadata::is_symlink);
    let metadata = match if is_link { std::fs::metadata(path) } else { own } {
        Ok(metadata) => metadata,
        // A link that leads nowhere is there, and is a mistake.
        Err(error) if is_not_found(&error) && !required && !is_link => return Ok(None),
        Err(error) => return Err(fail(describe_io_error(&error))),
    };
    if metadata.is_dir() {
        return Err(fail("expected a file, found a directory".into()));
    }
    // Reading anything but a regular file might block or never end.
    if !metadata.is_file() {
        return Err(fail("expected a file, found a device or a pipe".into()));
    }
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes));
    read.map_err(|error| fail(describe_io_error(&error)))?;
    if bytes.len() as u64 > MAX_BYTES {
        let message = format!("the file is larger than {MAX_BYTES} bytes");
        return Err(file_diagnostic(DiagnosticCode::ExceededLimit, path, message, None));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(Some(SourceText::new(path, text))),
        Err(error) => {
            let at = error.utf8_error().valid_up_to();
            Err(fail(format!("the file is not UTF-8: byte {at} begins no character")))
        }
    }
}

fn is_not_found(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

fn describe_io_error(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::NotFound => "there is no such file".into(),
        std::io::ErrorKind::PermissionDenied => "no permission to read the file".into(),
        _ => format!("the file cannot be read: {error}"),
    }
}

fn file_diagnostic(code: DiagnosticCode, name: &str, message: String, help: Option<String>) -> Diagnostic {
    Diagnostic { code, source: SourceText::new(name, ""), span: None, message, help }
}
