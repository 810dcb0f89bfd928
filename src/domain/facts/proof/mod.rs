//! The proof that a call is harmless: every command of it is a row of a table, every target is exact and inside the
//! project, and nothing is shown, sent or run that is not known.
//!
//! The other facts find what a call may do, and rules stop what is bad. A proof is the opposite: it holds only if
//! nothing is left that is not known. So it reads the line once more, strictly, and gives up at the first unknown. The
//! rest of the facts must agree with it.

mod arguments;
mod check;
mod checkout;
mod command;
pub mod deciding;
mod file_tool;
#[rustfmt::skip]
mod generated;
mod git;
mod path;
pub mod row;
mod table;
mod tree;

use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;
use std::fmt;

#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::Facts;
use crate::domain::event::kind::Kind;
use crate::domain::event::tool::{Access, ToolKind};
use crate::domain::shell::actions::ActionKind;
use crate::domain::shell::plain::plain_commands;
use crate::domain::shell::{Dialect, OpaqueReason};
pub use checkout::Checkout;
pub use git::RevisionFiles;
pub use table::{find_row, rows};
pub use tree::TreeFilter;

/// What a call does, if nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Effect {
    /// It reads files of the project, or asks a configured service.
    Read,
    /// It runs the project's tests, linters, builds and formatters.
    Build,
    /// It writes files of the project without losing anything.
    Edit,
}

impl Effect {
    /// Every effect.
    pub const ALL: [Self; 3] = [Self::Read, Self::Build, Self::Edit];

    /// Returns the name in policies.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Build => "build",
            Self::Edit => "edit",
        }
    }
}

/// Why there is no proof.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gap(pub String);

impl fmt::Display for Gap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

pub(super) type Proved<T = ()> = Result<T, Gap>;

/// Returns that a step of the proof is missing.
fn gap<T>(reason: impl Into<String>) -> Proved<T> {
    Err(Gap(reason.into()))
}

/// The proof of a call, as far as there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The steps in order.
    pub steps: Vec<String>,
    /// What the call does; or why that is not proven.
    pub effects: Result<Vec<Effect>, Gap>,
}

/// Programs that usually change the files that they are given; their rows approve only what reads.
const CHECKED_PROGRAMS: &[&str] = &["sqlite3", "gzip", "xz", "bzip2", "zstd"];

/// Where a program is that a name leads to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ProgramLocation {
    /// There is none in the search path.
    #[default]
    Missing,
    /// At this absolute path.
    At {
        /// The path in the search path.
        path: String,
        /// The path after links are resolved.
        real: String,
    },
    /// It cannot be told, for this reason.
    Unknown(String),
}

/// The work on one proof.
struct Prover<'p, 'f> {
    facts: &'p Facts<'f>,
    /// The root of the project, and where it really is.
    root: String,
    real_root: String,
    steps: RefCell<Vec<String>>,
    effects: RefCell<Vec<Effect>>,
    programs: RefCell<BTreeMap<String, Proved>>,
    protected_globs: OnceCell<Vec<path::ProtectedGlobs>>,
    unchanged: OnceCell<Proved>,
}

/// Proves what the call of an event does.
pub(super) fn prove(facts: &Facts<'_>) -> Proof {
    let place = facts.path_context;
    let root = place.resolve(place.project.as_deref().unwrap_or(&place.cwd), None);
    let real_root = facts.file_system.real_path(&root).unwrap_or_else(|| root.clone());
    let prover = Prover {
        facts,
        root,
        real_root,
        steps: RefCell::default(),
        effects: RefCell::default(),
        programs: RefCell::default(),
        protected_globs: OnceCell::new(),
        unchanged: OnceCell::new(),
    };
    let result = prover.event();
    let mut effects = prover.effects.into_inner();
    effects.sort_unstable();
    effects.dedup();
    Proof { steps: prover.steps.into_inner(), effects: result.map(|()| effects) }
}

impl Prover<'_, '_> {
    fn event(&self) -> Proved {
        let event = self.facts.event;
        if !matches!(event.kind, Kind::ToolBefore | Kind::PermissionRequest) {
            return gap("the event is no call that is about to run");
        }
        if self.facts.path_context.windows {
            return gap("calls on Windows are not examined");
        }
        if event.calls().is_empty() {
            return gap("there is no call");
        }
        if self.root.matches('/').count() < 2 || self.is_home(&self.root) {
            return gap("the project is the home directory, or contains it");
        }
        event.calls().iter().try_for_each(|call| match call.kind {
            ToolKind::Shell if !call.commands.is_empty() => {
                call.commands.iter().try_for_each(|line| match line.dialect {
                    Dialect::Posix => self.line(&line.text, line.base),
                    Dialect::PowerShell | Dialect::Cmd => {
                        gap("only lines for shells of the Bourne family are examined")
                    }
                })
            }
            ToolKind::Read | ToolKind::Search | ToolKind::Write | ToolKind::Edit => self.file_tool(call),
            kind => gap(format!("calls of the kind `{kind}` are not examined")),
        })?;
        self.check_other_facts()
    }

    fn is_home(&self, path: &str) -> bool {
        let home = self.facts.path_context.home.as_deref();
        home.is_some_and(|home| self.facts.path_context.relative_to(home, path).is_some())
    }

    fn line(&self, text: &str, base: Option<&str>) -> Proved {
        let commands = plain_commands(text).map_err(|found| {
            let shown: String = text.get(found.span.clone()).unwrap_or_default().chars().take(60).collect();
            Gap(if shown.is_empty() { found.reason } else { format!("{}: `{shown}`", found.reason) })
        })?;
        if commands.is_empty() {
            return gap("the line runs nothing");
        }
        let start = self.facts.path_context.resolve(base.unwrap_or("."), None);
        // Nothing of a line may decide what a later command of it runs.
        commands.iter().try_for_each(|command| self.command(command, &start))
    }

    /// Compares with what the other facts say: they are found in another way, and know more programs.
    fn check_other_facts(&self) -> Proved {
        let is_editing = self.effects.borrow().contains(&Effect::Edit);
        let is_building = self.effects.borrow().contains(&Effect::Build);
        if let Some(opaque) = self.facts.opaque().iter().find(|found| !is_building || !is_of_build(found.reason)) {
            return gap(format!("{}: `{}`", opaque.reason, opaque.text));
        }
        let is_bad = |kind: ActionKind| {
            matches!(kind, ActionKind::Dump | ActionKind::Disclose | ActionKind::History) || kind == ActionKind::Send
        };
        if let Some(action) = self.facts.actions().iter().find(|it| is_bad(it.kind)) {
            return gap(format!("another fact of the call: {} ({})", action.kind.name(), action.name));
        }
        let changes = [Access::Write, Access::Delete, Access::Move, Access::Mode, Access::Link];
        let is_changed = |file: &super::FileFact<'_>| {
            let is_device = file.path.starts_with("/dev/");
            changes.iter().any(|access| file.access.contains(*access)) && !is_device
        };
        let is_read_only = |file: &super::FileFact<'_>| {
            let command = file.command.and_then(|at| self.facts.command(at));
            command.is_some_and(|command| CHECKED_PROGRAMS.contains(&command.program()))
        };
        let first = self.facts.files().iter().find(|file| is_changed(file) && !is_read_only(file));
        if let Some(file) = first.filter(|_| !is_editing && !is_building) {
            return gap(format!("`{}` may be changed", self.facts.path_context.display(&file.path)));
        }
        Ok(())
    }

    fn step(&self, text: String) {
        let mut steps = self.steps.borrow_mut();
        if !steps.contains(&text) {
            steps.push(text);
        }
    }

    fn add_effect(&self, effect: Effect) {
        self.effects.borrow_mut().push(effect);
    }
}

/// Returns whether something is unknown about a script of the project alone, which the level of building accepts.
const fn is_of_build(reason: OpaqueReason) -> bool {
    reason.is_script()
}

impl Facts<'_> {
    /// Returns the commit that is checked out in the project, if there is one.
    pub fn head_commit(&self) -> Option<String> {
        let place = self.path_context;
        self.file_system.head_commit(&place.resolve(place.project.as_deref().unwrap_or(&place.cwd), None))
    }

    /// Returns the proof of what the call does, or the first step of it that is missing.
    pub fn proof(&self) -> &Proof {
        self.proof.get_or_init(|| prove(self))
    }
}
