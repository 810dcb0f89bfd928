//! What `ruleward scan` looks through: files of trees, standard input, and what git knows to be new.

pub mod git;
pub mod gitleaks;
pub mod text;
pub mod walk;
