//! The macro that turns the table of conditions into the struct of a rule and the list of given conditions.

/// Defines [`Conditions`](super::Conditions) from one line per condition: `key: Type,`. The order is
/// the order of evaluation.
macro_rules! conditions {
    ($($(#[$doc:meta])* $field:ident: $type:ty,)*) => {
        /// Conditions; all given ones must match.
        #[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize)]
        #[cfg_attr(test, derive(JsonSchema))]
        #[serde(deny_unknown_fields)]
        pub struct Conditions {
            $($(#[$doc])* #[serde(default)] pub $field: Option<$type>,)*
        }

        impl Conditions {
            /// Returns every key, in the order of evaluation, with what holds for its conditions.
            pub fn specs() -> [(&'static str, ConditionSpec); [$(stringify!($field)),*].len()] {
                [$((interface::key_of_field(stringify!($field)), <$type as Condition>::spec())),*]
            }

            /// Returns the conditions that are given, in the order of evaluation.
            pub fn given(&self) -> impl Iterator<Item = GivenCondition<'_>> {
                let all = [$(self.$field.as_ref().map(|condition| GivenCondition {
                    key: interface::key_of_field(stringify!($field)),
                    spec: <$type as Condition>::spec(),
                    condition,
                })),*];
                all.into_iter().flatten()
            }

            /// Returns whether other conditions hold for everything that these hold for, as far as their
            /// structure shows it.
            pub fn implies(&self, wide: &Self) -> bool {
                // Most rules have nothing in common, and comparing what is given is cheap.
                $((wide.$field.is_none() || self.$field.is_some()))&&*
                    && $(is_implied(self.$field.as_ref(), wide.$field.as_ref()))&&*
            }
        }
    };
}

pub(super) use conditions;
