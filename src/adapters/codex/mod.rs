//! Codex: its transcripts. Its hooks are not spoken here.

mod patch;
mod transcript;

pub(super) use transcript::TRANSCRIPT_FORMAT;
