//! What was read before is taken only when it is beyond doubt what the files say now.

#![cfg(unix)]
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use ruleward::adapters::host_names;
use ruleward::domain::effect::Effects;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::load::{LoadRequest, LoadedPolicy, load};
use ruleward::io::trust::TrustBasis;

static COUNT: AtomicUsize = AtomicUsize::new(0);

/// A person's directories; they go when it does.
struct TestHome(PathBuf);

const STRICT: &str = "version: 1\nextends: [./more.yaml]\ndefaults: none\nrules:\n  - { id: strict, when: tool.before, command: tool, then: { deny: No. } }\n";
const MORE: &str = "version: 1\nrules:\n  - { id: more, when: tool.before, command: other, then: { deny: No. } }\n";

impl TestHome {
    fn new() -> Self {
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let home = Self(std::env::temp_dir().join(format!("ruleward-cache-{}-{number}", std::process::id())));
        fs::create_dir_all(home.0.join(".config/ruleward")).unwrap();
        home.write("policy.yaml", STRICT);
        home.write("more.yaml", MORE);
        home
    }

    fn write(&self, name: &str, text: &str) {
        fs::write(self.0.join(".config/ruleward").join(name), text).unwrap();
    }

    fn load(&self, project: Option<&str>) -> LoadedPolicy {
        let home = self.0.to_str().unwrap().to_owned();
        let surroundings = Platform::new(OsFamily::Unix, Some(home), [].into());
        let (surroundings, hosts, trust) = (&surroundings, &host_names(), TrustBasis::Records);
        load(&LoadRequest { platform: surroundings, project, explicit_files: &[], hosts, trust, use_cache: true })
    }

    fn cache(&self) -> PathBuf {
        self.0.join(".local/state/ruleward/policies")
    }

    /// Returns the one entry that there is.
    fn entry(&self) -> PathBuf {
        let entries = fs::read_dir(self.cache()).unwrap().map(|entry| entry.unwrap().path());
        let entries: Vec<PathBuf> = entries.filter(|path| !path.ends_with("key")).collect();
        assert_eq!(entries.len(), 1, "{entries:?}");
        entries[0].clone()
    }

    /// Loads, and tells whether that was from an entry. The rules are the same either way.
    fn is_warm(&self) -> bool {
        let loaded = self.load(None);
        assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
        let plain = loaded.policy.rules.iter().map(|active| active.rule.id.as_str());
        let stored = loaded.policy.compiled_rules.iter().map(|(packed, ..)| packed.id.as_ref());
        assert_eq!(plain.chain(stored).collect::<Vec<_>>(), ["strict", "more"]);
        !loaded.policy.compiled_rules.is_empty()
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        let _gone = fs::remove_dir_all(&self.0);
    }
}

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

#[test]
fn the_second_load_reads_no_yaml_and_says_the_same() {
    let home = TestHome::new();
    assert!(!home.is_warm());
    assert!(home.is_warm());
    assert_eq!(fs::metadata(home.cache()).unwrap().permissions().mode() & 0o777, 0o700);
    assert_eq!(fs::metadata(home.entry()).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(fs::metadata(home.cache().join("key")).unwrap().permissions().mode() & 0o777, 0o600);
    let warm = home.load(None).policy;
    let rules: Vec<_> = warm.compiled_rules.iter().map(|(packed, ..)| packed.decode().unwrap()).collect();
    fs::remove_dir_all(home.cache()).unwrap();
    let cold = home.load(None).policy;
    assert_eq!(rules, cold.rules.iter().map(|active| active.rule.clone()).collect::<Vec<_>>());
    assert_eq!(
        (warm.on_error, warm.audit, warm.bundled_rules.len()),
        (cold.on_error, cold.audit, cold.bundled_rules.len())
    );
}

#[test]
fn no_changed_byte_and_no_shortened_entry_is_believed() {
    let home = TestHome::new();
    assert!(!home.is_warm());
    let entry = home.entry();
    let whole = fs::read(&entry).unwrap();
    for at in (0..whole.len()).step_by(7) {
        let mut changed = whole.clone();
        changed[at] ^= 1 << (at % 8);
        fs::write(&entry, &changed).unwrap();
        assert!(!home.is_warm(), "byte {at}");
    }
    for length in (0..whole.len()).step_by(31) {
        fs::write(&entry, &whole[..length]).unwrap();
        assert!(!home.is_warm(), "{length} bytes");
    }
    fs::write(&entry, [whole.as_slice(), b"x"].concat()).unwrap();
    assert!(!home.is_warm());
    assert!(home.is_warm());
}

#[test]
fn another_policys_entry_and_another_persons_are_not_believed() {
    let (home, lax) = (TestHome::new(), TestHome::new());
    assert!(!home.is_warm());
    let entry = home.entry();
    lax.write("policy.yaml", "version: 1\ndefaults: none\n");
    lax.load(None);
    let foreign = fs::read(lax.entry()).unwrap();
    fs::write(&entry, &foreign).unwrap();
    assert!(!home.is_warm());
    // Sealed with the person's own key, and yet of other files.
    home.write("policy.yaml", "version: 1\ndefaults: none\n");
    fs::remove_file(&entry).unwrap();
    home.load(None);
    let other = fs::read(home.entry()).unwrap();
    fs::remove_file(home.entry()).unwrap();
    home.write("policy.yaml", STRICT);
    fs::write(&entry, &other).unwrap();
    assert!(!home.is_warm());
    // With the stranger's key beside the stranger's entry, the name still says another text.
    fs::copy(lax.cache().join("key"), home.cache().join("key")).unwrap();
    fs::write(&entry, &foreign).unwrap();
    assert!(!home.is_warm());
}

#[test]
fn what_others_could_have_written_is_not_believed() {
    let home = TestHome::new();
    assert!(!home.is_warm());
    let (cache, entry, key) = (home.cache(), home.entry(), home.cache().join("key"));
    for (path, open, closed) in [(&entry, 0o606, 0o600), (&entry, 0o620, 0o600), (&key, 0o622, 0o600)] {
        set_mode(path, open);
        assert!(!home.is_warm(), "{path:?} {open:o}");
        set_mode(path, closed);
        home.is_warm();
        assert!(home.is_warm());
    }
    set_mode(&cache, 0o777);
    assert!(!home.is_warm());
    assert!(!home.is_warm());
    set_mode(&cache, 0o700);
    assert!(home.is_warm());
    let aside = home.0.join("aside");
    fs::rename(&entry, &aside).unwrap();
    symlink(&aside, &entry).unwrap();
    assert!(!home.is_warm());
    let moved = home.0.join("moved");
    fs::rename(&cache, &moved).unwrap();
    symlink(&moved, &cache).unwrap();
    assert!(!home.is_warm());
}

#[test]
fn a_change_in_any_file_is_seen_at_once() {
    let home = TestHome::new();
    assert!(!home.is_warm());
    assert!(home.is_warm());
    home.write("more.yaml", &MORE.replace("No.", "Never."));
    assert!(!home.is_warm());
    assert!(home.is_warm());
    home.write("policy.yaml", &STRICT.replace("No.", "Never."));
    assert!(!home.is_warm());
    fs::remove_file(home.0.join(".config/ruleward/more.yaml")).unwrap();
    assert!(home.load(None).has_errors());
    home.write("more.yaml", "version: 1\nrules: [{ id: more }]\n");
    assert!(home.load(None).has_errors());
    assert!(home.load(None).has_errors(), "a mistake is found again");
}

#[test]
fn a_projects_policy_may_not_do_more_for_having_been_read_before() {
    let home = TestHome::new();
    let project = home.0.join("project");
    fs::create_dir_all(project.join(".ruleward")).unwrap();
    let text = "version: 1\nrules:\n  - { id: p, when: tool.before, command: x, then: { allow: Yes., warn: Hm. } }\n";
    fs::write(project.join(".ruleward/policy.yaml"), text).unwrap();
    let project = project.to_str().unwrap();
    let rule =
        |loaded: &LoadedPolicy| loaded.policy.rules.iter().find(|active| active.rule.id == "p").cloned().unwrap();
    let cold = rule(&home.load(Some(project)));
    let warm = rule(&home.load(Some(project)));
    assert_eq!(cold, warm);
    assert!(warm.rule.then.allow.is_none());
    assert_ne!(warm.withheld_effects, Effects::default());
}

#[test]
fn a_place_that_cannot_be_written_is_passed_over_in_silence() {
    let home = TestHome::new();
    fs::write(home.0.join(".local"), "a file").unwrap();
    assert!(!home.is_warm());
    assert!(!home.is_warm());
    let moving = TestHome::new();
    moving.write("policy.yaml", &STRICT.replace("./more.yaml", "../ruleward/more.yaml"));
    assert!(!moving.is_warm());
    assert!(!moving.is_warm(), "where the path leads is a matter of links");
}
