//! Tells the program which modules it reads policies with, and how it is linked.
//!
//! What is made of the bundled packs and detectors is checked in and compared by the tests; see
//! `src/io/policy/generate.rs`.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

#[path = "build/standalone.rs"]
mod standalone;

/// All that settles what a policy file comes to.
const READERS: [&str; 4] = ["src/domain", "src/io/policy", "policies", "Cargo.lock"];

fn main() -> Result<(), Box<dyn Error>> {
    standalone::link(Path::new(&env::var("OUT_DIR")?))?;
    println!("cargo::rustc-env=RULEWARD_READERS={}", readers(Path::new(&env::var("CARGO_MANIFEST_DIR")?))?);
    Ok(())
}

/// Returns a hash of [`READERS`], by which the program knows the policies that it has read before. It tells builds
/// apart and keeps nobody out, so it need not withstand attempts to find a second text.
fn readers(root: &Path) -> Result<String, Box<dyn Error>> {
    let mut files = Vec::new();
    for name in READERS {
        println!("cargo::rerun-if-changed={name}");
        list(root, &root.join(name), &mut files)?;
    }
    files.sort();
    // The offset basis of FNV-1a, and a number made of it for a second hash.
    let mut hashes: [u64; 2] = [0xcbf2_9ce4_8422_2325, !0xcbf2_9ce4_8422_2325];
    for (name, path) in files {
        let text = fs::read(path)?;
        let len = u64::try_from(text.len())?.to_le_bytes();
        for hash in &mut hashes {
            let bytes = name.bytes().chain([0]).chain(len).chain(text.iter().copied());
            *hash = bytes.fold(*hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        }
    }
    Ok(hashes.map(|hash| format!("{hash:016x}")).concat())
}

/// Lists the files under a path, each with its name from the root on, which is the same on every system.
fn list(root: &Path, path: &Path, files: &mut Vec<(String, PathBuf)>) -> Result<(), Box<dyn Error>> {
    if path.is_dir() {
        for entry in fs::read_dir(path)? {
            list(root, &entry?.path(), files)?;
        }
    } else {
        let parts: Vec<_> = path.strip_prefix(root)?.iter().map(|part| part.to_string_lossy()).collect();
        files.push((parts.join("/"), path.to_owned()));
    }
    Ok(())
}
