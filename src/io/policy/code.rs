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
    ExceededLimit "exceeded-limit" Error "A policy file is larger, deeper or more repetitive than any honest one.";
    DuplicateKey "duplicate-key" Error "A map has a key twice.";
    UnsupportedVersion "unsupported-version" Error "The `version` of a policy file is missing or not known.";
    UnknownKey "unknown-key" Error "A key means nothing where it stands.";
    MissingKey "missing-key" Error "A key that must be given is not.";
    WrongType "wrong-type" Error "A value is of another kind than its key takes.";
    UnknownWord "unknown-word" Error "A value is none of the words that its key takes.";
    InvalidValue "invalid-value" Error "A value has a mistake of its own, such as in a pattern.";
    UnknownExtends "unknown-extends" Error "A pack or a file under `extends` is not there.";
    CircularExtends "circular-extends" Error "A file extends itself, directly or through others.";
    DuplicateRule "duplicate-rule" Error "Two different rules of one layer have the same id.";
    DuplicateDetector "duplicate-detector" Error "Two detectors of secrets have the same id.";
    InvalidId "invalid-id" Error "An id has characters that ids do not have.";
    UnknownGate "unknown-gate" Error "A rule asks about a gate that is not there.";
    StuckGate "stuck-gate" Warning "Nothing opens a gate that starts closed, or closes one that starts open.";
    NoMoment "no-moment" Error "A rule watches no moment.";
    NoEffect "no-effect" Error "A rule asks for nothing.";
    EmptyCondition "empty-condition" Error "A condition or an exception lists nothing.";
    EffectNotCarried "effect-not-carried" Error "None of a rule's moments can carry what it asks for.";
    EffectPartlyCarried "effect-partly-carried" Warning "Some of a rule's moments cannot carry what it asks for.";
    RewriteOfTwoThings "rewrite-of-two-things" Error "A rule rewrites the input of a call and a request to the model at once.";
    LimitNotJudged "limit-not-judged" Error "A limit on tools hangs on what is not known when a tool is called.";
    NothingToRedact "nothing-to-redact" Error "A rule redacts, and none of its conditions finds anything in a text.";
    ClearNeedsRetry "clear-needs-retry" Error "A conversation begins anew only beside a retry or a stop.";
    RewriteNeedsAllow "rewrite-needs-allow" Error "A permission request's input is changed only together with an approval.";
    IdleKey "idle-key" Warning "A key says something of a run that never comes to pass.";
    ConditionNeverHolds "condition-never-holds" Warning "No moment of a rule has what a condition looks at.";
    UnknownHost "unknown-host" Error "A host is not known.";
    UnknownDetector "unknown-detector" Error "A detector of secrets is not known.";
    UnknownField "unknown-field" Error "A field under `match` is one that no event has.";
    MisplacedExample "misplaced-example" Error "An example is none of what its rule can do, or of where it looks.";
    FailedExample "failed-example" Error "A rule does something else to an event than its example says.";
    DeadRule "dead-rule" Warning "A rule, or a part of one, never holds.";
    ShadowedRule "shadowed-rule" Warning "Whenever a rule holds, another one that is as strict holds too.";
    ConflictingRewrite "conflicting-rewrite" Warning "Two rules give one field different values for the same calls.";
    BroadRule "broad-rule" Warning "A rule refuses everything at a moment.";
    MatchesEverything "matches-everything" Warning "A pattern matches every text.";
    ShallowGlob "shallow-glob" Warning "A glob reaches less deep than it looks.";
    DeadGlob "dead-glob" Warning "A glob covers no file.";
    NoTemplateException "no-template-exception" Warning "A rule on `.env` holds for `.env.example` too.";
    RefusedSuggestion "refused-suggestion" Warning "What a message tells the agent to use is itself refused.";
    UntestedRule "untested-rule" Note "No example and no test says what a rule does.";
    SlowRuns "slow-runs" Warning "Programs at one moment may take longer than the host waits.";
    HostGap "host-gap" Note "A host cannot carry out an effect of a rule.";
    DisablesNothing "disables-nothing" Warning "What is disabled is not there.";
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
