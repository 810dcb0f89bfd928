//! An event that a user writes as options.

use std::path::PathBuf;

use crate::adapters::NeutralEvent;
use crate::cli::CommandError;
use crate::cli::context;
use crate::domain::event::kind::Kind;

/// The event.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct EventArgs {
    /// A shell command that a tool is about to run.
    #[arg(long, value_name = "TEXT", help_heading = "Event")]
    pub command: Option<String>,
    /// A file that a tool is about to write.
    #[arg(long, value_name = "PATH", help_heading = "Event")]
    pub write: Option<String>,
    /// The text to write.
    #[arg(long, value_name = "TEXT", requires = "write", help_heading = "Event")]
    pub content: Option<String>,
    /// A file that a tool is about to read.
    #[arg(long, value_name = "PATH", help_heading = "Event")]
    pub read: Option<String>,
    /// A URL that a tool is about to fetch.
    #[arg(long, value_name = "URL", help_heading = "Event")]
    pub fetch: Option<String>,
    /// A prompt from the user.
    #[arg(long, value_name = "TEXT", help_heading = "Event")]
    pub prompt: Option<String>,
    /// A finished answer of the agent.
    #[arg(long, value_name = "TEXT", help_heading = "Event")]
    pub response: Option<String>,
    /// The tool: a kind (`shell`, `write`, …) or a host's tool name.
    #[arg(long, value_name = "NAME", help_heading = "Event")]
    pub tool: Option<String>,
    /// The moment, such as `tool.after`.
    #[arg(long, value_name = "MOMENT", help_heading = "Event")]
    pub when: Option<String>,
    /// The host's working directory.
    #[arg(long, value_name = "DIR", help_heading = "Event")]
    pub cwd: Option<PathBuf>,
}

impl EventArgs {
    /// Returns the event.
    pub(in crate::cli) fn to_event(&self) -> Result<NeutralEvent, CommandError> {
        let kind = match &self.when {
            Some(name) => Kind::from_name(name).ok_or_else(|| context::unknown_event(name))?,
            None if self.prompt.is_some() => Kind::PromptSubmit,
            None if self.response.is_some() => Kind::AgentAfter,
            None => Kind::ToolBefore,
        };
        let mut asked = NeutralEvent::new(kind, &context::absolute_directory(self.cwd.as_deref())?);
        asked.tool = self.tool.clone().or_else(|| self.write.as_ref().map(|_| "write".to_owned()));
        asked.command.clone_from(&self.command);
        asked.path = self.write.clone().or_else(|| self.read.clone());
        asked.content = self.content.clone().or_else(|| self.write.as_ref().map(|_| String::new()));
        asked.url.clone_from(&self.fetch);
        asked.prompt.clone_from(&self.prompt);
        asked.response.clone_from(&self.response);
        let says_nothing = [&asked.tool, &asked.command, &asked.path, &asked.url, &asked.prompt, &asked.response];
        if self.when.is_none() && says_nothing.iter().all(|given| given.is_none()) {
            return Err("no event given: name a payload file, `-`, or an option under \"Event\"".into());
        }
        Ok(asked)
    }
}
