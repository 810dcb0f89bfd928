//! `ruleward init`: a policy to start from, with its tests.

use std::path::PathBuf;
use std::process::ExitCode;

use super::{Exit, hosts};
use crate::io::policy::builtin::{self, COOKBOOK, COOKBOOK_PREFIX, Pack};
use crate::io::policy::discover;
use crate::io::{files, platform::Surroundings, stdio};

const POLICY: &str = include_str!("../../policies/starter/policy.yaml");
const TESTS: &str = include_str!("../../policies/starter/policy.test.yaml");

/// Write a commented policy with tests to start from
///
/// Without an option it goes into this project (`.ruleward/policy.yaml`). A file that is there
/// already is left as it is.
///
/// With `--from`, a recipe of the cookbook is copied into a file of its own, with its tests, to be
/// changed, and the policy takes it in. `ruleward packs` lists the recipes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write your own policy, which holds in every project, instead of this project's.
    #[arg(long, conflicts_with = "dir")]
    user: bool,
    /// The directory to write into.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// A recipe of the cookbook to begin with, such as `token-budget`; may be given again.
    #[arg(long, value_name = "RECIPE")]
    from: Vec<String>,
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
    let recipes = args.from.iter().map(|name| recipe(name)).collect::<Result<Vec<_>, _>>()?;
    let mut kept = false;
    let mut write = |name: &str, text: &str| -> Result<bool, String> {
        let path = dir.join(name);
        let is_new = files::create(&path, text)?;
        if is_new {
            stdio::print(&format!("wrote {}\n", path.display()));
        } else {
            stdio::say(&format!("{} is there already and stays as it is", path.display()));
            kept = true;
        }
        Ok(is_new)
    };
    if recipes.is_empty() {
        write("policy.yaml", POLICY)?;
        write("policy.test.yaml", TESTS)?;
    } else {
        let mut names = Vec::new();
        for pack in recipes {
            let name = pack.name.trim_start_matches(COOKBOOK_PREFIX);
            write(&format!("{name}.yaml"), pack.text)?;
            write(&format!("{name}.test.yaml"), pack.tests)?;
            names.push(format!("{name}.yaml"));
        }
        let extends = format!("extends: [{}]", names.join(", "));
        let schema = POLICY.lines().next().unwrap_or_default();
        if !write("policy.yaml", &format!("{schema}\nversion: 1\n{extends}\n"))? {
            stdio::print(&format!("next: take it in, with `{extends}` in {}\n", dir.join("policy.yaml").display()));
        }
    }
    if !kept {
        stdio::print("next: `ruleward lint` finds mistakes, `ruleward test` runs the tests\n");
    }
    Ok(())
}

/// Returns the recipe of a name, which may be given with the name of the cookbook or without.
fn recipe(name: &str) -> Result<&'static Pack, String> {
    let bare = name.trim_start_matches(COOKBOOK_PREFIX);
    let known = || COOKBOOK.iter().map(|pack| pack.name.trim_start_matches(COOKBOOK_PREFIX)).collect();
    builtin::find(&format!("{COOKBOOK_PREFIX}{bare}")).ok_or_else(|| hosts::unknown("recipe", bare, known()))
}
