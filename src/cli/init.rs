//! `ruleward init`: a policy to start from, with its tests.

use std::path::PathBuf;
use std::process::ExitCode;

use super::Exit;
use crate::io::policy::discover;
use crate::io::{files, platform::Surroundings, stdio};

const POLICY: &str = include_str!("../../policies/starter/policy.yaml");
const TESTS: &str = include_str!("../../policies/starter/policy.test.yaml");

/// Write a commented policy with tests to start from
///
/// Without an option it goes into this project (`.ruleward/policy.yaml`). A file that is there
/// already is left as it is.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write your own policy, which holds in every project, instead of this project's.
    #[arg(long, conflicts_with = "dir")]
    user: bool,
    /// The directory to write into.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> ExitCode {
    match write(args) {
        Ok(()) => Exit::Done.into(),
        Err(why) => {
            stdio::say(&format!("error: {why}"));
            Exit::Usage.into()
        }
    }
}

fn write(args: &Args) -> Result<(), String> {
    let dir = match (&args.dir, args.user) {
        (Some(dir), _) => dir.clone(),
        (None, true) => discover::user_directory(&Surroundings::here()).ok_or("there is no home directory")?.into(),
        (None, false) => PathBuf::from(".ruleward"),
    };
    let mut kept = false;
    for (name, text) in [("policy.yaml", POLICY), ("policy.test.yaml", TESTS)] {
        let path = dir.join(name);
        if files::create(&path, text)? {
            stdio::print(&format!("wrote {}\n", path.display()));
        } else {
            stdio::say(&format!("{} is there already and stays as it is", path.display()));
            kept = true;
        }
    }
    if !kept {
        stdio::print("next: `ruleward lint` finds mistakes, `ruleward test` runs the tests\n");
    }
    Ok(())
}
