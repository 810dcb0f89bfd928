//! The machine behind all gates, against a model that keeps nothing but what has happened.

use proptest::prelude::*;
use ruleward::adapters::{Host, NeutralEvent, compose_payload};
use ruleward::domain::event::kind::Kind;
use ruleward::domain::facts::memory::GateStatus;
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::state_requirements::StateRequirements;
use ruleward::domain::state::{MemoryStore, State};
use ruleward::domain::text::path::PathContext;
use ruleward::domain::time::Time;
use ruleward::io::platform::{OsFamily, Platform};
use ruleward::io::policy::load::{LoadRequest, load};
use ruleward::io::trust::TrustBasis;
use ruleward::{Environment, StateContext, explain};

/// What happens.
#[derive(Debug, Clone, Copy)]
enum GateEvent {
    Open,
    Close,
    Both,
    Prompt,
    Call,
    Wait(u64),
}

/// What has happened so far.
#[derive(Debug, Clone, Copy, Default)]
struct Model {
    turns: u64,
    calls: u64,
    now: u64,
    opened: Option<(u64, u64, u64)>,
}

impl Model {
    fn step(&mut self, step: GateEvent) {
        match step {
            GateEvent::Open => self.opened = Some((self.turns, self.calls, self.now)),
            GateEvent::Close | GateEvent::Both => self.opened = None,
            GateEvent::Prompt => self.turns += 1,
            GateEvent::Call => self.calls += 1,
            GateEvent::Wait(seconds) => self.now += seconds,
        }
    }

    fn is_open(&self, gate: &str) -> bool {
        self.opened.is_some_and(|(turns, calls, time)| match gate {
            "turns" => self.turns < turns + 2,
            "calls" => self.calls <= calls + 3,
            "time" => self.now < time + 60,
            _ => true,
        })
    }
}

fn policy() -> Policy {
    let surroundings = Platform::new(OsFamily::Unix, None, [].into());
    let chosen = [concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/machine.yaml").to_owned()];
    let trust = TrustBasis::Assumed;
    let loaded = load(&LoadRequest {
        platform: &surroundings,
        project: None,
        explicit_files: &chosen,
        hosts: &[],
        trust,
        use_cache: false,
    });
    assert!(loaded.diagnostics.is_empty());
    loaded.policy
}

/// Plays one step.
fn apply_step(policy: &Policy, state: State, step: GateEvent, now: Time) -> State {
    let (kind, command) = match step {
        GateEvent::Open => (Kind::ToolAfter, "open"),
        GateEvent::Close => (Kind::ToolAfter, "close"),
        GateEvent::Both => (Kind::ToolAfter, "open && close"),
        GateEvent::Call => (Kind::ToolBefore, "ls"),
        GateEvent::Prompt => (Kind::PromptSubmit, ""),
        GateEvent::Wait(_) => return state,
    };
    let host = Host::by_name("claude").unwrap();
    let mut asked = NeutralEvent::new(kind, "/p");
    asked.command = (kind != Kind::PromptSubmit).then(|| command.to_owned());
    asked.prompt = Some("go on".to_owned());
    let payload = compose_payload(host, &asked).unwrap();
    let place = PathContext { cwd: "/p".into(), ..PathContext::default() };
    let store = MemoryStore::new(state);
    let context = StateContext { store: &store, ..StateContext::stateless(now) };
    let environment = Environment { state: context, ..Environment::isolated(&place) };
    explain(host, &payload, policy, &environment).unwrap();
    store.state()
}

fn steps() -> impl Strategy<Value = Vec<GateEvent>> {
    let step = prop_oneof![
        Just(GateEvent::Open),
        Just(GateEvent::Close),
        Just(GateEvent::Both),
        Just(GateEvent::Prompt),
        Just(GateEvent::Call),
        (1..50_u64).prop_map(GateEvent::Wait),
    ];
    proptest::collection::vec(step, 0..24)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn gates_stand_as_the_model_says(steps in steps()) {
        let policy = policy();
        let mut turned = policy.clone();
        turned.gates.reverse();
        prop_assert_eq!(StateRequirements::of(&policy), StateRequirements::of(&turned));
        let mut model = Model::default();
        let (mut state, mut other) = (State::default(), State::default());
        for step in steps {
            model.step(step);
            let now = Time(model.now);
            state = apply_step(&policy, state, step, now);
            other = apply_step(&turned, other, step, now);
            prop_assert_eq!(&state, &other, "the order of gates changes nothing");
            for active in &policy.gates {
                let expected = if model.is_open(&active.gate.id) { GateStatus::Open } else { GateStatus::Closed };
                prop_assert_eq!(state.gate_status(active, now), expected, "{} after {:?}", active.gate.id, step);
            }
            let stored = serde_json::to_string(&state.session).unwrap();
            prop_assert_eq!(serde_json::from_str::<ruleward::domain::state::SessionRecord>(&stored).unwrap(), state.session.clone());
        }
    }
}
