//! Links the release program so that the system can start it as it stands.
//!
//! A hook is started for every tool call, and the loader, the shared C library and some ten
//! thousand relocations took more time than the judgement. `-C target-feature=+crt-static` would do
//! this too, but only together with `--target`: without it Cargo gives the flag to procedural macros,
//! which cannot be built that way. So the linker is told alone: beside the program's own paths it
//! finds, under the names of the shared libraries, scripts that lead to the static ones.
//!
//! Where `RULEWARD_ORDER` names a list of functions (`scripts/order`), they are laid out in its order, if the linker can do
//! that.
//!
//! Nothing depends on it. Where a trial does not link and run, the program is linked as usual.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// The shared libraries that the standard library asks for, and the static ones with the same content.
const LIBRARIES: &[(&str, &str)] = &[
    ("gcc_s", "gcc_eh"),
    ("c", "c"),
    ("m", "m"),
    ("dl", "dl"),
    ("rt", "rt"),
    ("util", "util"),
    ("pthread", "pthread"),
];

/// Tells Cargo to link the program so, when that is wanted and works here; on Windows, with a larger
/// stack.
pub(crate) fn link(out: &Path) -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-env-changed=RUSTC_LINKER");
    let is = |name: &str, wanted: &str| env::var(name).is_ok_and(|value| value == wanted);
    let native = env::var("TARGET")? == env::var("HOST")?;
    let glibc = is("CARGO_CFG_TARGET_OS", "linux") && is("CARGO_CFG_TARGET_ENV", "gnu");
    if is("CARGO_CFG_TARGET_OS", "windows") {
        // The main thread has a stack of 1 MiB there, an eighth of what others give it.
        let flag = if is("CARGO_CFG_TARGET_ENV", "msvc") { "/STACK:8388608" } else { "-Wl,--stack,8388608" };
        println!("cargo::rustc-link-arg-bins={flag}");
    }
    if !(is("PROFILE", "release") && native && glibc) {
        return Ok(());
    }
    let scripts = out.join("static");
    fs::create_dir_all(&scripts)?;
    for (shared, whole) in LIBRARIES {
        fs::write(scripts.join(format!("lib{shared}.so")), format!("INPUT(-l:lib{whole}.a)\n"))?;
    }
    let mut arguments = vec![format!("-L{}", scripts.display()), "-static".into(), "-no-pie".into()];
    if !works(out, &arguments)? {
        arguments.clear();
    }
    let ordered = [arguments.clone(), ordering()].concat();
    if works(out, &ordered)? {
        arguments = ordered;
    }
    for argument in arguments {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    Ok(())
}

/// Returns what has the linker put the functions side by side that a hook runs through, which spread over the program
/// would each bring pages of others into memory: nothing when there is no list of them. Names that the program does not
/// have are passed over.
fn ordering() -> Vec<String> {
    println!("cargo::rerun-if-env-changed=RULEWARD_ORDER");
    let Ok(list) = env::var("RULEWARD_ORDER") else { return Vec::new() };
    println!("cargo::rerun-if-changed={list}");
    let flags = [format!("--symbol-ordering-file={list}"), "--no-warn-symbol-ordering".into()];
    flags.into_iter().flat_map(|flag| ["-Xlinker".into(), flag]).collect()
}

/// Links a small program with these arguments to the linker, and runs it.
fn works(out: &Path, arguments: &[String]) -> Result<bool, Box<dyn Error>> {
    let (source, program) = (out.join("trial.rs"), out.join("trial"));
    // Threads, and a panic that is caught: what needs most of the libraries.
    fs::write(
        &source,
        "fn main() { let panics = std::thread::spawn(|| panic!()).join(); assert!(panics.is_err()); }\n",
    )?;
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.arg("-o").arg(&program).arg(&source);
    rustc.args(env::var("CARGO_ENCODED_RUSTFLAGS").unwrap_or_default().split('\u{1f}').filter(|flag| !flag.is_empty()));
    if let Some(linker) = env::var_os("RUSTC_LINKER") {
        let mut flag = std::ffi::OsString::from("-Clinker=");
        flag.push(linker);
        rustc.arg(flag);
    }
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    Ok(succeeds(&mut rustc) && succeeds(&mut Command::new(&program)))
}

fn succeeds(command: &mut Command) -> bool {
    let quiet = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    quiet.status().is_ok_and(|status| status.success())
}
