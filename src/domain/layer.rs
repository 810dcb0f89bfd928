//! The layers that policies come from, and which of them has a say over which.

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
    Project,
    /// The project's, for this checkout alone.
    Local,
}

impl Layer {
    /// Returns the layer's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::Chosen => "command line",
            Self::Bundled => "bundled",
            Self::Project => "project",
            Self::Local => "project-local",
        }
    }

    /// Tells whether what this layer says may relax or approve something.
    pub const fn is_trusted(self) -> bool {
        !matches!(self, Self::Project | Self::Local)
    }

    pub(super) const fn authority(self) -> u8 {
        match self {
            Self::Managed => 4,
            Self::User | Self::Chosen => 3,
            Self::Bundled => 2,
            Self::Project => 1,
            Self::Local => 0,
        }
    }

    /// Tells whether this layer may turn down what `other` brought.
    pub const fn governs(self, other: Self) -> bool {
        self.authority() >= other.authority()
    }
}
