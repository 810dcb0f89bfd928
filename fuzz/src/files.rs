//! Bytes as files: what is remembered, what was read before, and the hosts' settings.

use ruleward::Environment;
use ruleward::StateContext;
use ruleward::domain::state::MemoryStore;
use ruleward::explain;
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use ruleward::adapters::registration::inspect::inspect;
use ruleward::adapters::{HOSTS, host_names, parse_payload, read_event};
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::state_requirements::StateRequirements;
use ruleward::domain::state::keys::StateKeys;
use ruleward::domain::state::{State, StateStore, TransactionScope};
use ruleward::domain::text::path::PathContext;
use ruleward::domain::time::Time;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::compiled;
use ruleward::io::policy::load::{LoadRequest, load};
use ruleward::io::settings::{self, SettingsDocument};
use ruleward::io::state::SqliteStore;
use ruleward::io::suite;
use ruleward::io::trust::TrustBasis;
use serde_json::{Value, json};

/// A policy that goes by everything that can be remembered.
const STATEFUL_POLICY: &str = "version: 1
gates:
  - id: reviewed
    starts: closed
    opens: [{ when: tool.before, command: review, for: 10 minutes }]
    closes: [{ when: tool.before, command: edit, for: 3 turns }]
  - id: known
    starts: open
    per: file
    closes: [{ when: tool.before, files: { access: [write], paths: ['**'] }, for: 2 calls }]
rules:
  - { id: gate, when: tool.before, gate: { reviewed: open }, then: { warn: '{{ gate.seconds }}' } }
  - id: counts
    when: tool.before
    if: session.calls + project.calls + day.calls + session.tokens.total + session.turns + session.seconds > 7
    then: { deny: '{{ session.calls }} {{ day.commands }} {{ project.denials }}' }
";

/// A directory of this process, which the system clears away in time.
fn scratch_directory(name: &str) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let number: String = thread.chars().filter(char::is_ascii_digit).collect();
    let directory = std::env::temp_dir().join(format!("ruleward-fuzz-{}-{number}/{name}", std::process::id()));
    fs::create_dir_all(&directory).expect("a directory");
    directory
}

fn load_policy(home: &std::path::Path, warm: bool) -> Policy {
    let home = home.to_str().expect("a path in UTF-8").to_owned();
    let surroundings = Platform::new(OsFamily::Unix, Some(home), [].into());
    let request = LoadRequest {
        platform: &surroundings,
        project: None,
        explicit_files: &[],
        hosts: &host_names(),
        trust: TrustBasis::Records,
        use_cache: warm,
    };
    let loaded = load(&request);
    assert!(!loaded.has_errors(), "{:?}", loaded.diagnostics);
    loaded.policy
}

static POLICY: LazyLock<Policy> = LazyLock::new(|| {
    let home = scratch_directory("remembering");
    fs::create_dir_all(home.join(".config/ruleward")).expect("a directory");
    fs::write(home.join(".config/ruleward/policy.yaml"), STATEFUL_POLICY).expect("a file");
    load_policy(&home, false)
});

fn judge_with_state(state: State, now: Time) -> State {
    let payload = json!({
        "session_id": "s", "cwd": suite::PROJECT, "hook_event_name": "PreToolUse", "tool_name": "Bash",
        "tool_input": { "command": "review && edit > x" },
    });
    let payload = parse_payload(payload.to_string().as_bytes()).expect("a payload");
    let host = HOSTS.first().expect("a host");
    let place: PathContext = suite::test_place(suite::PROJECT);
    let store = MemoryStore::new(state);
    let context = StateContext { store: &store, ..StateContext::stateless(now) };
    let environment = Environment { state: context, ..Environment::isolated(&place) };
    explain(host, &payload, &POLICY, &environment).expect("a payload that is read");
    store.state()
}

/// As the bodies of records: whatever they say, an event is judged by them, at any time.
pub(crate) fn state(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let state = State {
        session: serde_json::from_str(&text).unwrap_or_default(),
        project: serde_json::from_str(&text).unwrap_or_default(),
        day: serde_json::from_str(&text).unwrap_or_default(),
        ..State::default()
    };
    for now in [0, 1_800_000_000, u64::MAX] {
        let after = judge_with_state(state.clone(), Time(now));
        let _again = judge_with_state(after, Time(now / 2));
    }
}

/// As the database itself: used, or refused for a reason, and never believed half.
pub(crate) fn database(bytes: &[u8]) {
    if let Err(why) = read_database(bytes) {
        assert!(!why.is_empty(), "refused for no reason");
    }
}

/// Returns what an event is told of what these bytes, as the database, remember.
pub(crate) fn read_database(bytes: &[u8]) -> Result<State, String> {
    let path = scratch_directory("database").join("state.db");
    for ending in ["db-wal", "db-shm", "lock"] {
        let _gone = fs::remove_file(path.with_extension(ending));
    }
    fs::write(&path, bytes).expect("a file");
    let place: PathContext = suite::test_place(suite::PROJECT);
    let payload = parse_payload(br#"{"hook_event_name":"SessionEnd","session_id":"s"}"#).expect("a payload");
    let event = read_event(HOSTS.first().expect("a host"), &payload, &ArgumentNames::default()).expect("an event");
    let keys = StateKeys::for_event(&event, &place, Time(0));
    let visit = TransactionScope {
        keys: &keys,
        scopes: StateRequirements::of(&POLICY).scopes_at(ruleward::domain::event::kind::Kind::ToolBefore),
        now: Time(0),
    };
    let store = SqliteStore::new(Some(path), Duration::from_millis(50));
    let transaction = store.begin(&visit).map_err(|error| error.to_string())?;
    let loaded = transaction.state().clone();
    // Stored again as well, as a call would.
    transaction.commit(judge_with_state(loaded.clone(), Time(0))).map_err(|error| error.to_string())?;
    Ok(loaded)
}

/// As what was read before: not believed without its seal; and decoded, were it believed, without a panic.
pub(crate) fn cache(bytes: &[u8]) {
    static HOME: LazyLock<PathBuf> = LazyLock::new(|| {
        let home = scratch_directory("cache");
        fs::create_dir_all(home.join(".config/ruleward")).expect("a directory");
        let text = "version: 1\nrules: [{ id: own, when: tool.before, command: x, then: { deny: No. } }]\n";
        fs::write(home.join(".config/ruleward/policy.yaml"), text).expect("a file");
        load_policy(&home, true);
        home
    });
    // A key of its own for each input: a fuzzer that watches comparisons reads the seal that is wanted out of them,
    // which nobody else can.
    static KEYS: AtomicU64 = AtomicU64::new(0);
    let key = KEYS.fetch_add(1, Ordering::Relaxed).to_le_bytes().repeat(4);
    for entry in fs::read_dir(HOME.join(".local/state/ruleward/policies")).expect("entries").flatten() {
        let is_key = entry.path().ends_with("key");
        fs::write(entry.path(), if is_key { &key } else { bytes }).expect("an entry");
    }
    let policy = load_policy(&HOME, true);
    assert_eq!(policy.rules.len(), 1, "the entry was believed");
    if let Ok(parts) = compiled::decode(bytes) {
        for part in parts {
            let _packed = part.compiled_rules();
        }
    }
}

/// As the settings of each host: hooks are put in and taken out, and nothing else of them changes.
pub(crate) fn settings(bytes: &[u8]) {
    let path = scratch_directory("settings").join("settings.json");
    fs::write(&path, bytes).expect("a file");
    for (host, comments) in HOSTS.iter().zip([false, true, true]) {
        let Ok(settings) = SettingsDocument::open(&path, comments) else { continue };
        let _faults = inspect(host, &settings.value());
        let before = settings.value();
        let entry = json!({ "type": "command", "command": "ruleward hook fuzz" });
        let is_ours = |entry: &Value| entry["command"] == "ruleward hook fuzz";
        if settings.remove_hooks(&is_ours) > 0 || settings.add_hook("SomeEvent", &entry).is_err() {
            continue;
        }
        let text = settings.edited_text().expect("a text");
        let with = settings::parse_settings(&text, comments).expect("what was written can be read");
        assert_eq!(without_empty(without_ours(with)), without_empty(before), "something else has changed");
        assert_eq!(settings.remove_hooks(&is_ours), 1);
    }
}

/// Returns settings without the hook that was put in last.
fn without_ours(mut settings: Value) -> Value {
    let groups = settings["hooks"]["SomeEvent"].as_array_mut().expect("groups");
    groups.pop();
    settings
}

/// Returns settings without places for hooks in which there are none.
fn without_empty(mut settings: Value) -> Value {
    let Some(fields) = settings.as_object_mut() else { return settings };
    if let Some(hooks) = fields.get_mut("hooks").and_then(Value::as_object_mut) {
        hooks.retain(|event, groups| event != "SomeEvent" || *groups != json!([]));
        if hooks.is_empty() {
            fields.remove("hooks");
        }
    }
    settings
}
