//! What `ruleward scan` looks through: files of trees, standard input, what git knows to be new, and its history.

pub mod git;
pub mod gitleaks;
pub mod history;
pub mod objects;
pub mod text;
pub mod walk;
