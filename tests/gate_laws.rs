//! The machine behind all gates, against a model that keeps nothing but what has happened.

use proptest::prelude::*;
use ruleward::adapters::{Asked, Host, compose, read};
use ruleward::domain::facts::Facts;
use ruleward::domain::gate::Stand;
use ruleward::domain::kind::Kind;
use ruleward::domain::path::Place;
use ruleward::domain::policy::Policy;
use ruleward::domain::remember;
use ruleward::domain::scripts::Bare;
use ruleward::domain::state::{State, Time, Uses};
use ruleward::domain::tool::Arguments;
use ruleward::io::platform::{Surroundings, System};
use ruleward::io::policy::load::{Request, load};
use ruleward::io::trust::Basis;

/// What happens.
#[derive(Debug, Clone, Copy)]
enum Step {
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
    fn step(&mut self, step: Step) {
        match step {
            Step::Open => self.opened = Some((self.turns, self.calls, self.now)),
            Step::Close | Step::Both => self.opened = None,
            Step::Prompt => self.turns += 1,
            Step::Call => self.calls += 1,
            Step::Wait(seconds) => self.now += seconds,
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
    let surroundings = Surroundings { system: System::Unix, home: None, variables: [].into() };
    let chosen = [concat!(env!("CARGO_MANIFEST_DIR"), "/tests/policies/machine.yaml").to_owned()];
    let trust = Basis::Supposed;
    let loaded =
        load(&Request { surroundings: &surroundings, project: None, chosen: &chosen, hosts: &[], trust, warm: false });
    assert!(loaded.diagnostics.is_empty());
    loaded.policy
}

/// Plays one step.
fn play(policy: &Policy, uses: &Uses, state: State, step: Step, now: Time) -> State {
    let (kind, command) = match step {
        Step::Open => (Kind::ToolAfter, "open"),
        Step::Close => (Kind::ToolAfter, "close"),
        Step::Both => (Kind::ToolAfter, "open && close"),
        Step::Call => (Kind::ToolBefore, "ls"),
        Step::Prompt => (Kind::PromptSubmit, ""),
        Step::Wait(_) => return state,
    };
    let host = Host::named("claude").unwrap();
    let mut asked = Asked::at(kind, "/p");
    asked.command = (kind != Kind::PromptSubmit).then(|| command.to_owned());
    asked.prompt = Some("go on".to_owned());
    let payload = compose(host, &asked).unwrap();
    let event = read(host, &payload, &Arguments::default()).unwrap();
    let place = Place { cwd: "/p".into(), ..Place::default() };
    remember::decide(policy, uses, Facts::new(&event, &place, &Bare), state, now).finish(policy, uses).1
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        Just(Step::Open),
        Just(Step::Close),
        Just(Step::Both),
        Just(Step::Prompt),
        Just(Step::Call),
        (1..50_u64).prop_map(Step::Wait),
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
        let uses = Uses::of(&policy);
        prop_assert_eq!(&uses, &Uses::of(&turned));
        let mut model = Model::default();
        let (mut state, mut other) = (State::default(), State::default());
        for step in steps {
            model.step(step);
            let now = Time(model.now);
            state = play(&policy, &uses, state, step, now);
            other = play(&turned, &uses, other, step, now);
            prop_assert_eq!(&state, &other, "the order of gates changes nothing");
            for active in &policy.gates {
                let expected = if model.is_open(&active.gate.id) { Stand::Open } else { Stand::Closed };
                prop_assert_eq!(state.stand(active, now), expected, "{} after {:?}", active.gate.id, step);
            }
            let stored = serde_json::to_string(&state.session).unwrap();
            prop_assert_eq!(serde_json::from_str::<ruleward::domain::state::SessionRecord>(&stored).unwrap(), state.session.clone());
        }
    }
}
