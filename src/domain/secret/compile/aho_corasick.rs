//! Builds the Aho-Corasick automaton of all keywords as a table.

use std::collections::{BTreeMap, VecDeque};
use std::fmt;

use crate::domain::secret::keyword_automaton::{KeywordAutomaton, KeywordOutput, ROW_WIDTH};

/// The automaton, owned. See [`KeywordAutomaton`] for the meaning of the fields.
#[derive(Debug, Clone)]
pub struct OwnedKeywordAutomaton {
    /// The column of each byte.
    pub byte_classes: [u8; 256],
    /// The next row, by row and column, the lower byte first.
    pub transitions: Vec<[u8; 2]>,
    /// The first row in which a keyword ends.
    pub first_output_state: u16,
    /// The state in which the search goes on after each state without a row.
    pub continuations: Vec<[u8; 2]>,
    /// Where the outputs of each such row begin.
    pub output_offsets: Vec<[u8; 2]>,
    /// What ends in the rows.
    pub outputs: Vec<KeywordOutput>,
    /// The length of the longest keyword.
    pub max_keyword_len: usize,
}

impl OwnedKeywordAutomaton {
    /// Returns the table as the search takes it.
    pub fn as_automaton(&self) -> KeywordAutomaton<'_> {
        KeywordAutomaton {
            byte_classes: &self.byte_classes,
            transitions: &self.transitions,
            first_output_state: self.first_output_state,
            continuations: &self.continuations,
            output_offsets: &self.output_offsets,
            outputs: &self.outputs,
            max_keyword_len: self.max_keyword_len,
        }
    }
}

#[derive(Default)]
struct TrieNode {
    children: BTreeMap<u8, usize>,
    fail: usize,
    outputs: Vec<KeywordOutput>,
}

/// Why the automaton of some keywords cannot be built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordError {
    /// There are more keywords than the table can hold.
    TooMany,
    /// More keywords end at the same position than the table can hold.
    TooManyAtOnePlace,
    /// They have more different characters than a row has columns.
    TooManyCharacters,
}

impl fmt::Display for KeywordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::TooMany => "there are more keywords than the table can have",
            Self::TooManyAtOnePlace => "too many keywords end at the same place",
            Self::TooManyCharacters => "keywords have too many different signs",
        })
    }
}

impl std::error::Error for KeywordError {}

/// Builds the automaton of keywords in lower-case letters.
///
/// # Errors
/// Fails if there are more keywords, or more different characters in them, than a table can hold.
pub fn build(keywords: &[(String, KeywordOutput)]) -> Result<OwnedKeywordAutomaton, KeywordError> {
    let (columns, signs) = byte_classes(keywords)?;
    let mut nodes = build_trie(keywords, &columns)?;
    let order = link_failures(&mut nodes);
    let (others, ends): (Vec<usize>, Vec<usize>) =
        order.iter().copied().partition(|node| nodes.get(*node).is_some_and(|node| node.outputs.is_empty()));
    let is_leaf =
        |node: usize| nodes.get(node).is_some_and(|node| node.children.is_empty() && !node.outputs.is_empty());
    let (leaves, inner): (Vec<usize>, Vec<usize>) = ends.into_iter().partition(|node| is_leaf(*node));
    let mut numbers = vec![0_u16; nodes.len()];
    for (node, number) in others.iter().chain(&inner).chain(&leaves).zip(0_u16..) {
        if let Some(slot) = numbers.get_mut(*node) {
            *slot = number;
        }
    }
    // Breadth first, so that the row of a node's fallback is complete before its own.
    let mut rows: Vec<Vec<usize>> = vec![Vec::new(); nodes.len()];
    for node in order {
        let Some(this) = nodes.get(node) else { continue };
        let fallback = rows.get(this.fail).filter(|row| !row.is_empty() && node != 0);
        let to = |column: u8| {
            let child = this.children.get(&column).copied();
            child.or_else(|| fallback.and_then(|row| row.get(usize::from(column)).copied())).unwrap_or(0)
        };
        let row: Vec<usize> = (0..signs).map(to).collect();
        if let Some(slot) = rows.get_mut(node) {
            *slot = row;
        }
    }
    let number = |node: &usize| numbers.get(*node).copied().unwrap_or(0).to_le_bytes();
    let mut next = Vec::with_capacity(nodes.len() * ROW_WIDTH);
    for node in others.iter().chain(&inner) {
        let row = rows.get(*node).map(Vec::as_slice).unwrap_or_default();
        next.extend(row.iter().map(number));
        next.resize(next.len() + ROW_WIDTH - row.len(), [0; 2]);
    }
    // Nothing continues a leaf: what follows is the same as after its fallback.
    let continuation = |leaf: &usize| {
        let mut at = *leaf;
        while is_leaf(at) {
            at = nodes.get(at).map_or(0, |node| node.fail);
        }
        number(&at)
    };
    let continuations = leaves.iter().map(continuation).collect();
    let mut outputs = Vec::new();
    let mut outputs_at = vec![[0; 2]];
    for node in inner.iter().chain(&leaves) {
        outputs.extend(nodes.get(*node).map(|node| node.outputs.clone()).unwrap_or_default());
        let at = u16::try_from(outputs.len()).map_err(|_| KeywordError::TooManyAtOnePlace)?;
        outputs_at.push(at.to_le_bytes());
    }
    let longest = keywords.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    let ending = u16::try_from(others.len()).map_err(|_| KeywordError::TooMany)?;
    Ok(OwnedKeywordAutomaton {
        byte_classes: columns,
        transitions: next,
        first_output_state: ending,
        continuations,
        output_offsets: outputs_at,
        outputs,
        max_keyword_len: longest,
    })
}

/// Returns a column for each byte; the first is for all bytes that no keyword has.
fn byte_classes(keywords: &[(String, KeywordOutput)]) -> Result<([u8; 256], u8), KeywordError> {
    let mut columns = [0; 256];
    let mut count = 1;
    let mut used = [false; 256];
    for byte in keywords.iter().flat_map(|(text, _)| text.bytes()) {
        if let Some(slot) = used.get_mut(usize::from(byte)) {
            *slot = true;
        }
    }
    // The most common characters first: with the column for everything else they fill half of a row, one cache line.
    let common = b"abcdefghijklmnopqrstuvwxyz_.-/=".iter().copied();
    for byte in common.chain(0..=u8::MAX).filter(|byte| used.get(usize::from(*byte)).copied().unwrap_or(false)) {
        for both in [byte.to_ascii_lowercase(), byte.to_ascii_uppercase()] {
            if let Some(column) = columns.get_mut(usize::from(both))
                && *column == 0
            {
                *column = count;
            }
        }
        count = columns.iter().max().map_or(1, |most| most + 1);
    }
    if usize::from(count) > ROW_WIDTH { Err(KeywordError::TooManyCharacters) } else { Ok((columns, count)) }
}

fn build_trie(keywords: &[(String, KeywordOutput)], columns: &[u8; 256]) -> Result<Vec<TrieNode>, KeywordError> {
    let mut nodes = vec![TrieNode::default()];
    for (text, output) in keywords {
        let mut at = 0;
        for byte in text.bytes() {
            let column = columns.get(usize::from(byte)).copied().unwrap_or(0);
            let fresh = nodes.len();
            let Some(node) = nodes.get_mut(at) else { break };
            at = *node.children.entry(column).or_insert(fresh);
            if at == fresh {
                nodes.push(TrieNode::default());
            }
        }
        if let Some(node) = nodes.get_mut(at)
            && !node.outputs.contains(output)
        {
            node.outputs.push(*output);
        }
    }
    if nodes.len() > usize::from(u16::MAX) { Err(KeywordError::TooMany) } else { Ok(nodes) }
}

/// Finds the fallback of each node and its outputs; returns the nodes breadth first.
fn link_failures(nodes: &mut [TrieNode]) -> Vec<usize> {
    let mut order = Vec::with_capacity(nodes.len());
    let mut open = VecDeque::from([0]);
    while let Some(at) = open.pop_front() {
        order.push(at);
        let Some(node) = nodes.get(at) else { continue };
        let (children, fail) = (node.children.clone(), node.fail);
        for (column, child) in children {
            let mut back = fail;
            let target = loop {
                let target = nodes.get(back).and_then(|node| node.children.get(&column)).copied();
                match target {
                    Some(target) if target != child => break target,
                    _ if back == 0 => break 0,
                    _ => back = nodes.get(back).map_or(0, |node| node.fail),
                }
            };
            let inherited = nodes.get(target).map(|node| node.outputs.clone()).unwrap_or_default();
            if let Some(node) = nodes.get_mut(child) {
                node.fail = target;
                node.outputs.extend(inherited);
            }
            open.push_back(child);
        }
    }
    order
}
