//! What is fuzzed: one function for each kind of input, which panics when something does not hold.
//!
//! The targets of cargo-fuzz and the test that runs everywhere (`tests/fuzz.rs`) call the same ones.

mod answer;
pub(crate) mod contract;
pub(crate) mod effects;
pub(crate) mod files;
mod payload;
mod texts;

/// Something that bytes from elsewhere come into.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name: of the target of cargo-fuzz, and of the folder of seeds.
    pub name: &'static str,
    /// Gives it some bytes.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "payload", run: payload::arbitrary_payload },
    Target { name: "call", run: payload::harmful_call },
    Target { name: "policy", run: texts::policy },
    Target { name: "command", run: texts::command },
    Target { name: "content", run: texts::content },
    Target { name: "state", run: files::state },
    Target { name: "database", run: files::database },
    Target { name: "cache", run: files::cache },
    Target { name: "settings", run: files::settings },
    Target { name: "answer", run: answer::answer },
];

/// Runs the target of a name.
///
/// # Panics
/// When there is none, or something does not hold.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name).expect("a target");
    (target.run)(bytes);
}
