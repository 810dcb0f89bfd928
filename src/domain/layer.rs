//! The layers that policies come from, and which of them may override which.

/// Whether a user trusts the policy of a repository to do more than refuse and ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Trust {
    /// No user trusts it, or a user trusted another text.
    #[default]
    Untrusted,
    /// A user trusts exactly this text.
    Trusted,
}

impl Trust {
    /// Returns whether it is trusted.
    pub const fn is_trusted(self) -> bool {
        matches!(self, Self::Trusted)
    }
}

/// Where a policy comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Layer {
    /// Set by the administrator of the machine.
    #[default]
    Managed,
    /// The user's own.
    User,
    /// Named on the hook's command line, which is in the host's settings.
    CommandLine,
    /// Bundled with ruleward.
    Bundled,
    /// The project's, shared by all who work on it.
    Project(Trust),
    /// The project's, only for this checkout.
    Local(Trust),
}

impl Layer {
    /// Returns the layer's name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed",
            Self::User => "user",
            Self::CommandLine => "command line",
            Self::Bundled => "bundled",
            Self::Project(_) => "project",
            Self::Local(_) => "project-local",
        }
    }

    /// Returns whether this layer may disable rules of `other`.
    pub const fn is_trusted(self) -> bool {
        !matches!(self, Self::Project(Trust::Untrusted) | Self::Local(Trust::Untrusted))
    }

    /// Returns whether the layer belongs to a repository.
    pub const fn is_project(self) -> bool {
        matches!(self, Self::Project(_) | Self::Local(_))
    }

    /// Returns the layer, with the given trust if it is the project's.
    #[must_use]
    pub const fn with_trust(self, trust: Trust) -> Self {
        match self {
            Self::Project(_) => Self::Project(trust),
            Self::Local(_) => Self::Local(trust),
            Self::Managed | Self::User | Self::CommandLine | Self::Bundled => self,
        }
    }

    /// Returns the rank of the layer's authority; the highest decides.
    ///
    /// A trusted project may disable bundled rules, and never those of the user or the administrator.
    pub(super) const fn rank(self) -> u8 {
        match self {
            Self::Managed => 6,
            Self::User | Self::CommandLine => 5,
            Self::Project(Trust::Trusted) => 4,
            Self::Local(Trust::Trusted) => 3,
            Self::Bundled => 2,
            Self::Project(Trust::Untrusted) => 1,
            Self::Local(Trust::Untrusted) => 0,
        }
    }

    /// Returns whether this layer may disable rules of `other`.
    pub const fn can_override(self, other: Self) -> bool {
        self.rank() >= other.rank()
    }
}
