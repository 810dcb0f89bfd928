//! Every mistake of a policy is found, at its place, in words that help.

use ruleward::adapters::host_names;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::code::DiagnosticCode;
use ruleward::io::policy::load::{LoadRequest, load};
use ruleward::io::trust::TrustBasis;

/// Returns the mistakes of a file that was named on the command line, as people read them.
fn diagnostics(path: &str) -> (Vec<DiagnosticCode>, String) {
    let surroundings = Platform::new(OsFamily::Unix, None, [].into());
    let hosts = host_names();
    let chosen = [path.to_owned()];
    let loaded = load(&LoadRequest {
        platform: &surroundings,
        project: None,
        explicit_files: &chosen,
        hosts: &hosts,
        trust: TrustBasis::Records,
        use_cache: false,
    });
    let rendered: Vec<String> = loaded.diagnostics.iter().map(|mistake| mistake.render(false)).collect();
    (loaded.diagnostics.iter().map(|mistake| mistake.code).collect(), rendered.join("\n\n"))
}

#[test]
fn mistakes_are_shown_at_their_places() {
    let mut seen = Vec::new();
    insta::glob!("policy-errors/*.yaml", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (codes, rendered) = diagnostics(&format!("tests/policy-errors/{name}"));
        assert!(!codes.is_empty(), "{name} has no mistake");
        seen.extend(codes);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("policy-errors", rendered);
        });
    });
    for code in DiagnosticCode::ALL {
        let is_shown_elsewhere = *code == DiagnosticCode::UnreadableFile || !code.is_found_at_load();
        assert!(seen.contains(code) || is_shown_elsewhere, "no file of tests/policy-errors shows `{code}`");
    }
}

#[test]
fn a_file_that_was_named_must_be_there() {
    assert_eq!(diagnostics("tests/policy-errors/nowhere.yaml").0, [DiagnosticCode::UnreadableFile]);
    assert_eq!(diagnostics("tests/policy-errors").0, [DiagnosticCode::UnreadableFile]);
}
