//! Stub.
#![allow(missing_docs, dead_code)]
use serde::{Deserialize, Serialize};
use std::ops::Range;
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
pub enum Dialect {
    Posix,
    PowerShell,
    Cmd,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
pub enum Access {
    Read,
    Write,
    Delete,
}
#[derive(Debug, Clone, Default)]
pub struct Script {
    pub commands: Vec<Command>,
    pub opaque: Vec<Opaque>,
}
#[derive(Debug, Clone)]
pub struct Opaque {
    pub span: Range<usize>,
}
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Cwd {
    Known(String),
    Start,
    Unknown,
}
#[derive(Debug, Clone)]
pub struct Word {
    pub text: String,
}
#[derive(Debug, Clone)]
pub struct Command {
    pub words: Vec<Word>,
    pub via: Vec<String>,
    pub cwd: Cwd,
}
impl Command {
    pub fn program(&self) -> &str {
        self.words.first().map_or("", |w| &w.text)
    }
    pub fn text(&self) -> String {
        self.words.iter().map(|w| w.text.clone()).collect::<Vec<_>>().join(" ")
    }
}
pub struct FileUse {
    pub path: String,
    pub access: Access,
    pub command: usize,
}
pub fn parse(text: &str, _: Dialect) -> Script {
    Script {
        commands: vec![Command {
            words: text.split(' ').map(|w| Word { text: w.into() }).collect(),
            via: vec![],
            cwd: Cwd::Start,
        }],
        opaque: vec![],
    }
}
pub fn file_uses(_: &Script) -> Vec<FileUse> {
    vec![]
}
pub fn urls(_: &Script) -> Vec<(String, usize)> {
    vec![]
}
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CommandPattern(String);
pub struct PatternError {
    pub offset: usize,
    pub message: String,
    pub help: Option<String>,
}
impl CommandPattern {
    pub fn parse(t: &str) -> Result<Self, PatternError> {
        Ok(Self(t.into()))
    }
    pub fn source(&self) -> &str {
        &self.0
    }
    pub fn find(&self, s: &Script) -> Vec<usize> {
        s.commands.iter().enumerate().filter(|(_, c)| c.text().starts_with(&self.0)).map(|(i, _)| i).collect()
    }
}
