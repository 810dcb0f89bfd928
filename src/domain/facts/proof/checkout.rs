//! What a directory is to git, as far as it decides what a command of git runs and shows.

/// A working tree, as git would find it from a directory.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Checkout {
    /// The absolute path of the working tree; `None` in a directory that belongs to none.
    pub root: Option<String>,
    /// All settings in order, with names in lower case; the last one of a name counts.
    pub settings: Vec<(String, String)>,
    /// The names of the hooks that would run.
    pub hooks: Vec<String>,
    /// The absolute paths of the files of the index.
    pub tracked: Vec<String>,
    /// Whether other repositories are checked out inside, which git would look at as well.
    pub has_nested: bool,
}
