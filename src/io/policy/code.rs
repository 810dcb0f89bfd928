//! The kinds of mistakes in a policy, as one table.
//!
//! A code's name stays the same from version to version: people look it up, and scripts go by it.

use std::fmt;

/// How bad a mistake is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DiagnosticSeverity {
    /// Worth knowing, and no mistake.
    Note,
    /// The policy does something, but hardly what was meant.
    Warning,
    /// The policy cannot be used.
    Error,
}

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $about:literal;)*) => {
        /// What kind of mistake it is.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum DiagnosticCode {
            $(#[doc = $about] $code,)*
        }

        impl DiagnosticCode {
            /// Every kind of mistake.
            pub const ALL: &[Self] = &[$(Self::$code,)*];

            /// Returns whether every load finds such mistakes, and not `ruleward lint` alone.
            pub const fn is_found_at_load(self) -> bool {
                !matches!(
                    self,
                    Self::FailedExample
                        | Self::DeadRule
                        | Self::ShadowedRule
                        | Self::ConflictingRewrite
                        | Self::BroadRule
                        | Self::MatchesEverything
                        | Self::ShallowGlob
                        | Self::DeadGlob
                        | Self::NoTemplateException
                        | Self::RefusedSuggestion
                        | Self::UntestedRule
                        | Self::SlowRuns
                        | Self::HostGap
                )
            }

            /// Returns the code's name.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$code => $name,)* }
            }

            /// Returns how bad such a mistake is.
            pub const fn severity(self) -> DiagnosticSeverity {
                match self { $(Self::$code => DiagnosticSeverity::$severity,)* }
            }

            /// Returns what such a mistake is about.
            pub const fn about(self) -> &'static str {
                match self { $(Self::$code => $about,)* }
            }
        }
    };
}

codes! {
    UnreadableFile "unreadable-file" Error "A policy file cannot be read.";
    MalformedYaml "malformed-yaml" Error "A policy file is not well-formed YAML.";
    ExceededLimit "exceeded-limit" Error "A policy file exceeds the limits on size, depth or repetition.";
    DuplicateKey "duplicate-key" Error "A map contains a key twice.";
    UnsupportedVersion "unsupported-version" Error "The `version` of a policy file is missing or unknown.";
    UnknownKey "unknown-key" Error "A key is unknown in this place.";
    MissingKey "missing-key" Error "A required key is missing.";
    WrongType "wrong-type" Error "A value has the wrong type.";
    UnknownWord "unknown-word" Error "A value is not one of the allowed words.";
    InvalidValue "invalid-value" Error "A value is invalid, such as a malformed pattern.";
    UnknownExtends "unknown-extends" Error "A pack or a file under `extends` doesn't exist.";
    CircularExtends "circular-extends" Error "A file extends itself, directly or through others.";
    DuplicateRule "duplicate-rule" Error "Two different rules of one layer have the same id.";
    DuplicateDetector "duplicate-detector" Error "Two detectors of secrets have the same id.";
    InvalidId "invalid-id" Error "An id contains invalid characters.";
    UnknownGate "unknown-gate" Error "A rule uses a gate that doesn't exist.";
    StuckGate "stuck-gate" Warning "Nothing opens a gate that starts closed, or closes one that starts open.";
    NoMoment "no-moment" Error "A rule has no moment.";
    NoEffect "no-effect" Error "A rule has no effect.";
    EmptyCondition "empty-condition" Error "A condition or an exception is empty.";
    EffectNotCarried "effect-not-carried" Error "None of a rule's moments supports its effect.";
    EffectPartlyCarried "effect-partly-carried" Warning "Some of a rule's moments don't support its effect.";
    RewriteOfTwoThings "rewrite-of-two-things" Error "A rule rewrites both the input of a call and a request to the model.";
    LimitNotJudged "limit-not-judged" Error "A limit on tools depends on something that is unknown when a tool is called.";
    NothingToRedact "nothing-to-redact" Error "A rule redacts, but none of its conditions matches text.";
    ClearNeedsRetry "clear-needs-retry" Error "A conversation is cleared without a retry or a stop.";
    RewriteNeedsAllow "rewrite-needs-allow" Error "A permission request's input is changed without an approval.";
    IdleKey "idle-key" Warning "A key of a run has no effect.";
    ConditionNeverHolds "condition-never-holds" Warning "No moment of a rule provides what a condition needs.";
    UnknownHost "unknown-host" Error "A host is unknown.";
    UnknownDetector "unknown-detector" Error "A secret detector is unknown.";
    UnknownField "unknown-field" Error "A field under `match` doesn't exist in any event.";
    MisplacedExample "misplaced-example" Error "An example has an effect or a moment that its rule doesn't have.";
    FailedExample "failed-example" Error "A rule does something else to an event than its example says.";
    DeadRule "dead-rule" Warning "A rule, or part of it, never matches.";
    ShadowedRule "shadowed-rule" Warning "Whenever a rule matches, another rule that is at least as strict matches too.";
    ConflictingRewrite "conflicting-rewrite" Warning "Two rules set a field to different values for the same calls.";
    BroadRule "broad-rule" Warning "A rule denies everything at a moment.";
    MatchesEverything "matches-everything" Warning "A pattern matches every text.";
    ShallowGlob "shallow-glob" Warning "A glob matches fewer levels than it seems to.";
    DeadGlob "dead-glob" Warning "A glob matches no file.";
    NoTemplateException "no-template-exception" Warning "A rule on `.env` also matches `.env.example`.";
    RefusedSuggestion "refused-suggestion" Warning "A message suggests a command that is denied.";
    UntestedRule "untested-rule" Note "No example and no test covers a rule.";
    SlowRuns "slow-runs" Warning "Programs at one moment may take longer than the host waits.";
    HostGap "host-gap" Note "A host doesn't support an effect of a rule.";
    DisablesNothing "disables-nothing" Warning "A disabled rule doesn't exist.";
}

impl fmt::Display for DiagnosticCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::DiagnosticCode;

    #[test]
    fn names_tell_codes_apart() {
        let mut names: Vec<&str> = DiagnosticCode::ALL.iter().map(|code| code.name()).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), DiagnosticCode::ALL.len());
    }
}
