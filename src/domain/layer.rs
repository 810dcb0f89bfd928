//! The layers that policies come from, and which of them has a say over which.

/// Whether a person has said that what a repository brings may do more than refuse and ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Trust {
    /// Nobody has, or of another text.
    #[default]
    Withheld,
    /// A person has, of this very text.
    Given,
}

impl Trust {
    /// Tells whether a person has.
    pub const fn is_given(self) -> bool {
        matches!(self, Self::Given)
    }
}

/// Where a policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Layer {
    /// Set by whoever manages the machine.
    #[default]
    Managed,
    /// The person's own.
    User,
    /// Named on the hook's command line, which stands in the host's settings.
    Chosen,
    /// What comes with ruleward.
    Bundled,
    /// The project's, shared by all who work on it.
    Project(Trust),
    /// The project's, for this checkout alone.
    Local(Trust),
}

impl Layer {
    /// Returns the layer's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Chosen => "command line",
            Self::Bundled => "bundled",
            Self::Project(_) => "project",
            Self::Local(_) => "project-local",
        }
    }

    /// Tells whether what this layer says may relax or approve something.
    pub const fn is_trusted(self) -> bool {
        !matches!(self, Self::Project(Trust::Withheld) | Self::Local(Trust::Withheld))
    }

    /// Tells whether the layer is what a repository brings.
    pub const fn is_of_project(self) -> bool {
        matches!(self, Self::Project(_) | Self::Local(_))
    }

    /// Returns the layer, with what a person says of it when it is the project's.
    #[must_use]
    pub const fn with_trust(self, trust: Trust) -> Self {
        match self {
            Self::Project(_) => Self::Project(trust),
            Self::Local(_) => Self::Local(trust),
            Self::Managed | Self::User | Self::Chosen | Self::Bundled => self,
        }
    }

    /// A project that a person trusts may turn down what is bundled, and never what the person or
    /// whoever manages the machine has said.
    ///
    /// The rank is the layer's authority; the highest has the last word.
    pub(super) const fn authority(self) -> u8 {
        match self {
            Self::Managed => 6,
            Self::User | Self::Chosen => 5,
            Self::Project(Trust::Given) => 4,
            Self::Local(Trust::Given) => 3,
            Self::Bundled => 2,
            Self::Project(Trust::Withheld) => 1,
            Self::Local(Trust::Withheld) => 0,
        }
    }

    /// Tells whether this layer may turn down what `other` brought.
    pub const fn governs(self, other: Self) -> bool {
        self.authority() >= other.authority()
    }
}
