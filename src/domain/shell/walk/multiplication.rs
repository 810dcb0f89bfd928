//! Functions that start themselves several times at once, and loops that start processes without an end, until the
//! machine stops.

use super::Walker;
use crate::domain::shell::script::OpaqueReason;
use crate::domain::shell::syntax::ast::{Chain, List, Node, NodeKind, Part, RawWord};

impl Walker {
    /// Reports a loop whose processes multiply.
    pub(super) fn report_endless_loop(&mut self, condition: &List, body: &List, node: &Node) {
        if never_waits(condition, body) {
            self.report(OpaqueReason::EndlessProcesses, node.span.clone());
        }
    }
}

/// Returns whether a loop without an end starts a process in each turn and waits for none: `while :; do x & done`.
fn never_waits(condition: &List, body: &List) -> bool {
    let is_always = |word: &RawWord| matches!(word.parts.as_slice(), [Part::Text { text, .. }] if matches!(text.as_str(), ":" | "true"));
    let is_endless = matches!(condition.as_slice(), [Chain { first, rest, .. }]
        if rest.is_empty() && matches!(first.stages.as_slice(), [Node { kind: NodeKind::Simple { words, .. }, .. }]
            if matches!(words.as_slice(), [word] if is_always(word))));
    is_endless && !body.is_empty() && body.iter().all(|chain| chain.background)
}

/// How a function calls itself in a part of its body.
#[derive(Clone, Copy, Default)]
struct SelfCalls {
    count: usize,
    /// Whether one of them does not wait for another: in one pipeline with it, or in the background.
    is_concurrent: bool,
}

/// Returns whether a function starts itself several times at once whenever it runs: `f() { f | f & }`.
///
/// Calls that depend on a condition or on the items of a loop are left out; those are how a recursion ends.
pub(super) fn multiplies(body: &Node, name: &str) -> bool {
    let calls = node_calls(body, name);
    calls.count > 1 && calls.is_concurrent
}

fn node_calls(node: &Node, name: &str) -> SelfCalls {
    match &node.kind {
        NodeKind::Simple { words, .. } => {
            let program = words.first().map(|word| word.parts.as_slice());
            let is_self = matches!(program, Some([Part::Text { text, .. }]) if text == name);
            SelfCalls { count: usize::from(is_self), is_concurrent: false }
        }
        NodeKind::Group(list) | NodeKind::Subshell(list) => list_calls(list, name),
        _ => SelfCalls::default(),
    }
}

fn list_calls(list: &List, name: &str) -> SelfCalls {
    list.iter().map(|chain| chain_calls(chain, name)).fold(SelfCalls::default(), |all, calls| SelfCalls {
        count: all.count + calls.count,
        is_concurrent: all.is_concurrent || calls.is_concurrent,
    })
}

fn chain_calls(chain: &Chain, name: &str) -> SelfCalls {
    // What is after `&&` and `||` depends on what is before.
    let stages: Vec<SelfCalls> = chain.first.stages.iter().map(|node| node_calls(node, name)).collect();
    let count = stages.iter().map(|calls| calls.count).sum();
    let is_pipeline = stages.iter().filter(|calls| calls.count > 0).count() > 1;
    let is_inside = stages.iter().any(|calls| calls.is_concurrent);
    SelfCalls { count, is_concurrent: is_inside || is_pipeline || (chain.background && count > 0) }
}
