//! The table of bundled packs, made of `policies`: `RULEWARD_BLESS=1 cargo test` rewrites it.
//!
//! Of a pack whose file is gone, the line must be taken out by hand: without the file nothing compiles.

use super::Pack;

pub(super) const PACKS: &[Pack] = &[
    pack!("approve-building"),
    pack!("approve-editing"),
    pack!("approve-reading"),
    pack!("cloud"),
    pack!("containers"),
    pack!("credentials"),
    pack!("databases"),
    pack!("filesystem"),
    pack!("git"),
    pack!("hidden-text"),
    pack!("packages"),
    pack!("persistence"),
    pack!("recommended"),
    pack!("remote-code"),
    pack!("secrets"),
    pack!("self-protection"),
    pack!("system"),
];

pub(super) const COOKBOOK: &[Pack] = &[
    pack!("cookbook/answer-check"),
    pack!("cookbook/audit-log"),
    pack!("cookbook/cached-answers"),
    pack!("cookbook/checkpoint"),
    pack!("cookbook/context-of-a-prompt"),
    pack!("cookbook/dangerous-commands"),
    pack!("cookbook/dry-run"),
    pack!("cookbook/dynamic-context"),
    pack!("cookbook/file-protection"),
    pack!("cookbook/format-after-write"),
    pack!("cookbook/gates"),
    pack!("cookbook/hidden-output"),
    pack!("cookbook/model-routing"),
    pack!("cookbook/notify"),
    pack!("cookbook/org-rules"),
    pack!("cookbook/personal-data"),
    pack!("cookbook/pushes"),
    pack!("cookbook/router"),
    pack!("cookbook/secret-scanning"),
    pack!("cookbook/session-context"),
    pack!("cookbook/stop-the-loop"),
    pack!("cookbook/test-after-write"),
    pack!("cookbook/tests-first"),
    pack!("cookbook/token-budget"),
    pack!("cookbook/tool-filter"),
    pack!("cookbook/until-done"),
];
