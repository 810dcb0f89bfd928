//! Text in policies and calls: paths, patterns, patches, templates, durations.

pub mod duration;
pub mod encoding;
pub mod escape_sequence;
pub mod fold;
pub mod literal;
pub mod patch;
pub mod path;
pub mod pattern;
pub mod suggest;
pub mod template;
pub mod url;
pub mod version;
pub mod visible;
pub mod vocabulary;
