//! The bundled detectors as Rust: constants that the program is compiled with.

use std::collections::HashMap;
use std::fmt::Write as _;

use crate::domain::secret::compile::{self, Rows, encoded, keyword_table};
use crate::domain::secret::decode::ESCAPE;
use crate::domain::secret::entry::{Entry, advice};
use crate::domain::secret::keyword::{ENCODED, Output};
use crate::domain::secret::own::output;

/// Returns the text of the module that holds the detectors and the automaton of their keywords.
///
/// # Errors
/// Returns what cannot be put into tables.
pub(crate) fn generate(entries: &[Entry]) -> Result<String, String> {
    let mut tables = Tables::default();
    let mut rows = String::new();
    let mut keywords: Vec<(String, Output)> = Vec::new();
    for (entry, number) in entries.iter().zip(0_u16..) {
        let told = |mistake: compile::Mistake| format!("{}: {}", entry.id, mistake.message);
        let listed = compile::keywords(entry).map_err(told)?;
        for keyword in &listed {
            let output = output(number, keyword).ok_or_else(|| format!("{}: a keyword is too long", entry.id))?;
            keywords.push((keyword.text.clone(), output));
        }
        let table = compile::rows(entry).map_err(told)?.map(|rows| tables.add(&rows));
        rows.push_str(&row(entry, table.as_deref()));
        for (text, ahead) in encoded::of(entry, &listed) {
            keywords.push((text, Output { detector: ENCODED, len: 0, least_back: ahead, most_back: 0 }));
        }
    }
    let escape = Output { detector: ENCODED, len: 0, least_back: ESCAPE, most_back: 0 };
    keywords.extend(encoded::ESCAPES.iter().map(|text| ((*text).to_owned(), escape)));
    for (text, output) in &mut keywords {
        if output.detector == ENCODED {
            output.len = u8::try_from(text.len()).map_err(|_| "an encoded keyword is too long")?;
        }
    }
    keywords.sort();
    keywords.dedup();
    let table = keyword_table::build(&keywords)?;
    let mut text = tables.text;
    let _ = writeln!(text, "pub(super) static DETECTORS: [Detector; {}] = [\n{rows}];", entries.len());
    let _ = writeln!(text, "static NEXT: Aligned<{}> = Aligned({:?});", table.next.len(), table.next);
    let _ = writeln!(text, "static OUTPUTS_AT: [u16; {}] = {:?};", table.outputs_at.len(), table.outputs_at);
    let _ = writeln!(text, "static OUTPUTS: [Output; {}] = {:?};", table.outputs.len(), table.outputs);
    let _ = writeln!(
        text,
        "pub(super) static KEYWORDS: Keywords<'static> = Keywords {{ columns: &{:?}, next: &NEXT.0, ending: {}, outputs_at: &OUTPUTS_AT, outputs: &OUTPUTS, longest: {} }};",
        table.columns, table.ending, table.longest
    );
    Ok(text)
}

/// Tables of expressions, equal ones once.
#[derive(Default)]
struct Tables {
    text: String,
    columns: HashMap<[u8; 256], usize>,
    rows: HashMap<Vec<u16>, usize>,
}

impl Tables {
    /// Adds a table; returns what stands for it.
    fn add(&mut self, rows: &Rows) -> String {
        let fresh = self.columns.len();
        let columns = *self.columns.entry(rows.columns).or_insert(fresh);
        if columns == fresh {
            let _ = writeln!(self.text, "static COLUMNS_{columns}: [u8; 256] = {:?};", rows.columns);
        }
        let fresh = self.rows.len();
        let next = *self.rows.entry(rows.next.clone()).or_insert(fresh);
        if next == fresh {
            let _ = writeln!(self.text, "static ROWS_{next}: [u16; {}] = {:?};", rows.next.len(), rows.next);
        }
        format!(
            "Expression::Ready(Table {{ columns: &COLUMNS_{columns}, width: {}, accepting: {}, next: &ROWS_{next} }})",
            rows.width, rows.accepting
        )
    }
}

/// Returns an entry as a row of the table.
fn row(entry: &Entry, table: Option<&str>) -> String {
    let shape = match (&entry.token, &entry.near, entry.builtin) {
        (Some(_), ..) => format!("Shape::Token({})", table.unwrap_or_default()),
        (_, Some(near), _) => format!("Shape::Near({}, {})", table.unwrap_or_default(), near.lines),
        (.., Some(builtin)) => format!("Shape::Builtin(Builtin::{builtin:?})"),
        _ => format!("Shape::Assigned({})", table.unwrap_or_default()),
    };
    let check = entry.check.map_or_else(|| "None".to_owned(), |check| format!("Some(Check::{check:?})"));
    let entropy = entry.entropy.map_or_else(|| "None".to_owned(), |least| format!("Some({least:?})"));
    format!(
        "Detector {{ id: {:?}, name: {:?}, tier: Tier::{:?}, severity: Severity::{:?}, advice: {:?}, shape: {shape}, ends: Ends::{:?}, check: {check}, lookalike: Lookalike::{:?}, entropy: {entropy}, dummies: &{:?} }},\n",
        entry.id,
        entry.name,
        entry.tier,
        entry.severity,
        advice(&entry.advice).unwrap_or_default(),
        entry.ends,
        entry.lookalike,
        entry.dummies,
    )
}
