//! `ruleward init`: a policy to start from, with its tests.

use std::path::PathBuf;

use crate::cli::output::print::print;
use crate::cli::{CommandError, ExitStatus, context};
use crate::io::files;
use crate::io::platform::Platform;
use crate::io::policy::builtin::{self, COOKBOOK, COOKBOOK_PREFIX, Pack};
use crate::io::policy::discover;
use crate::io::process::stdio;

const STARTER_POLICY: &str = include_str!("../../policies/starter/policy.yaml");
const STARTER_TESTS: &str = include_str!("../../policies/starter/policy.test.yaml");

/// Create a commented policy with tests
///
/// By default, writes to this project (`.ruleward/policy.yaml`). Existing files are not changed.
///
/// `--from` copies a recipe of the cookbook, with its tests, to a separate file, which the policy
/// extends. `ruleward packs` lists the recipes.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write your own policy, which applies in every project, instead of this project's.
    #[arg(long, conflicts_with = "dir")]
    user: bool,
    /// The directory to write to.
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
    /// A recipe of the cookbook, such as `token-budget`; repeatable.
    #[arg(long, value_name = "RECIPE")]
    from: Vec<String>,
}

#[inline(never)]
pub(super) fn run(args: &Args) -> Result<ExitStatus, CommandError> {
    write_files(args)?;
    Ok(ExitStatus::Success)
}

fn write_files(args: &Args) -> Result<(), CommandError> {
    let dir = match (&args.dir, args.user) {
        (Some(dir), _) => dir.clone(),
        (None, true) => discover::user_directory(&Platform::current()).ok_or("no home directory")?.into(),
        (None, false) => PathBuf::from(".ruleward"),
    };
    let recipes = args.from.iter().map(|name| find_recipe(name)).collect::<Result<Vec<_>, _>>()?;
    let mut kept = false;
    let mut write = |name: &str, text: &str| -> Result<bool, CommandError> {
        let path = dir.join(name);
        let is_new = files::create_new(&path, text)?;
        if is_new {
            print(&format!("wrote {}\n", path.display()));
        } else {
            stdio::print_stderr(&format!("{} already exists and was not changed", path.display()));
            kept = true;
        }
        Ok(is_new)
    };
    if recipes.is_empty() {
        write("policy.yaml", STARTER_POLICY)?;
        write("policy.test.yaml", STARTER_TESTS)?;
    } else {
        let mut names = Vec::new();
        for pack in recipes {
            let name = pack.name.trim_start_matches(COOKBOOK_PREFIX);
            write(&format!("{name}.yaml"), pack.text)?;
            write(&format!("{name}.test.yaml"), pack.tests)?;
            names.push(format!("{name}.yaml"));
        }
        let extends = format!("extends: [{}]", names.join(", "));
        let schema = STARTER_POLICY.lines().next().unwrap_or_default();
        if !write("policy.yaml", &format!("{schema}\nversion: 1\n{extends}\n"))? {
            print(&format!("next: add `{extends}` to {}\n", dir.join("policy.yaml").display()));
        }
    }
    if !kept {
        print("next: check it with `ruleward lint`, and run its tests with `ruleward test`\n");
    }
    Ok(())
}

/// Returns the recipe of a name, which may be given with the name of the cookbook or without.
fn find_recipe(name: &str) -> Result<&'static Pack, CommandError> {
    let bare = name.trim_start_matches(COOKBOOK_PREFIX);
    let known = || COOKBOOK.iter().map(|pack| pack.name.trim_start_matches(COOKBOOK_PREFIX)).collect();
    builtin::find_pack(&format!("{COOKBOOK_PREFIX}{bare}"))
        .ok_or_else(|| CommandError::NotFound(context::unknown_value("recipe", bare, known())))
}
