//! A policy in force: the rules of all layers, and their combined settings.
//!
//! Layers only add. A rule can be disabled or only monitored by the layer that it comes from or by one above it,
//! never from below; of a setting, the strictest value of the entitled layers applies. What a cloned repository
//! contains (project and local layers) can make a policy stricter and can neither relax nor approve anything until a
//! user trusts it.

pub mod cache;
pub mod consent;
pub mod counter;
pub mod effects;
pub mod example;
pub mod gate;
pub mod hook;
pub mod host_name;
pub mod limit;
pub mod overlap;
pub mod part;
pub mod prefilter;
pub mod rule;
pub mod run;
pub mod settings;
pub mod state_requirements;

use crate::domain::layer::Layer;
use crate::domain::layer::Trust;
use crate::domain::severity::OnError;
use part::Disable;
use part::DisabledMode;
use part::PolicyPart;
use settings::AskFallback;
use settings::AuditLevel;
use settings::Backups;
use settings::Settings;
use settings::TamperResponse;

use crate::domain::allowlist::Suppressions;
use crate::domain::effect::Effects;
use crate::domain::event::kind::{Kind, KindSet};
use crate::domain::event::tool::ArgumentNames;
use crate::domain::secret::CustomDetectors;
use crate::domain::secret::spec::DetectorSpec;
use crate::domain::severity::Mode;
use consent::{RequiredTrust, required_trust};
use gate::ActiveGate;
use prefilter::{CodecError, CompiledRule};
use rule::Rule;
use state_requirements::StateRequirements;

/// A rule in force.
#[derive(Debug, Clone, PartialEq)]
pub struct ActiveRule {
    /// The rule.
    pub rule: Rule,
    /// The layer that it comes from.
    pub layer: Layer,
    /// The file or pack that defines it.
    pub source: String,
    /// The effects that are withheld until a user trusts the project.
    pub withheld_effects: Effects,
}

/// A disabled rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DisabledRule {
    /// The rule's id.
    pub rule: String,
    /// The layer that it comes from.
    pub layer: Layer,
    /// The file or pack that defines it.
    pub source: String,
    /// The mode that is left.
    pub mode: DisabledMode,
    /// The layer that disables it.
    pub disabled_by: Layer,
    /// The file that disables it.
    pub disabled_in: String,
    /// The id, or the glob, that disables it.
    pub pattern: String,
    /// The reason.
    pub reason: String,
}

/// A policy in force.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Policy {
    /// The rules of all layers except the bundled one.
    pub rules: Vec<ActiveRule>,
    /// The compiled rules of all layers except the bundled one, with their mode and layer.
    pub compiled_rules: Vec<(CompiledRule, Mode, Layer)>,
    /// The gates of all layers.
    pub gates: Vec<ActiveGate>,
    /// The rules of the bundled layer, with their mode.
    pub bundled_rules: Vec<(&'static CompiledRule, Mode)>,
    /// The decision on a call that cannot be judged.
    pub on_error: OnError,
    /// The decision if the state cannot be read or written.
    pub on_state_error: OnError,
    /// The decision instead of `ask` if the host cannot ask the user.
    pub ask_fallback: AskFallback,
    /// Whether a user is present, for hosts that do not report it.
    pub interactive: bool,
    /// What is recorded in the audit log.
    pub audit: AuditLevel,
    /// What happens if a call changes a file that ruleward depends on.
    pub tamper: TamperResponse,
    /// Whether rules may take backups.
    pub backups: Backups,
    /// The names of arguments that all layers add to the known ones. Any layer may add some, since they only make
    /// more visible to the rules.
    pub arguments: ArgumentNames,
    /// The programs that the user and the administrator name as terminals of the user.
    pub terminals: Vec<String>,
    /// The suppressions of each layer. They suppress findings of the rules that the layer may override.
    pub suppressions: Vec<(Layer, Suppressions)>,
    /// The detectors of secrets that all layers add; if two have one id, that of the higher layer.
    pub detectors: CustomDetectors,
    /// The rules that are disabled, and by whom.
    pub disabled_rules: Vec<DisabledRule>,
    /// Notices about what layers asked for without being entitled to it.
    pub notices: Vec<String>,
    /// What the project's policy asks for that only applies once a user trusts it.
    pub required_trust: Vec<RequiredTrust>,
}

/// Returns a notice about each setting of a project's policy that does not count there.
fn ignored_settings(part: &PolicyPart) -> Vec<String> {
    let given = [("tamper", part.settings.tamper.is_some()), ("backups", part.settings.backups.is_some())];
    let ignored = given.iter().filter(|(_, is_given)| *is_given).map(|(key, _)| {
        format!("{}: `{key}` in a project's policy is ignored; set it in the user's or the managed policy", part.source)
    });
    ignored.collect()
}

impl Policy {
    /// Combines the parts with the bundled rules.
    pub fn from_parts(mut parts: Vec<PolicyPart>, bundled: &'static [CompiledRule]) -> Self {
        parts.sort_by_key(|part| std::cmp::Reverse(part.layer.rank()));
        let mut policy = Self {
            on_error: strictest(&parts, |settings| settings.on_error),
            on_state_error: strictest(&parts, |settings| settings.on_state_error),
            ask_fallback: strictest(&parts, |settings| settings.ask_fallback),
            audit: strictest(&parts, |settings| settings.audit),
            interactive: from_highest_trusted(&parts, |settings| settings.interactive).unwrap_or_default(),
            ..Self::default()
        };
        let own = |part: &&PolicyPart| !part.layer.is_project();
        policy.tamper = parts.iter().filter(own).find_map(|part| part.settings.tamper).unwrap_or_default();
        policy.backups = parts.iter().filter(own).find_map(|part| part.settings.backups).unwrap_or_default();
        policy.notices.extend(parts.iter().filter(|part| part.layer.is_project()).flat_map(ignored_settings));
        policy.required_trust = parts.iter().filter(|part| part.layer.is_project()).flat_map(required_trust).collect();
        let mut detectors: Vec<DetectorSpec> = Vec::new();
        for part in &mut parts {
            policy.arguments.extend(std::mem::take(&mut part.arguments));
            policy.add_terminals(part);
            for entry in std::mem::take(&mut part.detectors) {
                if detectors.iter().all(|known| known.id != entry.id) {
                    detectors.push(entry);
                }
            }
            let quieting = std::mem::take(&mut part.suppressions);
            policy.suppressions.extend((quieting != Suppressions::default()).then_some((part.layer, quieting)));
        }
        policy.detectors = CustomDetectors::new(detectors);
        let orders: Vec<(Layer, String, Vec<Disable>)> = parts
            .iter_mut()
            .filter(|part| !part.disable.is_empty())
            .map(|part| (part.layer, part.source.clone(), std::mem::take(&mut part.disable)))
            .collect();
        policy.bundled_rules.reserve(bundled.len());
        for packed in bundled {
            let asked = RuleRef { id: &packed.id, mode: Mode::Enforce, layer: Layer::Bundled, source: &packed.source };
            if let Some(mode) = policy.effective_mode(asked, &orders) {
                policy.bundled_rules.push((packed, mode));
            }
        }
        for part in parts {
            let in_force = |gate| ActiveGate { gate, layer: part.layer, source: part.source.clone() };
            policy.gates.extend(part.gates.into_iter().map(in_force));
            for packed in part.compiled_rules {
                let asked = RuleRef { id: &packed.id, mode: Mode::Enforce, layer: part.layer, source: &packed.source };
                if let Some(mode) = policy.effective_mode(asked, &orders) {
                    policy.compiled_rules.push((packed, mode, part.layer));
                }
            }
            for rule in part.rules {
                let (layer, source) = (part.layer, part.source.clone());
                policy.add_rule(ActiveRule { rule, layer, source, withheld_effects: Effects::default() }, &orders);
            }
        }
        policy
    }

    /// Returns the same policy with all its rules decoded, for a caller that judges many events with it.
    ///
    /// # Errors
    /// Returns an error if the program was built wrongly.
    pub fn with_decoded_rules(mut self) -> Result<Self, CodecError> {
        let own = std::mem::take(&mut self.compiled_rules);
        let own = own.iter().map(|(packed, mode, layer)| (packed, *mode, *layer));
        let bundled = std::mem::take(&mut self.bundled_rules);
        let bundled = bundled.iter().map(|(packed, mode)| (*packed, *mode, Layer::Bundled));
        for (packed, mode, layer) in own.chain(bundled) {
            let mut rule = packed.decode()?;
            rule.mode = mode.max(rule.mode);
            let source = packed.source.to_string();
            self.rules.push(ActiveRule { rule, layer, source, withheld_effects: Effects::default() });
        }
        Ok(self)
    }

    /// Returns the kinds of events at which a rule is evaluated or state changes.
    pub fn kinds(&self) -> KindSet {
        let stored = self.compiled_rules.iter().map(|(packed, ..)| packed.prefilter.kinds());
        let own = self.rules.iter().map(|active| active.rule.kinds()).chain(stored);
        let bundled = self.bundled_rules.iter().map(|(packed, _)| packed.prefilter.kinds());
        own.chain(bundled).fold(StateRequirements::of(self).kinds(), KindSet::union)
    }

    /// Returns whether a rule asks for the proof that a call is harmless. The default policy has no such rule.
    pub fn asks_for_proof(&self) -> bool {
        let asks = |rule: &Rule| rule.conditions.has_in_any_branch(&|it| it.effects.is_some());
        let mut stored = self.compiled_rules.iter().filter_map(|(packed, ..)| packed.decode().ok());
        self.rules.iter().any(|active| asks(&active.rule)) || stored.any(|rule| asks(&rule))
    }

    /// Returns the kinds of events that a hook is registered for: also those at which the check for tampering
    /// compares.
    pub fn registered_kinds(&self) -> KindSet {
        if self.tamper == TamperResponse::Off {
            return self.kinds();
        }
        let compared = [Kind::ToolBefore, Kind::ToolAfter, Kind::ToolFailed, Kind::PromptSubmit, Kind::AgentAfter];
        compared.into_iter().map(KindSet::one).fold(self.kinds(), KindSet::union)
    }

    fn add_rule(&mut self, mut active: ActiveRule, orders: &[(Layer, String, Vec<Disable>)]) {
        let ActiveRule { rule, layer, source, .. } = &active;
        let asked = RuleRef { id: &rule.id, mode: rule.mode, layer: *layer, source };
        let Some(mode) = self.effective_mode(asked, orders) else { return };
        active.rule.mode = mode;
        if !active.layer.is_trusted() {
            active.withheld_effects = active.rule.then.take_untrusted();
        }
        self.rules.push(active);
    }

    /// Returns the mode of a rule after all entries that disable rules; `None` if it is off.
    #[inline]
    fn effective_mode(&mut self, asked: RuleRef<'_>, orders: &[(Layer, String, Vec<Disable>)]) -> Option<Mode> {
        if orders.is_empty() { Some(asked.mode) } else { self.mode_after(asked, orders) }
    }

    fn mode_after(&mut self, asked: RuleRef<'_>, orders: &[(Layer, String, Vec<Disable>)]) -> Option<Mode> {
        let RuleRef { id, mut mode, layer, source: of } = asked;
        for (by, source, disables) in orders {
            let Some(disable) = disables.iter().find(|disable| disable.is_match(id)) else { continue };
            if !by.can_override(layer) {
                self.note_unauthorized_disable(*by, source, disable, layer);
                continue;
            }
            self.disabled_rules.push(DisabledRule {
                rule: id.to_owned(),
                layer,
                source: of.to_owned(),
                mode: disable.to,
                disabled_by: *by,
                disabled_in: source.clone(),
                pattern: disable.rule.clone(),
                reason: disable.reason.clone(),
            });
            match disable.to {
                DisabledMode::Off => return None,
                DisabledMode::Monitor => mode = Mode::Monitor,
            }
        }
        Some(mode)
    }

    /// Adds the terminals of a part whose layer may name some.
    fn add_terminals(&mut self, part: &mut PolicyPart) {
        let terminals = std::mem::take(&mut part.terminals);
        match part.layer {
            _ if terminals.is_empty() => {}
            Layer::Managed | Layer::User => self.terminals.extend(terminals),
            layer => self.notices.push(format!(
                "{}: the {} layer can't set `terminals`; use the user's or the managed policy",
                part.source,
                layer.name()
            )),
        }
    }

    /// Adds a notice that a layer may not override a rule. What trust would change is reported elsewhere.
    fn note_unauthorized_disable(&mut self, by: Layer, source: &str, disable: &Disable, layer: Layer) {
        if by.with_trust(Trust::Trusted).can_override(layer) {
            return;
        }
        let (by, layer) = (by.name(), layer.name());
        let notice = format!("{source}: the {by} layer can't disable `{}`, a rule of the {layer} layer", disable.rule);
        if !self.notices.contains(&notice) {
            self.notices.push(notice);
        }
    }
}

/// A rule that entries may disable.
#[derive(Clone, Copy)]
struct RuleRef<'a> {
    id: &'a str,
    mode: Mode,
    layer: Layer,
    source: &'a str,
}

/// Returns the value of the highest trusted layer.
fn from_highest_trusted<T>(parts: &[PolicyPart], setting: impl Fn(&Settings) -> Option<T>) -> Option<T> {
    parts.iter().filter(|part| part.layer.is_trusted()).find_map(|part| setting(&part.settings))
}

/// Returns the value of the highest trusted layer, or a stricter one of any layer below it.
fn strictest<T: Ord + Copy + Default>(parts: &[PolicyPart], setting: impl Fn(&Settings) -> Option<T>) -> T {
    let floor = from_highest_trusted(parts, &setting).unwrap_or_default();
    parts.iter().filter_map(|part| setting(&part.settings)).fold(floor, T::max)
}

/// Returns whether the bundled default policy applies beside the given parts.
pub fn includes_defaults<'a>(parts: impl Iterator<Item = &'a PolicyPart>) -> bool {
    let mut sorted: Vec<&PolicyPart> = parts.filter(|part| part.layer.is_trusted()).collect();
    sorted.sort_by_key(|part| std::cmp::Reverse(part.layer.rank()));
    sorted.iter().find_map(|part| part.settings.defaults).unwrap_or(true)
}
