//! Which commands of a text must have succeeded when the text as a whole has.
//!
//! `cargo test | tail` succeeds when `tail` does, and `cargo test; true` always does, so the exit status of either
//! does not show that the tests passed. Where it is not clear, the exit status implies nothing.

use std::ops::Range;

use super::script::{Command, Dialect, Script};
use super::syntax::ast::{Chain, LogicalOperator, Node, NodeKind, Pipeline};
use super::syntax::parse;

/// Wrappers that return the exit status of what they run.
const STATUS_PRESERVING_WRAPPERS: &[&str] =
    &["command", "env", "exec", "ionice", "nice", "nohup", "stdbuf", "sudo", "time", "timeout", "xvfb-run"];

/// Commands after which the rest of a text may not run, or which change its exit status.
const CONTROL_FLOW_COMMANDS: &[&str] = &["exit", "return", "exec", "trap", "kill", "break", "continue"];

/// Returns whether a command of a text must have succeeded when the text has.
pub fn implies_success(text: &str, script: &Script, command: &Command) -> bool {
    if script.commands.iter().any(|other| CONTROL_FLOW_COMMANDS.contains(&other.program())) {
        return false;
    }
    if command.dialect != Dialect::Posix {
        return script.commands.len() == 1;
    }
    // The tree does not say what is negated.
    let is_negated = text.split_whitespace().any(|word| word.starts_with('!'));
    let is_honest = command.call_chain.iter().all(|wrapper| STATUS_PRESERVING_WRAPPERS.contains(&wrapper.as_str()));
    let within = |span: &Range<usize>| span.start <= command.span.start && command.span.end <= span.end;
    !is_negated && is_honest && command.file.is_none() && succeeded_in_list(&parse(text, 0, None).0).iter().any(within)
}

/// Returns the places of commands that have succeeded when a list has.
fn succeeded_in_list(list: &[Chain]) -> Vec<Range<usize>> {
    list.last().filter(|chain| !chain.background).map(succeeded_in_chain).unwrap_or_default()
}

fn succeeded_in_chain(chain: &Chain) -> Vec<Range<usize>> {
    let mut found = succeeded_in_pipeline(&chain.first);
    for (joint, pipeline) in &chain.rest {
        match joint {
            LogicalOperator::And => found.extend(succeeded_in_pipeline(pipeline)),
            LogicalOperator::Or => found.clear(),
        }
    }
    found
}

fn succeeded_in_pipeline(pipeline: &Pipeline) -> Vec<Range<usize>> {
    pipeline.stages.last().map(succeeded_in_node).unwrap_or_default()
}

fn succeeded_in_node(node: &Node) -> Vec<Range<usize>> {
    match &node.kind {
        NodeKind::Simple { .. } => vec![node.span.clone()],
        NodeKind::Subshell(list) | NodeKind::Group(list) => succeeded_in_list(list),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::implies_success;
    use crate::domain::shell::{Dialect, parse};

    #[test]
    fn only_what_decides_the_end_is_vouched_for() {
        for (text, vouched) in [
            ("cargo test", true),
            ("cd app && cargo test --all", true),
            ("cd app; RUST_BACKTRACE=1 cargo test", true),
            ("cargo test && echo done", true),
            ("(cd app && cargo test) && git status", true),
            ("{ cargo test; }", true),
            ("timeout 60 cargo test", true),
            ("true || false && cargo test", true),
            ("echo a | cargo test", true),
            ("cargo test | tail -5", false),
            ("cargo test; true", false),
            ("cargo test || true", false),
            ("cargo test &", false),
            ("! cargo test", false),
            ("false || cargo test", false),
            ("exit 0; cargo test", false),
            ("trap 'exit 0' EXIT; cargo test", false),
            ("if cargo test; then echo ok; fi", false),
            ("for i in 1 2; do cargo test; done", false),
            ("echo $(cargo test)", false),
            ("bash -c 'cargo test; true'", false),
            ("watch cargo test", false),
        ] {
            let script = parse(text, Dialect::Posix);
            let command = script.commands.iter().find(|command| command.program() == "cargo").unwrap();
            assert_eq!(implies_success(text, &script, command), vouched, "{text}");
        }
    }
}
