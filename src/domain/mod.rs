//! The domain: events, the facts about them, the rules of a policy, and the verdict.
//!
//! Everything here is pure: it accesses no file, clock, environment or output, and knows no host's protocol. The same
//! event, policy and path context give the same outcome. Policy types derive their parsing and their schema
//! themselves, so that what is published, what is read and what is judged agree.

pub mod allowlist;
pub mod condition;
pub mod decide;
pub mod effect;
pub mod event;
pub mod facts;
pub mod integrity;
pub mod layer;
pub mod pii;
pub mod policy;
pub mod scope;
pub mod secret;
pub mod severity;
pub mod shell;
pub mod state;
pub mod text;
pub mod time;
pub mod verdict;
