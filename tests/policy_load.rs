//! Which files hold, what happens to those that cannot be read, and who may turn what down.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use ruleward::domain::layer::{Layer, Trust};
use ruleward::domain::severity::OnError;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::code::DiagnosticCode;
use ruleward::io::policy::load::{LoadRequest, LoadedPolicy, load, load_extends};
use ruleward::io::trust::TrustBasis;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A home with a project in it; its files go when it does.
struct TestHome(PathBuf);

impl TestHome {
    fn with(files: &[(&str, &str)]) -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let home = Self(std::env::temp_dir().join(format!("ruleward-load-{}-{number}", std::process::id())));
        for (name, text) in files {
            fs::create_dir_all(home.0.join(name).parent().unwrap()).unwrap();
            fs::write(home.0.join(name), text).unwrap();
        }
        home
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn load(&self, chosen: &[&str]) -> LoadedPolicy {
        let variables = [("XDG_CONFIG_HOME".to_owned(), self.path("config"))].into();
        let surroundings = Platform::new(OsFamily::Unix, Some(self.path("")), variables);
        let chosen: Vec<String> = chosen.iter().map(|name| self.path(name)).collect();
        let project = self.path("project");
        load(&LoadRequest {
            platform: &surroundings,
            project: Some(&project),
            explicit_files: &chosen,
            hosts: &[],
            trust: TrustBasis::Records,
            use_cache: false,
        })
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

const USER: &str = "config/ruleward/policy.yaml";
const PROJECT: &str = "project/.ruleward/policy.yaml";
const LOCAL: &str = "project/.ruleward/policy.local.yaml";

fn rule(id: &str) -> String {
    format!("version: 1\ndefaults: none\nrules: [{{ id: {id}, when: any, then: {{ audit: a }} }}]\n")
}

fn ids(loaded: &LoadedPolicy) -> Vec<(&str, Layer)> {
    loaded.policy.rules.iter().map(|active| (active.rule.id.as_str(), active.layer)).collect()
}

fn codes(loaded: &LoadedPolicy) -> Vec<DiagnosticCode> {
    loaded.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn every_layer_adds_its_rules() {
    let home =
        TestHome::with(&[(USER, &rule("u")), (PROJECT, &rule("p")), (LOCAL, &rule("l")), ("c.yaml", &rule("c"))]);
    let loaded = home.load(&[]);
    assert_eq!(
        ids(&loaded),
        [("u", Layer::User), ("p", Layer::Project(Trust::Untrusted)), ("l", Layer::Local(Trust::Untrusted))]
    );
    assert_eq!(ids(&home.load(&["c.yaml"])), [("c", Layer::CommandLine)]);
    assert_eq!(codes(&home.load(&["c.yaml", "missing.yaml"])), [DiagnosticCode::UnreadableFile]);
}

#[test]
fn the_bundled_policy_applies_unless_a_trusted_layer_says_otherwise() {
    let bundled = |files: &[(&str, &str)]| {
        let loaded = TestHome::with(files).load(&[]);
        assert_eq!(codes(&loaded), []);
        !loaded.policy.bundled_rules.is_empty()
    };
    assert!(bundled(&[]));
    assert!(!bundled(&[(USER, &rule("u"))]));
    assert!(bundled(&[(PROJECT, &rule("p"))]), "a project cannot do without");
}

#[test]
fn a_rule_names_detectors_of_the_files_that_its_own_extends() {
    let detectors = "version: 1\ndetectors: [{ id: acme-token, name: Acme token, token: 'acme_[0-9a-f]{24}', tier: strong, severity: high, advice: variable }]\n";
    let rules = |name: &str| {
        format!(
            "version: 1\nextends: [./detectors.yaml]\nrules: [{{ id: x, when: tool.before, secrets: {{ detectors: ['{name}'] }}, then: {{ deny: no }} }}]\n"
        )
    };
    for (name, expected) in [("acme-*", &[][..]), ("acme-nothing", &[DiagnosticCode::UnknownDetector])] {
        let home = TestHome::with(&[("rules.yaml", &rules(name)), ("detectors.yaml", detectors)]);
        assert_eq!(codes(&home.load(&["rules.yaml"])), expected, "{name}");
    }
}

#[test]
fn what_cannot_be_read_is_never_skipped() {
    for (name, text) in [
        ("project/.ruleward/policy.yaml/directory", "".as_bytes()),
        (PROJECT, b"version: 1\n# \xff\n"),
        (PROJECT, &b"#".repeat((4 << 20) + 1)),
    ] {
        let home = TestHome::with(&[(name, "")]);
        fs::write(home.0.join(name), text).unwrap();
        let loaded = home.load(&[]);
        assert!(loaded.has_errors(), "{name}: {:?}", codes(&loaded));
    }
    let home = TestHome::with(&[("project/.ruleward/README", "")]);
    assert!(!home.load(&[]).has_errors());
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", home.0.join(PROJECT)).unwrap();
        assert_eq!(codes(&home.load(&[])), [DiagnosticCode::UnreadableFile], "a link that leads nowhere is there");
    }
}

#[test]
fn the_settings_of_a_broken_file_still_hold() {
    let broken = "version: 1\non_error: ask\nrules: [{ id: x }]\n";
    let loaded = TestHome::with(&[(USER, broken)]).load(&[]);
    assert!(loaded.has_errors());
    assert_eq!(loaded.policy.on_error, OnError::Ask);
    let loaded = TestHome::with(&[(PROJECT, broken)]).load(&[]);
    assert_eq!(loaded.policy.on_error, OnError::Deny, "a project cannot relax");
    let loaded = TestHome::with(&[(USER, "on_error: ask\nversion: [")]).load(&[]);
    assert_eq!(loaded.policy.on_error, OnError::Deny, "what cannot be read says nothing");
}

#[test]
fn files_are_extended_by_their_path_from_the_file() {
    let home = TestHome::with(&[
        (PROJECT, "version: 1\nextends: [./more/a.yaml, ../.ruleward/more/../more/b.yaml]\n"),
        ("project/.ruleward/more/a.yaml", "version: 1\nextends: [b.yaml]\n"),
        ("project/.ruleward/more/b.yaml", &rule("b")),
        (USER, "version: 1\ndefaults: none\n"),
    ]);
    let loaded = home.load(&[]);
    assert_eq!((codes(&loaded), ids(&loaded)), (vec![], vec![("b", Layer::Project(Trust::Untrusted))]));
    let files: Vec<&str> = loaded.files.iter().map(|file| file.name.rsplit('/').next().unwrap()).collect();
    assert_eq!(files, ["policy.yaml", "policy.yaml", "a.yaml", "b.yaml"], "each file is read once");
}

#[test]
fn names_of_arguments_are_added_by_every_layer() {
    let arguments = |name: &str| format!("version: 1\narguments: {{ path: [{name}, shared], url: where }}\n");
    let home = TestHome::with(&[(USER, &arguments("u")), (PROJECT, &arguments("p"))]);
    let arguments = home.load(&[]).policy.arguments;
    assert_eq!((arguments.path, arguments.url), (vec!["u".into(), "shared".into(), "p".into()], vec!["where".into()]));
}

#[test]
fn a_policy_can_be_loaded_alone() {
    let home = TestHome::with(&[("a.yaml", &rule("a"))]);
    let from = home.path("a.test.yaml");
    let loaded = load_extends(&from, &["./a.yaml".to_owned(), "recommended".to_owned()], &[]);
    assert!(ids(&loaded).contains(&("a", Layer::CommandLine)));
    assert!(ids(&loaded).len() > 1);
    let loaded = load_extends(&from, &["recomended".to_owned()], &[]);
    assert_eq!(codes(&loaded), [DiagnosticCode::UnknownExtends]);
}
