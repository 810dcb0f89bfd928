//! An event that a user writes as options.

use std::path::PathBuf;

use crate::adapters::NeutralEvent;
use crate::cli::CommandError;
use crate::cli::context;
use crate::domain::event::kind::Kind;

/// The event.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct EventArgs {
    /// Shell text that a tool is about to run.
    #[arg(long, value_name = "TEXT", help_heading = "The event")]
    pub command: Option<String>,
    /// A file that a tool is about to write.
    #[arg(long, value_name = "PATH", help_heading = "The event")]
    pub write: Option<String>,
    /// The text that is written.
    #[arg(long, value_name = "TEXT", requires = "write", help_heading = "The event")]
    pub content: Option<String>,
    /// A file that a tool is about to read.
    #[arg(long, value_name = "PATH", help_heading = "The event")]
    pub read: Option<String>,
    /// An address that a tool is about to fetch.
    #[arg(long, value_name = "URL", help_heading = "The event")]
    pub fetch: Option<String>,
    /// A prompt on its way to the model.
    #[arg(long, value_name = "TEXT", help_heading = "The event")]
    pub prompt: Option<String>,
    /// An answer that the agent has finished.
    #[arg(long, value_name = "TEXT", help_heading = "The event")]
    pub response: Option<String>,
    /// The tool, by kind (`shell`, `write`, …) or by a host's own name.
    #[arg(long, value_name = "NAME", help_heading = "The event")]
    pub tool: Option<String>,
    /// The moment, such as `tool.after`.
    #[arg(long, value_name = "MOMENT", help_heading = "The event")]
    pub when: Option<String>,
    /// The directory that the host works in.
    #[arg(long, value_name = "DIR", help_heading = "The event")]
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
            return Err("there is no event: give a payload file, `-`, or one of the options under \"The event\"".into());
        }
        Ok(asked)
    }
}
