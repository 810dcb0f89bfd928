//! One payload judged: the path that the hook, `check` and `test` share.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use super::cached::Cached;
use super::guard::{self, Looked};
use super::hosts::Here;
use super::runs::{Heard, Round};
use super::shown::Shown;
use super::trust;
use crate::adapters::{Answer, Host, Manner, Payload, Unreadable, read, rewritten_payload};
use crate::domain::decide::{Outcome, decide};
use crate::domain::effect::{EffectKind, Effects};
use crate::domain::event::Event;
use crate::domain::exception::{essence, in_the_way};
use crate::domain::facts::Facts;
use crate::domain::kind::Kind;
use crate::domain::leak::{Known, Reader, Reign};
use crate::domain::path::Place;
use crate::domain::policy::{OnError, Policy};
use crate::domain::ran::{Ended, Runner, refuses};
use crate::domain::redaction::Stream;
use crate::domain::remember;
use crate::domain::rule::Severity;
use crate::domain::run::Planned;
use crate::domain::scripts::Machine;
use crate::domain::standing::{Look, Standing};
use crate::domain::state::{
    Forgetful, Keeper, Keys, Reported, Spent, State, StreamKey, Streams, Time, Tokens, Uses, Visit,
};
use crate::domain::verdict::{Decision, Note, Verdict, texts};
use crate::domain::version::Version;
use crate::domain::witness::Witness;
use crate::io::exceptions::Desk;
use crate::io::machine::ThisMachine;
use crate::io::policy::load::Loaded;
use crate::io::{files, state};

/// What a judgement goes by, besides the payload.
pub(super) struct Bench<'a> {
    /// The host that asks.
    pub host: &'static Host,
    /// The policy in force.
    pub policy: &'a Policy,
    /// Where paths are read from.
    pub place: &'a Place,
    /// Where links lead, and what scripts hold.
    pub machine: &'a dyn Machine,
    /// What is remembered of earlier events, and when the present one is.
    pub memory: Memory<'a>,
    /// Looks at how the hook itself stands, where that can be told.
    pub look: Option<&'a dyn Fn(&Looked<'_>) -> Standing>,
    /// Reads what is known to be no leak, and the files that findings are in.
    pub read: Reader<'a>,
    /// What is wrong with the policy, if something is; it has its own word in every verdict.
    pub broken: Option<String>,
    /// What a person is told when a session starts.
    pub notice: Option<String>,
    /// The host's version, where it is known.
    pub version: Option<Version>,
    /// The name of the record, which stands behind a reason so that people find it.
    pub stamp: Option<String>,
    /// Where exceptions are asked for, if they count.
    pub desk: Option<&'a Desk>,
    /// Who is told what the evaluator sees.
    pub witness: Option<&'a dyn Witness>,
    /// Who carries out what rules have run; without one, it is only said what would run.
    pub runner: Option<&'a dyn Runner>,
}

/// Returns the whole lines of the file at a path behind an offset, and the offset behind them.
type ReadOn = dyn Fn(&str, u64) -> Option<(String, u64)>;

/// What is remembered of earlier events.
pub(super) struct Memory<'a> {
    /// Keeps it.
    pub keeper: &'a dyn Keeper,
    /// When the present event is.
    pub now: Time,
    /// Reads on in a file that a host writes.
    pub read_on: &'a ReadOn,
}

impl Memory<'_> {
    /// Returns a memory that has nothing in it and keeps nothing.
    pub(super) fn none() -> Self {
        Self { keeper: &Forgetful, now: state::now(), read_on: &|_, _| None }
    }
}

/// What came of a payload.
pub(super) struct Judged {
    /// The verdict and the rules behind it.
    pub outcome: Outcome,
    /// What the host is told.
    pub answer: Answer,
    /// The hash of what was done, when something stood in its way that a person may lift.
    pub effect: Option<String>,
}

impl<'a> Bench<'a> {
    /// Returns what a judgement on this machine goes by, with nothing remembered: what a person
    /// tries must leave no trace.
    pub(super) fn here(host: &'static Host, here: &'a Here) -> Self {
        Self {
            host,
            policy: &here.loaded.policy,
            place: &here.place,
            machine: &ThisMachine,
            memory: Memory::none(),
            look: Some(&|looked| guard::here(looked, &[])),
            read: &files::text,
            broken: broken(&here.loaded).or_else(|| here.homeless()),
            notice: trust::notice(&here.loaded),
            version: None,
            stamp: None,
            desk: None,
            witness: None,
            runner: None,
        }
    }
}

impl Bench<'_> {
    /// Judges a payload.
    pub(super) fn judge(&self, payload: &Payload) -> Result<Judged, Unreadable> {
        let event = read(self.host, payload, &self.policy.arguments)?;
        let (mut outcome, shown) = self.remembering(&event)?;
        if let Some(why) = &self.broken {
            let verdict = std::mem::take(&mut outcome.verdict);
            outcome.verdict = verdict.and(for_error(self.policy.on_error, why));
        }
        if let Some(witness) = self.witness {
            witness.judged(&outcome);
        }
        let effect = self.excuse(&event, &mut outcome);
        let mut outcome = self.hear_skipped(&event, outcome)?;
        if let Some(notice) = self.notice.as_ref().filter(|_| event.kind == Kind::SessionStart) {
            let text = format!("ruleward: {notice}");
            outcome.verdict.warn.insert(Note { severity: Reverse(Severity::High), rule: String::new(), text });
        }
        let told = shown.told(self.stamped(&outcome));
        let answer = self.host.answer(&event, told, self.manner());
        Ok(Judged { outcome, answer, effect })
    }

    /// Puts the stamp behind the reasons of what people will ask about.
    fn stamped(&self, outcome: &Outcome) -> Verdict {
        let mut verdict = outcome.verdict.clone();
        if let Some(id) = &self.stamp {
            let refused = !verdict.deny.is_empty() && self.desk.is_some() && in_the_way(outcome).is_some();
            let allow =
                if refused { format!("; a person may let it pass: ruleward allow {id}") } else { String::new() };
            let stamp = format!("(ruleward explain {id}{allow})");
            for notes in [&mut verdict.deny, &mut verdict.ask, &mut verdict.stop] {
                if !notes.is_empty() {
                    // Behind every rule's: there is no rule of such a name.
                    let rule = char::MAX.to_string();
                    notes.insert(Note { severity: Reverse(Severity::Low), rule, text: stamp.clone() });
                }
            }
        }
        verdict
    }

    /// Lets pass what a person has granted an exception for, and returns the hash of what was done
    /// when there is something that a person may lift.
    fn excuse(&self, event: &Event<'_>, outcome: &mut Outcome) -> Option<String> {
        let desk = self.desk?;
        let known = outcome.essence.take();
        let rules = in_the_way(outcome)?;
        // What only a gate or the memory stands in the way of has not been looked at so.
        let looked_at = || essence(&Facts::new(event, self.place, self.machine).with_detectors(&self.policy.detectors));
        let effect = desk.seal(&known.or_else(looked_at)?).ok()?;
        let granted = desk.take(&rules, &effect, event.session.id).unwrap_or_default();
        if !granted.is_empty() {
            outcome.verdict.deny.clear();
            outcome.verdict.ask.clear();
        }
        for id in granted {
            let text = format!("A person let this pass: exception {id}.");
            let note = Note { severity: Reverse(Severity::High), rule: id, text };
            outcome.verdict.audit.insert(note);
        }
        Some(effect)
    }

    /// Judges an event by what is remembered and by what programs say that rules have run. They run
    /// between two looks at what is remembered: the first says which they are, the second is what stays.
    fn remembering(&self, event: &Event<'_>) -> Result<(Outcome, Shown), Unreadable> {
        let (outcome, shown) = self.visiting(event, None)?;
        let Some(runner) = self.runner.filter(|_| !outcome.runs.is_empty()) else { return Ok((outcome, shown)) };
        let heard = self.heard(event, &outcome, runner)?;
        self.visiting(event, Some(&heard))
    }

    /// Has the programs run that an outcome asks for. They look at the call as the rules would have it;
    /// where one of them changes it, the others look at what it has become.
    fn heard(&self, event: &Event<'_>, outcome: &Outcome, runner: &dyn Runner) -> Result<Heard, Unreadable> {
        let refused = refuses(&outcome.verdict);
        let mut heard = self.round(event, &outcome.verdict, runner, &mut |round| round.hear(&outcome.runs, refused))?;
        if refused || refuses(&heard.verdict) || !changes(&heard.verdict) {
            return Ok(heard);
        }
        let changers = changers(&heard.verdict);
        let others: Vec<Planned> =
            outcome.runs.iter().filter(|run| run.awaited && !changers.contains(&run.rule)).cloned().collect();
        let verdict = outcome.verdict.clone().and(heard.verdict.clone());
        let again = self.round(event, &verdict, runner, &mut |round| round.hear(&others, false))?;
        let Verdict { deny, ask, stop, .. } = again.verdict;
        heard.verdict = heard.verdict.and(Verdict { deny, ask, stop, ..Verdict::default() });
        heard.ran.extend(again.ran);
        Ok(heard)
    }

    /// Looks at an event as a verdict would have it.
    fn round(
        &self,
        event: &Event<'_>,
        verdict: &Verdict,
        runner: &dyn Runner,
        hear: &mut dyn FnMut(Round<'_, '_>) -> Heard,
    ) -> Result<Heard, Unreadable> {
        let changed = rewritten_payload(self.host, event, verdict);
        let changed = changed.as_ref().map(|payload| read(self.host, payload, &self.policy.arguments)).transpose()?;
        let known = Known::new(&self.policy.quieting, Reign::Layered, self.place, self.read);
        let facts = self.facts(changed.as_ref().unwrap_or(event), &known);
        Ok(hear(Round { host: self.host, facts: &facts, now: self.memory.now, runner }))
    }

    /// Has the programs run that were left out because of a refusal that a person has lifted since.
    fn hear_skipped(&self, event: &Event<'_>, mut outcome: Outcome) -> Result<Outcome, Unreadable> {
        let Some(runner) = self.runner.filter(|_| outcome.has_skipped() && !refuses(&outcome.verdict)) else {
            return Ok(outcome);
        };
        outcome.runs.retain(|run| run.awaited);
        outcome.ran.retain(|ran| ran.ended != Ended::Skipped);
        let Heard { verdict, ran } = self.heard(event, &outcome, runner)?;
        Ok(outcome.with_runs(verdict, ran))
    }

    /// Judges an event by what is remembered, and remembers it. Where the policy needs none of
    /// that, nothing is opened; where programs are still to run, nothing is kept.
    fn visiting(&self, event: &Event<'_>, heard: Option<&Heard>) -> Result<(Outcome, Shown), Unreadable> {
        let uses = Uses::of(self.policy);
        let scopes = uses.at(event.kind);
        if scopes.is_empty() {
            return self.outcome(event, None, heard).map(|(outcome, _)| (outcome, Shown::AsJudged));
        }
        let now = self.memory.now;
        let visit = Visit { keys: &Keys::of(event, self.place, now), scopes, now };
        let streams = uses.streams_at(event.kind) && self.memory.keeper.keeps();
        let mut judged = None;
        let mut cached = Cached::Nothing;
        let visited = self.memory.keeper.visit(&visit, &mut |mut state| {
            let mut before = None;
            if uses.counted.tokens_at(event.kind) {
                before = Some(state.clone());
                let spent = self.spent(event, &mut state.session.reported);
                state = state.with_spent(&uses, spent);
            }
            match self.outcome(event, Some((&uses, state.clone())), heard) {
                Ok((outcome, _)) if heard.is_none() && self.runner.is_some() && !outcome.runs.is_empty() => {
                    judged = Some(Ok((outcome, Shown::AsJudged)));
                    before.unwrap_or(state)
                }
                Ok((mut outcome, after)) => {
                    let mut after = after.unwrap_or(state);
                    let kept = &mut after.session.streams;
                    let shown = if streams { self.piece(event, kept, &mut outcome) } else { Ok(Shown::AsJudged) };
                    if uses.answers_at(event.kind) && self.memory.keeper.keeps() {
                        cached = self.exchange(event, &mut after.session.exchange, &outcome);
                    }
                    judged = Some(shown.map(|shown| (outcome, shown)));
                    after
                }
                Err(unreadable) => {
                    judged = Some(Err(unreadable));
                    state
                }
            }
        });
        let beginning = || {
            let outcome = self.outcome(event, Some((&uses, State { is_lost: true, ..State::default() })), heard);
            outcome.map(|(outcome, _)| (outcome, Shown::AsJudged))
        };
        let (mut outcome, mut shown) = judged.unwrap_or_else(beginning)?;
        self.answer_again(cached, visit.keys, &mut outcome);
        if let Err(why) = visited {
            shown = Shown::AsJudged;
            let note = for_error(self.policy.on_state_error, &format!("{why}; {MEND}"));
            outcome.verdict = std::mem::take(&mut outcome.verdict).and(note);
        }
        Ok((outcome, shown))
    }

    /// Changes a piece of an answer as one with what was shown and held back before it, and remembers
    /// what the next one needs.
    fn piece(&self, event: &Event<'_>, kept: &mut Streams, outcome: &mut Outcome) -> Result<Shown, Unreadable> {
        let Some(piece) = (self.host.pieces.piece)(event.native) else { return Ok(Shown::AsJudged) };
        let key = StreamKey::new(event.session.id.unwrap_or_default(), &piece.common);
        let known = kept.take(&key);
        let stream = if piece.is_first { Stream::default() } else { known };
        let payload = (self.host.pieces.with_text)(event.native, &stream.text_with(&piece.text));
        let whole = read(self.host, &payload, &self.policy.arguments)?;
        let known = Known::new(&self.policy.quieting, Reign::Layered, self.place, self.read);
        let again = decide(self.policy, &self.facts(&whole, &known));
        let Verdict { redact, replace, .. } = again.verdict;
        let instead = (!replace.is_empty()).then(|| texts(&replace, "\n"));
        let step = stream.step(&piece.text, piece.is_last, &redact, instead.as_deref());
        if let Some(next) = &step.next {
            kept.put(&key, next, self.memory.now);
        }
        (outcome.verdict.redact, outcome.verdict.replace) = (redact, replace);
        let changes = |effects: Effects| effects.contains(EffectKind::Redact) || effects.contains(EffectKind::Replace);
        for finding in again.findings.into_iter().filter(|finding| changes(finding.effects)) {
            if !outcome.findings.contains(&finding) {
                outcome.findings.push(finding);
            }
        }
        Ok(if step.shown == piece.text { Shown::Unchanged } else { Shown::Instead(step.shown) })
    }

    /// Returns what the host's transcripts say was used since they were last read.
    fn spent(&self, event: &Event<'_>, reported: &mut Reported) -> Tokens {
        let mut all = Tokens::default();
        let Some(transcripts) = self.host.transcripts else { return all };
        for path in transcripts.keys.iter().filter_map(|key| event.native.get(*key)?.as_str()) {
            let offset = reported.transcripts.get(path).map_or(0, |mark| mark.offset);
            if let Some((lines, offset)) = (self.memory.read_on)(path, offset) {
                let spent: Vec<Spent> = lines.lines().filter_map(transcripts.spent).collect();
                all = all.and(reported.read(path, offset, &spent));
            }
        }
        all
    }

    /// Judges an event by a state, and returns the state after it.
    fn outcome(
        &self,
        event: &Event<'_>,
        memory: Option<(&Uses, State)>,
        heard: Option<&Heard>,
    ) -> Result<(Outcome, Option<State>), Unreadable> {
        let known = Known::new(&self.policy.quieting, Reign::Layered, self.place, self.read);
        let facts = self.facts(event, &known);
        let Some((uses, state)) = memory else {
            let mut outcome = with_heard(decide(self.policy, &facts), heard);
            self.judge_rewritten(&facts, &mut outcome)?;
            return Ok((outcome, None));
        };
        let mut judged = remember::decide(self.policy, uses, facts, state, self.memory.now);
        judged.outcome = with_heard(judged.outcome, heard);
        self.judge_rewritten(&judged.facts, &mut judged.outcome)?;
        let (outcome, after) = judged.finish(self.policy, uses);
        Ok((outcome, Some(after)))
    }

    fn facts<'f>(&'f self, event: &'f Event<'f>, known: &'f Known<'f>) -> Facts<'f> {
        let facts = Facts::new(event, self.place, self.machine).with_witness(self.witness);
        let facts = facts.with_look(self.look(event));
        facts.with_known(known).with_detectors(&self.policy.detectors)
    }

    fn look(&self, event: &Event<'_>) -> Option<Look<'_>> {
        let (look, project, kind) = (self.look?, self.place.project.as_deref(), event.kind);
        let looked = move || Looked { host: self.host, project, used: self.policy.moments(), kind };
        Some(Look::new(move || look(&looked())))
    }

    fn manner(&self) -> Manner {
        Manner { interactive: self.policy.interactive, ask_fallback: self.policy.ask_fallback, version: self.version }
    }

    /// Holds a changed call or request to the same rules: what a rule makes of a call may be what another
    /// one refuses.
    fn judge_rewritten(&self, facts: &Facts<'_>, outcome: &mut Outcome) -> Result<(), Unreadable> {
        if outcome.verdict.decision() == Some(Decision::Deny) {
            return Ok(());
        }
        let Some(changed) = rewritten_payload(self.host, facts.event, &outcome.verdict) else { return Ok(()) };
        let event = read(self.host, &changed, &self.policy.arguments)?;
        let known = Known::new(&self.policy.quieting, Reign::Layered, self.place, self.read);
        let mut changed = self.facts(&event, &known);
        if let Some(remembered) = facts.remembered() {
            changed = changed.with_remembered(remembered.clone());
        }
        let again = decide(self.policy, &changed);
        let Verdict { mut deny, ask, stop, redact, .. } = again.verdict;
        // What a redaction finds in the changed call would have to be changed once more, and so on.
        let once_more = Verdict { redact, ..Verdict::default() };
        if rewritten_payload(self.host, &event, &once_more).is_some() {
            deny.extend(once_more.redact.rules().into_iter().map(unsettled));
        }
        // A program has seen the call as it was, or as the rules changed it; another call it has not.
        let unseen = |run: &&Planned| run.awaited && outcome.ran.iter().all(|ran| ran.rule != run.rule);
        if outcome.ran.is_empty() {
            let is_new = |known: &Planned| again.runs.iter().all(|run| run.rule != known.rule);
            outcome.runs.retain(is_new);
            outcome.runs.extend(again.runs);
        } else {
            deny.extend(again.runs.iter().filter(unseen).map(|run| unheard(&run.rule)));
        }
        let stricter = Verdict { deny, ask, stop, ..Verdict::default() };
        outcome.verdict = std::mem::take(&mut outcome.verdict).and(stricter);
        for finding in again.findings {
            if !outcome.findings.contains(&finding) {
                outcome.findings.push(finding);
            }
        }
        Ok(())
    }
}

/// Returns why a call is refused that still holds what a rule takes out.
fn unsettled(rule: &str) -> Note {
    let text = format!("What the rule `{rule}` takes out of this call is still there after the call was changed.");
    Note { severity: Reverse(Severity::High), rule: rule.to_owned(), text }
}

/// Returns why a call is refused that a program would have to look at and did not.
fn unheard(rule: &str) -> Note {
    let text = format!("This call was changed into one that the program of the rule `{rule}` has not looked at.");
    Note { severity: Reverse(Severity::High), rule: rule.to_owned(), text }
}

/// Returns an outcome with what programs said.
fn with_heard(outcome: Outcome, heard: Option<&Heard>) -> Outcome {
    match heard {
        Some(Heard { verdict, ran }) => outcome.with_runs(verdict.clone(), ran.clone()),
        None => outcome,
    }
}

/// Tells whether a verdict changes a call.
fn changes(verdict: &Verdict) -> bool {
    !verdict.rewrite.is_empty() || !verdict.redact.is_empty()
}

/// Returns the rules that change a call.
fn changers(verdict: &Verdict) -> BTreeSet<String> {
    let rewriters = verdict.rewrite.values().flatten().map(|proposal| proposal.rule.clone());
    rewriters.chain(verdict.redact.rules().into_iter().map(ToOwned::to_owned)).collect()
}

/// What mends a memory that cannot be used.
const MEND: &str = "a person can see to it with `ruleward state show`, and begin anew with `ruleward state reset`";

/// Returns what is wrong with a policy, if something makes it unusable.
pub(super) fn broken(loaded: &Loaded) -> Option<String> {
    let error = loaded.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("the policy has an error, {error}; a person can see all of them with `ruleward lint`"))
}

/// Returns what is said of something that could not be judged.
pub(super) fn unjudged(on_error: OnError, why: &str) -> String {
    let so = match on_error {
        OnError::Deny => "so it is refused",
        OnError::Ask => "so a person is asked",
        OnError::Allow => "and lets it go ahead, as the policy's `on_error` says",
    };
    format!("ruleward could not judge this, {so}: {why}")
}

/// Returns what an error in the policy comes to.
fn for_error(on_error: OnError, why: &str) -> Verdict {
    let text = unjudged(on_error, why);
    Verdict::unjudged(on_error, Note { severity: Reverse(Severity::Critical), rule: String::new(), text })
}
