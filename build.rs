//! Reads and checks the bundled packs and detectors, and puts them into the program in a form that
//! costs next to nothing to load.
//!
//! The modules are the program's own, so a pack means here what it means there, and a mistake in
//! one fails the build with the message that its author would see.

#![expect(
    dead_code,
    unused_imports,
    unreachable_pub,
    reason = "the program uses more of its modules than the reading of packs does"
)]

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::{env, fs};

#[path = "src/domain/mod.rs"]
mod domain;

#[path = "src/io"]
mod io {
    pub(crate) mod policy {
        mod check;
        pub(crate) mod code;
        pub(crate) mod compiled;
        pub(crate) mod detectors;
        pub(crate) mod diagnostic;
        mod document;
        pub(crate) mod example;
        mod gates;
        pub(crate) mod gather;
        mod hooks;
        mod keys;
        mod limit;
        mod malformed;
        mod misfit;
        mod needs;
        mod node;
        mod read;
    }
}

#[path = "build/detectors.rs"]
mod generated;

#[path = "build/rules.rs"]
mod rules;

#[path = "build/standalone.rs"]
mod standalone;

use domain::policy::Layer;
use domain::secret::entry::Entry;
use domain::suggest;
use generated::generate;
use io::policy::code::Code;
use io::policy::compiled::{Stored, encode};
use io::policy::detectors::read_files;
use io::policy::diagnostic::{Diagnostic, Source};
use io::policy::gather::{Opened, Shelf, Unavailable, gather};
use sha2::{Digest, Sha256};

/// The texts of the packs, by name.
struct Texts(BTreeMap<String, Arc<Source>>);

impl Shelf for Texts {
    fn open(&self, _: &Source, name: &str) -> Result<Opened, Unavailable> {
        // A pack is its file here, and messages speak of the file; the program knows it by name.
        self.0.get(name).cloned().map(Opened::Text).ok_or_else(|| Unavailable {
            code: Code::UnknownExtends,
            message: suggest::among("pack", name, self.0.keys().map(String::as_str)),
            help: None,
        })
    }
}

fn main() -> ExitCode {
    println!("cargo::rustc-cfg=bundled_detectors");
    println!("cargo::rerun-if-changed=policies");
    println!("cargo::rerun-if-changed=Cargo.lock");
    match build() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            for line in error.to_string().lines() {
                println!("cargo::error={line}");
            }
            ExitCode::FAILURE
        }
    }
}

fn build() -> Result<(), Box<dyn Error>> {
    let root = env::var("CARGO_MANIFEST_DIR")?;
    let out = env::var("OUT_DIR")?;
    standalone::link(Path::new(&out))?;
    println!("cargo::rustc-env=RULEWARD_READERS={}", readers(Path::new(&root))?);
    let policies = Path::new(&root).join("policies");
    let entries = detectors(&policies.join("detectors"))?;
    fs::write(Path::new(&out).join("detectors.rs"), generate(&entries)?)?;
    let packs = texts(&policies, "")?;
    let recommended = packs.0.get("recommended").ok_or("there is no pack `recommended`")?;
    let packed = compile(recommended, &packs)?.iter().map(Stored::packed).collect::<Result<Vec<_>, _>>()?.concat();
    fs::write(Path::new(&out).join("defaults.rs"), rules::expression(&packed))?;
    list(&packs, &policies, Path::new(&out), "packs")?;
    list(&texts(&policies.join("cookbook"), "cookbook/")?, &policies, Path::new(&out), "cookbook")?;
    Ok(())
}

/// Writes the list of packs that the program has under a name, and what they came to.
fn list(packs: &Texts, policies: &Path, out: &Path, list_name: &str) -> Result<(), Box<dyn Error>> {
    let mut list = String::from("&[\n");
    for (name, source) in &packs.0 {
        let file = format!("{}.bin", name.replace('/', "-"));
        fs::write(out.join(&file), encode(&compile(source, packs)?)?)?;
        let (text, tests) = (&source.text, fs::read_to_string(policies.join(format!("{name}.test.yaml")))?);
        let path = format!("/{file}");
        writeln!(
            list,
            "Pack {{ name: {name:?}, text: {text:?}, tests: {tests:?}, compiled: include_bytes!(concat!(env!(\"OUT_DIR\"), {path:?})) }},"
        )?;
    }
    list.push(']');
    fs::write(out.join(format!("{list_name}.rs")), list)?;
    Ok(())
}

/// Returns a hash of all that settles what a policy file comes to.
fn readers(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut left = ["src/domain", "src/io/policy", "policies", "Cargo.lock"].map(|name| root.join(name)).to_vec();
    let mut files = Vec::new();
    while let Some(path) = left.pop() {
        if path.is_dir() {
            left.extend(
                fs::read_dir(&path)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>()?,
            );
        } else {
            files.push(path);
        }
    }
    files.sort();
    let mut hash = Sha256::new();
    for path in files {
        println!("cargo::rerun-if-changed={}", path.display());
        hash.update(path.strip_prefix(root)?.to_string_lossy().as_bytes());
        hash.update(fs::read(path)?);
    }
    Ok(hash.finalize().iter().fold(String::new(), |text, byte| text + &format!("{byte:02x}")))
}

/// Reads the bundled detectors of secrets.
fn detectors(directory: &Path) -> Result<Vec<Entry>, Box<dyn Error>> {
    let mut paths: Vec<_> =
        fs::read_dir(directory)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.sort();
    let is_yaml = |path: &&PathBuf| path.extension().is_some_and(|extension| extension == "yaml");
    let source = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        Ok(Source::new(format!("policies/detectors/{name}"), fs::read_to_string(path)?))
    };
    let files: Vec<Arc<Source>> = paths.iter().filter(is_yaml).map(source).collect::<Result<_, Box<dyn Error>>>()?;
    read_files(&files).map_err(|mistakes| rendered(&mistakes).into())
}

fn rendered(mistakes: &[Diagnostic]) -> String {
    mistakes.iter().map(|mistake| mistake.render(false)).collect::<Vec<_>>().join("\n\n")
}

/// Returns the texts of a directory's packs, by their names behind a prefix.
fn texts(directory: &Path, prefix: &str) -> Result<Texts, Box<dyn Error>> {
    let mut texts = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if let Some(name) = name.strip_suffix(".yaml").filter(|name| !name.contains('.')) {
            let name = format!("{prefix}{name}");
            texts.insert(name.clone(), Source::new(&*name, fs::read_to_string(&path)?));
        }
    }
    Ok(Texts(texts))
}

/// Returns a pack and all that it extends.
fn compile(source: &Arc<Source>, texts: &Texts) -> Result<Vec<Stored>, Box<dyn Error>> {
    // Which hosts there are is no knowledge of these modules; a test of the program looks at that.
    let gathered = gather(std::slice::from_ref(source), Layer::Bundled, texts, &[]);
    if !gathered.diagnostics.is_empty() {
        return Err(rendered(&gathered.diagnostics).into());
    }
    Ok(gathered.pieces.into_iter().map(|piece| Stored::of(piece.part)).collect())
}
