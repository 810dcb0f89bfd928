//! Detectors of secrets in the form in which they are written: the files of the bundled ones, and what a policy has
//! under `detectors:`.

use std::collections::HashMap;
use std::sync::Arc;

use super::code::DiagnosticCode;
use super::diagnostic::{Diagnostic, DiagnosticReport, SourceText};
use super::node::{Node, NodeValue};
use super::read::read_all;
use super::type_error::TypeError;
use crate::domain::secret::DETECTORS;
use crate::domain::secret::compile::{self, DetectorError};
use crate::domain::secret::spec::{DetectorSpec, advice_text};
use crate::domain::text::suggest;

/// Reads the files of the bundled detectors, in the order in which they are given.
///
/// # Errors
/// Returns every mistake in them.
pub fn read_files(files: &[Arc<SourceText>]) -> Result<Vec<DetectorSpec>, Vec<Diagnostic>> {
    let mut entries = Vec::new();
    let mut mistakes = Vec::new();
    let mut known = HashMap::new();
    for file in files {
        let mut report = DiagnosticReport::new(Arc::clone(file));
        match Node::parse(&file.text) {
            Ok(root) => match (root.entries(), root.get("detectors")) {
                ([_], Some(list)) => {
                    for (entry, node) in read_list(list, &mut report) {
                        check_unique_id(&mut known, &entry, &node, file, &mut report);
                        if check_entry(&entry, &node, &mut report)
                            && let Err(mistake) = compile::compile_dfa(&entry)
                        {
                            add_compile_error(&mistake, &node, &mut report);
                        }
                        entries.push(entry);
                    }
                }
                _ => report.add(DiagnosticCode::WrongType, &root.span, "expected the one key `detectors`", None),
            },
            Err(malformed) => report.add(malformed.code, &malformed.span, malformed.message, malformed.help),
        }
        mistakes.extend(report.into_sorted());
    }
    if mistakes.is_empty() { Ok(entries) } else { Err(mistakes) }
}

/// Reads a list of detectors; an entry with a mistake is left out.
pub(crate) fn read_list(list: &Node, report: &mut DiagnosticReport) -> Vec<(DetectorSpec, Node)> {
    if let NodeValue::Null = list.value {
        report.add_type_error(TypeError::wrong_type("a list of detectors", list));
        return Vec::new();
    }
    let mut entries = Vec::new();
    for node in list.items() {
        let mut fits = true;
        let entry = read_all::<DetectorSpec>(node, &mut |misfit| {
            fits = false;
            report.add_type_error(misfit);
        });
        if let (Some(mut entry), true) = (entry, fits) {
            for dummy in &mut entry.dummies {
                dummy.retain(|sign| sign != '¦');
            }
            entries.push((entry, node.clone()));
        }
    }
    entries
}

/// Detectors that one policy file may have.
const MAX_DETECTORS: usize = 256;

/// Reads the detectors of a policy; those with mistakes are left out.
pub(crate) fn read_custom(list: &Node, report: &mut DiagnosticReport) -> Vec<DetectorSpec> {
    if list.items().len() > MAX_DETECTORS {
        report.add(DiagnosticCode::ExceededLimit, &list.span, format!("more than {MAX_DETECTORS} detectors"), None);
        return Vec::new();
    }
    let mut own: Vec<DetectorSpec> = Vec::new();
    for (entry, node) in read_list(list, report) {
        let place = |key| node.get(key).unwrap_or(&node);
        let taken = own.iter().map(|entry| entry.id.as_str()).chain(DETECTORS.iter().map(|row| row.id));
        if entry.builtin.is_some() {
            let help = "use `token`, `assigned` or `near`".to_owned();
            let message = "`builtin` is reserved for bundled detectors";
            report.add(DiagnosticCode::InvalidValue, &place("builtin").span, message, Some(help));
        } else if taken.into_iter().any(|id| id == entry.id) {
            let message = format!("the id `{}` is used by two detectors", entry.id);
            let help = "a bundled detector has this id; choose another one".to_owned();
            report.add(DiagnosticCode::DuplicateDetector, &place("id").span, message, Some(help));
        } else if check_entry(&entry, &node, report) {
            own.push(entry);
        }
    }
    own
}

/// Reports what is well-formed in an entry and still cannot be meant; returns whether nothing was.
pub(crate) fn check_entry(entry: &DetectorSpec, node: &Node, report: &mut DiagnosticReport) -> bool {
    let mut fits = true;
    let mut add = |code, key: &str, message: &str| {
        let (message, help) = suggest::split_help(message);
        let place = node.get(key).unwrap_or(node);
        fits = false;
        report.add(code, &place.span, message, help.map(ToOwned::to_owned));
    };
    let known = |sign: char| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == '-';
    if entry.id.is_empty() || !entry.id.chars().all(known) || entry.id.starts_with('-') || entry.id == "all" {
        let message = format!("`{}` is not a valid id\nuse lowercase letters, digits and `-`", entry.id);
        add(DiagnosticCode::InvalidId, "id", &message);
    }
    if advice_text(&entry.advice).is_none() {
        let message = "this is neither a standing advice nor a sentence\n\
                       write `variable`, `secret-store`, `header` and the like, or a sentence with its full stop";
        add(DiagnosticCode::UnknownWord, "advice", message);
    }
    if let Err(mistake) = compile::extract_keywords(entry) {
        fits = false;
        add_compile_error(&mistake, node, report);
    }
    fits
}

fn add_compile_error(mistake: &DetectorError, node: &Node, report: &mut DiagnosticReport) {
    let place = mistake.key_path.iter().fold(node, |node, key| node.get(key).unwrap_or(node));
    let help = mistake.help().map(ToOwned::to_owned);
    report.add(DiagnosticCode::InvalidValue, &place.span, mistake.message(), help);
}

/// Reports an id that another entry has.
fn check_unique_id(
    known: &mut HashMap<String, Arc<SourceText>>,
    entry: &DetectorSpec,
    node: &Node,
    file: &Arc<SourceText>,
    report: &mut DiagnosticReport,
) {
    if let Some(other) = known.insert(entry.id.clone(), Arc::clone(file)) {
        let place = node.get("id").unwrap_or(node);
        let message = format!("the id `{}` is used by two detectors", entry.id);
        report.add(
            DiagnosticCode::DuplicateDetector,
            &place.span,
            message,
            Some(format!("the other one is in {}", other.name)),
        );
    }
}
