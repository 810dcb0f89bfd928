//! Every mistake of a policy is found, at its place, in words that help.

use ruleward::adapters::HOSTS;
use ruleward::io::platform::{Surroundings, System};
use ruleward::io::policy::code::Code;
use ruleward::io::policy::load::{Request, load};
use ruleward::io::trust::Basis;

/// Returns the mistakes of a file that was named on the command line, as people read them.
fn mistakes(path: &str) -> (Vec<Code>, String) {
    let surroundings = Surroundings { system: System::Unix, home: None, variables: [].into() };
    let hosts: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
    let chosen = [path.to_owned()];
    let loaded = load(&Request {
        surroundings: &surroundings,
        project: None,
        chosen: &chosen,
        hosts: &hosts,
        trust: Basis::Records,
        warm: false,
    });
    let rendered: Vec<String> = loaded.diagnostics.iter().map(|mistake| mistake.render(false)).collect();
    (loaded.diagnostics.iter().map(|mistake| mistake.code).collect(), rendered.join("\n\n"))
}

#[test]
fn mistakes_are_shown_at_their_places() {
    let mut seen = Vec::new();
    insta::glob!("policy-errors/*.yaml", |path| {
        let name = path.file_name().unwrap().to_str().unwrap();
        let (codes, rendered) = mistakes(&format!("tests/policy-errors/{name}"));
        assert!(!codes.is_empty(), "{name} has no mistake");
        seen.extend(codes);
        insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
            insta::assert_snapshot!("policy-errors", rendered);
        });
    });
    for code in Code::ALL {
        let is_shown_elsewhere = *code == Code::UnreadableFile || !code.is_found_at_load();
        assert!(seen.contains(code) || is_shown_elsewhere, "no file of tests/policy-errors shows `{code}`");
    }
}

#[test]
fn a_file_that_was_named_must_be_there() {
    assert_eq!(mistakes("tests/policy-errors/nowhere.yaml").0, [Code::UnreadableFile]);
    assert_eq!(mistakes("tests/policy-errors").0, [Code::UnreadableFile]);
}
