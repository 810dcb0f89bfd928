//! A policy in force: the rules of all layers, and the settings that they agree on.
//!
//! Layers only ever add. A rule is turned down or off by the layer that brought it or by one above
//! it, never from below; of a setting, the strictest word of those entitled to speak stands. What
//! a cloned repository brings (project and local layers) can tighten and can neither relax nor
//! approve anything, until a person trusts it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::effect::Effects;
use super::gate::{ActiveGate, Gate};
use super::guard::Packed;
use super::kind::Moments;
pub use super::layer::{Layer, Trust};
use super::leak::Quieting;
use super::rule::{Mode, Rule};
use super::secret::Own;
use super::secret::entry::Entry;
use super::state::Uses;
use super::tool::Arguments;
use super::want::{Want, wants};

/// What the program does when it cannot judge a call: a broken policy, an error of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum OnError {
    /// The call goes ahead.
    Allow,
    /// A person is asked.
    Ask,
    /// The call is refused.
    #[default]
    Deny,
}

/// What becomes of `ask` where the host cannot put the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AskFallback {
    /// The call goes ahead, and the person is told.
    Allow,
    /// The call is refused.
    #[default]
    Deny,
}

/// What is recorded in the audit log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum AuditLevel {
    /// Nothing.
    Off,
    /// What rules ask for: their `audit` effect, and what a rule on trial would have done.
    Rules,
    /// Beside that, every event of which something was said.
    #[default]
    Decisions,
    /// Every event.
    Everything,
}

impl AuditLevel {
    /// Returns the level's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Rules => "rules",
            Self::Decisions => "decisions",
            Self::Everything => "everything",
        }
    }
}

/// The settings of one policy file. What is not given is left to the layers below.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize)]
pub struct Settings {
    /// What follows when a call cannot be judged.
    pub on_error: Option<OnError>,
    /// What follows when what is remembered cannot be read or kept.
    pub on_state_error: Option<OnError>,
    /// What becomes of `ask` where the host cannot put the question.
    pub ask_fallback: Option<AskFallback>,
    /// Whether a person sits at the host, on hosts that do not say.
    pub interactive: Option<bool>,
    /// Whether the bundled default policy applies.
    pub defaults: Option<bool>,
    /// What is recorded in the audit log.
    pub audit: Option<AuditLevel>,
}

/// An order to turn rules down, by id or glob.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Disable {
    /// The rule's id, or a glob over ids (`db-*`).
    pub rule: String,
    /// Why, for those who read the policy.
    pub reason: String,
    /// Off altogether, or only recording what it would have done.
    #[serde(default)]
    pub to: DisabledTo,
}

impl Disable {
    /// Tells whether the order is about a rule.
    pub fn covers(&self, id: &str) -> bool {
        fast_glob::glob_match(&self.rule, id)
    }
}

/// What a rule is turned down to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum DisabledTo {
    /// The rule is not judged.
    #[default]
    Off,
    /// The rule only records what it would have done.
    Monitor,
}

/// One file's worth of policy, read and checked.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The layer it belongs to.
    pub layer: Layer,
    /// The file or the bundled pack it comes from, for people.
    pub source: String,
    /// Its settings.
    pub settings: Settings,
    /// What it says is no leak.
    pub quieting: Quieting,
    /// The names of arguments that it adds.
    pub arguments: Arguments,
    /// The detectors of secrets that it adds.
    pub detectors: Vec<Entry>,
    /// Its rules.
    pub rules: Vec<Rule>,
    /// Its rules that were stored, and are decoded when they are needed.
    pub packed: Vec<Packed>,
    /// Its gates, whose rules stand among the others.
    pub gates: Vec<Gate>,
    /// What it turns down.
    pub disable: Vec<Disable>,
}

/// A rule in force.
#[derive(Debug, Clone, PartialEq)]
pub struct Active {
    /// The rule.
    pub rule: Rule,
    /// The layer that brought it.
    pub layer: Layer,
    /// The file or pack it stands in.
    pub source: String,
    /// The effects that are left out until a person trusts the project.
    pub withheld: Effects,
}

/// A rule that an order has turned down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnedDown {
    /// The rule's id.
    pub rule: String,
    /// The layer that brought it.
    pub layer: Layer,
    /// The file or pack it stands in.
    pub source: String,
    /// What is left of it.
    pub to: DisabledTo,
    /// The layer that gave the order.
    pub by: Layer,
    /// The file that the order stands in.
    pub by_source: String,
    /// The rule, or the glob, as the order names it.
    pub order: String,
    /// Why.
    pub reason: String,
}

/// A policy in force.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// The rules of all layers but the bundled one.
    pub rules: Vec<Active>,
    /// The stored rules of all layers but the bundled one, how they are to act, and their layer.
    pub packed: Vec<(Packed, Mode, Layer)>,
    /// The gates of all layers.
    pub gates: Vec<ActiveGate>,
    /// The rules of the bundled layer, and how they are to act.
    pub bundled: Vec<(&'static Packed, Mode)>,
    /// What follows when a call cannot be judged.
    pub on_error: OnError,
    /// What follows when what is remembered cannot be read or kept.
    pub on_state_error: OnError,
    /// What becomes of `ask` where the host cannot put the question.
    pub ask_fallback: AskFallback,
    /// Whether a person sits at the host, on hosts that do not say.
    pub interactive: bool,
    /// What is recorded in the audit log.
    pub audit: AuditLevel,
    /// The names of arguments that all layers add to the known ones. Any layer may add: what a
    /// name makes visible to the rules can only tighten.
    pub arguments: Arguments,
    /// What each layer says is no leak. It excuses findings of the rules that the layer has a say over.
    pub quieting: Vec<(Layer, Quieting)>,
    /// The detectors of secrets that all layers add; of two with one id, that of the higher layer.
    pub detectors: Own,
    /// The rules that are turned down, and by whom.
    pub turned_down: Vec<TurnedDown>,
    /// What layers asked for and were not entitled to.
    pub notices: Vec<String>,
    /// What the project's policy asks for that counts only when a person trusts it.
    pub wants: Vec<Want>,
}

impl Policy {
    /// Stacks the parts on the bundled rules.
    pub fn stack(mut parts: Vec<Part>, bundled: &'static [Packed]) -> Self {
        parts.sort_by_key(|part| std::cmp::Reverse(part.layer.authority()));
        let mut policy = Self {
            on_error: strictest(&parts, |settings| settings.on_error),
            on_state_error: strictest(&parts, |settings| settings.on_state_error),
            ask_fallback: strictest(&parts, |settings| settings.ask_fallback),
            audit: strictest(&parts, |settings| settings.audit),
            interactive: speaker(&parts, |settings| settings.interactive).unwrap_or_default(),
            ..Self::default()
        };
        policy.wants = parts.iter().filter(|part| part.layer.is_of_project()).flat_map(wants).collect();
        let mut detectors: Vec<Entry> = Vec::new();
        for part in &mut parts {
            policy.arguments.extend(std::mem::take(&mut part.arguments));
            for entry in std::mem::take(&mut part.detectors) {
                if detectors.iter().all(|known| known.id != entry.id) {
                    detectors.push(entry);
                }
            }
            let quieting = std::mem::take(&mut part.quieting);
            policy.quieting.extend((quieting != Quieting::default()).then_some((part.layer, quieting)));
        }
        policy.detectors = Own::new(detectors);
        let orders: Vec<(Layer, String, Vec<Disable>)> =
            parts.iter_mut().map(|part| (part.layer, part.source.clone(), std::mem::take(&mut part.disable))).collect();
        for packed in bundled {
            let asked = Asked { id: &packed.id, mode: Mode::Enforce, layer: Layer::Bundled, source: &packed.source };
            if let Some(mode) = policy.mode_of(asked, &orders) {
                policy.bundled.push((packed, mode));
            }
        }
        for part in parts {
            let in_force = |gate| ActiveGate { gate, layer: part.layer, source: part.source.clone() };
            policy.gates.extend(part.gates.into_iter().map(in_force));
            for packed in part.packed {
                let asked = Asked { id: &packed.id, mode: Mode::Enforce, layer: part.layer, source: &packed.source };
                if let Some(mode) = policy.mode_of(asked, &orders) {
                    policy.packed.push((packed, mode, part.layer));
                }
            }
            for rule in part.rules {
                let (layer, source) = (part.layer, part.source.clone());
                policy.add(Active { rule, layer, source, withheld: Effects::default() }, &orders);
            }
        }
        policy
    }

    /// Returns the same policy with all its rules decoded, for whoever judges many events by it.
    ///
    /// # Errors
    /// Returns that the program was built wrongly.
    pub fn unpacked(mut self) -> Result<Self, String> {
        let own = std::mem::take(&mut self.packed);
        let own = own.iter().map(|(packed, mode, layer)| (packed, *mode, *layer));
        let bundled = std::mem::take(&mut self.bundled);
        let bundled = bundled.iter().map(|(packed, mode)| (*packed, *mode, Layer::Bundled));
        for (packed, mode, layer) in own.chain(bundled) {
            let mut rule = packed.rule()?;
            rule.mode = mode.max(rule.mode);
            let source = packed.source.to_string();
            self.rules.push(Active { rule, layer, source, withheld: Effects::default() });
        }
        Ok(self)
    }

    /// Returns the moments at which some rule looks, or something is remembered.
    pub fn moments(&self) -> Moments {
        let stored = self.packed.iter().map(|(packed, ..)| packed.guard.moments());
        let own = self.rules.iter().map(|active| active.rule.moments()).chain(stored);
        let bundled = self.bundled.iter().map(|(packed, _)| packed.guard.moments());
        own.chain(bundled).fold(Uses::of(self).moments(), Moments::or)
    }

    fn add(&mut self, mut active: Active, orders: &[(Layer, String, Vec<Disable>)]) {
        let Active { rule, layer, source, .. } = &active;
        let asked = Asked { id: &rule.id, mode: rule.mode, layer: *layer, source };
        let Some(mode) = self.mode_of(asked, orders) else { return };
        active.rule.mode = mode;
        if !active.layer.is_trusted() {
            active.withheld = active.rule.then.withhold();
        }
        self.rules.push(active);
    }

    /// Returns the mode that is left to a rule when all orders are heard; `None` when it is off.
    fn mode_of(&mut self, asked: Asked<'_>, orders: &[(Layer, String, Vec<Disable>)]) -> Option<Mode> {
        let Asked { id, mut mode, layer, source: of } = asked;
        for (by, source, disables) in orders {
            let Some(disable) = disables.iter().find(|disable| disable.covers(id)) else { continue };
            if !by.governs(layer) {
                self.refuse_order(*by, source, disable, layer);
                continue;
            }
            self.turned_down.push(TurnedDown {
                rule: id.to_owned(),
                layer,
                source: of.to_owned(),
                to: disable.to,
                by: *by,
                by_source: source.clone(),
                order: disable.rule.clone(),
                reason: disable.reason.clone(),
            });
            match disable.to {
                DisabledTo::Off => return None,
                DisabledTo::Monitor => mode = Mode::Monitor,
            }
        }
        Some(mode)
    }

    /// Notes that a layer has no say over a rule. What trust would change is said elsewhere.
    fn refuse_order(&mut self, by: Layer, source: &str, disable: &Disable, layer: Layer) {
        if by.with_trust(Trust::Given).governs(layer) {
            return;
        }
        let (by, layer) = (by.name(), layer.name());
        let notice =
            format!("{source}: the {by} layer cannot turn down `{}`, which the {layer} layer brought", disable.rule);
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

/// A rule of which the orders are asked.
#[derive(Clone, Copy)]
struct Asked<'a> {
    id: &'a str,
    mode: Mode,
    layer: Layer,
    source: &'a str,
}

/// Returns what the highest trusted layer says.
fn speaker<T>(parts: &[Part], setting: impl Fn(&Settings) -> Option<T>) -> Option<T> {
    parts.iter().filter(|part| part.layer.is_trusted()).find_map(|part| setting(&part.settings))
}

/// Returns what the highest trusted layer says, or a stricter word of any layer below it.
fn strictest<T: Ord + Copy + Default>(parts: &[Part], setting: impl Fn(&Settings) -> Option<T>) -> T {
    let floor = speaker(parts, &setting).unwrap_or_default();
    parts.iter().filter_map(|part| setting(&part.settings)).fold(floor, T::max)
}

/// Tells whether the bundled default policy applies beside the given parts.
pub fn wants_defaults<'a>(parts: impl Iterator<Item = &'a Part>) -> bool {
    let mut sorted: Vec<&Part> = parts.filter(|part| part.layer.is_trusted()).collect();
    sorted.sort_by_key(|part| std::cmp::Reverse(part.layer.authority()));
    sorted.iter().find_map(|part| part.settings.defaults).unwrap_or(true)
}
