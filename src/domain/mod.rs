//! What happened, what the policy says of it, and what follows.
//!
//! Everything here is pure: no file, clock, environment or output is touched, and no word of any
//! host's protocol is known. The same event, policy and place give the same outcome. Policy types
//! derive their reading and their schema themselves, so that what is published, what is read and
//! what is judged are one thing.

pub mod cache;
pub mod condition;
pub mod coverage;
pub mod decide;
pub mod deed;
pub mod effect;
pub mod event;
pub mod example;
pub mod exception;
pub mod facts;
pub mod focus;
pub mod gate;
pub mod guard;
pub mod hook;
pub mod kind;
pub mod layer;
pub mod leak;
pub mod limit;
pub mod literal;
pub mod overlap;
pub mod path;
pub mod pattern;
pub mod pii;
pub mod policy;
pub mod ran;
pub mod redaction;
pub mod remember;
pub mod request;
pub mod rule;
pub mod run;
pub mod scripts;
pub mod secret;
pub mod shell;
pub mod standing;
pub mod state;
pub mod suggest;
pub mod template;
mod text_place;
pub mod tool;
pub mod url;
pub mod verdict;
pub mod version;
pub mod view;
pub mod vocabulary;
pub mod want;
pub mod witness;
