//! Rules of which no example and no test says anything.

use std::collections::BTreeSet;
use std::path::Path;

use super::Linter;
use crate::adapters::host_names;
use crate::io::policy::code::DiagnosticCode;
use crate::io::policy::load::LoadedPolicy;
use crate::io::{files, suite};

pub(super) fn check(look: &mut Linter<'_>, loaded: &LoadedPolicy, file: usize) {
    let Some(name) = look.files.get(file).map(|file| file.name) else { return };
    let examples = loaded.files.iter().filter(|file| file.name == name).flat_map(|file| &file.examples);
    let mut shown: BTreeSet<String> = examples.map(|example| example.rule.clone()).collect();
    shown.extend(rules_named_in_tests(Path::new(name)));
    for active in look.rules(file) {
        let id = &active.rule.id;
        if !shown.contains(id) {
            let message = format!("no example and no test covers `{id}`");
            let help = "add `examples:`, or name it under `rule` in a test";
            look.add(file, id, &[], DiagnosticCode::UntestedRule, message, help);
        }
    }
}

/// Returns the rules that the tests of a policy name: those in it, and those in files beside it.
fn rules_named_in_tests(policy: &Path) -> Vec<String> {
    let directory = policy.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = files::list_directory(directory, ".test.yaml").into_iter();
    let suites = beside.chain([policy.to_owned()]).filter_map(|path| suite::load(&path, &host_names()).ok().flatten());
    suites.flat_map(|tests| tests.cases).flat_map(|case| case.expect.rule).collect()
}
