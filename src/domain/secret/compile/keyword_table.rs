//! The automaton of all keywords (Aho and Corasick), as a table.

use std::collections::{BTreeMap, VecDeque};

use crate::domain::secret::keyword::{Keywords, Output, WIDTH};

/// The automaton, owned. See [`Keywords`] for the meaning of the parts.
#[derive(Debug, Clone)]
pub struct KeywordTable {
    /// The column of each byte.
    pub columns: [u8; 256],
    /// The next row, by row and column.
    pub next: Vec<u16>,
    /// The first row in which a keyword ends.
    pub ending: u16,
    /// Where the outputs of each such row begin.
    pub outputs_at: Vec<u16>,
    /// What ends in the rows.
    pub outputs: Vec<Output>,
    /// The length of the longest keyword.
    pub longest: usize,
}

impl KeywordTable {
    /// Returns the table as the search takes it.
    pub fn as_keywords(&self) -> Keywords<'_> {
        Keywords {
            columns: &self.columns,
            next: &self.next,
            ending: self.ending,
            outputs_at: &self.outputs_at,
            outputs: &self.outputs,
            longest: self.longest,
        }
    }
}

#[derive(Default)]
struct Node {
    children: BTreeMap<u8, usize>,
    fail: usize,
    outputs: Vec<Output>,
}

/// Builds the automaton of keywords in small letters.
///
/// # Errors
/// Returns that there are more keywords, or more different signs in them, than a table can have.
pub fn build(keywords: &[(String, Output)]) -> Result<KeywordTable, String> {
    let (columns, signs) = columns(keywords)?;
    let mut nodes = trie(keywords, &columns)?;
    let order = link(&mut nodes);
    let (others, ends): (Vec<usize>, Vec<usize>) =
        order.iter().copied().partition(|node| nodes.get(*node).is_some_and(|node| node.outputs.is_empty()));
    let mut numbers = vec![0_u16; nodes.len()];
    for (node, number) in others.iter().chain(&ends).zip(0_u16..) {
        if let Some(slot) = numbers.get_mut(*node) {
            *slot = number;
        }
    }
    // Breadth first, so that the row of where a node falls back to is complete before its own.
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
    let number = |node: &usize| numbers.get(*node).copied().unwrap_or(0);
    let mut next = Vec::with_capacity(nodes.len() * WIDTH);
    for node in others.iter().chain(&ends) {
        let row = rows.get(*node).map(Vec::as_slice).unwrap_or_default();
        next.extend(row.iter().map(number));
        next.resize(next.len() + WIDTH - row.len(), 0);
    }
    let mut outputs = Vec::new();
    let mut outputs_at = vec![0];
    for node in &ends {
        outputs.extend(nodes.get(*node).map(|node| node.outputs.clone()).unwrap_or_default());
        outputs_at.push(u16::try_from(outputs.len()).map_err(|_| "too many keywords end at the same place")?);
    }
    let longest = keywords.iter().map(|(text, _)| text.len()).max().unwrap_or(0);
    let ending = u16::try_from(others.len()).map_err(|_| TOO_MANY)?;
    Ok(KeywordTable { columns, next, ending, outputs_at, outputs, longest })
}

const TOO_MANY: &str = "there are more keywords than the table can have";

/// Returns a column for each byte; the first is for all that no keyword has.
fn columns(keywords: &[(String, Output)]) -> Result<([u8; 256], u8), String> {
    let mut columns = [0; 256];
    let mut count = 1;
    let mut used = [false; 256];
    for byte in keywords.iter().flat_map(|(text, _)| text.bytes()) {
        if let Some(slot) = used.get_mut(usize::from(byte)) {
            *slot = true;
        }
    }
    // The commonest signs first: with the column of all else they fill half of a row, one line of the cache.
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
    if usize::from(count) > WIDTH { Err("keywords have too many different signs".into()) } else { Ok((columns, count)) }
}

fn trie(keywords: &[(String, Output)], columns: &[u8; 256]) -> Result<Vec<Node>, String> {
    let mut nodes = vec![Node::default()];
    for (text, output) in keywords {
        let mut at = 0;
        for byte in text.bytes() {
            let column = columns.get(usize::from(byte)).copied().unwrap_or(0);
            let fresh = nodes.len();
            let Some(node) = nodes.get_mut(at) else { break };
            at = *node.children.entry(column).or_insert(fresh);
            if at == fresh {
                nodes.push(Node::default());
            }
        }
        if let Some(node) = nodes.get_mut(at)
            && !node.outputs.contains(output)
        {
            node.outputs.push(*output);
        }
    }
    if nodes.len() > usize::from(u16::MAX) { Err(TOO_MANY.into()) } else { Ok(nodes) }
}

/// Finds where each node falls back to, and what ends there; returns the nodes breadth first.
fn link(nodes: &mut [Node]) -> Vec<usize> {
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
