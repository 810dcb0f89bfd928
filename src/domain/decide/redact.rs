//! From the bindings of a rule to the spans of the event's texts that are redacted.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::domain::condition::binding::{Binding, PassageMatch, SensitiveValue, slice_on_char_boundaries};
use crate::domain::facts::Facts;
use crate::domain::secret::{Values, occurrences};
use crate::domain::verdict::note::Note;
use crate::domain::verdict::redaction::{Redactions, TextSpan, redactable_texts};

/// Returns the redactions of what a rule found in the texts of the event, each with the placeholder that the rule
/// gives.
///
/// Secrets and personal data are redacted wherever the value occurs. A passage is only redacted if the rule asks for
/// neither, and where it was picked out.
pub(super) fn find_redactions(facts: &Facts<'_>, foci: &[Binding], written: &dyn Fn(&Binding) -> Note) -> Redactions {
    let texts = redactable_texts(facts.event);
    let mut redactions = Redactions::default();
    let mut values: Values<'_, usize> = Values::new();
    for (at, focus) in foci.iter().enumerate() {
        let found = [focus.secret.as_ref().map(|it| &it.value), focus.pii.as_ref().map(|it| &it.value)];
        let mut found = found.into_iter().flatten().map(SensitiveValue::as_str).filter(|it| !it.is_empty()).peekable();
        match &focus.passage {
            Some(passage) if found.peek().is_none() => {
                redact_passage(&mut redactions, passage, focus, &texts, facts, written);
            }
            _ => found.for_each(|value| _ = values.entry(value).or_insert(at)),
        }
    }
    let mut notes: BTreeMap<usize, Note> = BTreeMap::new();
    for (text, whole) in texts.iter().enumerate().filter(|_| !values.is_empty()) {
        for (span, _, at) in occurrences(whole, &values) {
            let Some(focus) = foci.get(at) else { continue };
            let note = notes.entry(at).or_insert_with(|| written(focus)).clone();
            redactions.insert(TextSpan { text, start: span.start, end: span.end }, note);
        }
    }
    redactions
}

/// Redacts a passage at its own position in its own text or, if that text was derived from another one, wherever the
/// same words occur.
fn redact_passage(
    redactions: &mut Redactions,
    passage: &PassageMatch,
    focus: &Binding,
    texts: &[&str],
    facts: &Facts<'_>,
    written: &dyn Fn(&Binding) -> Note,
) {
    let Some((own, _)) = facts.texts(passage.field).get(passage.text_index).copied() else { return };
    let own_places: Vec<usize> = (0..texts.len()).filter(|index| texts.get(*index) == Some(&own)).collect();
    for span in &passage.spans {
        let part = PassageMatch { spans: vec![span.clone()], ..passage.clone() };
        let note = written(&Binding { passage: Some(part), ..focus.clone() });
        let places: Vec<(usize, Range<usize>)> = if own_places.is_empty() {
            find_occurrences(slice_on_char_boundaries(own, span), texts)
        } else {
            own_places.iter().map(|index| (*index, span.clone())).collect()
        };
        for (text, span) in places {
            redactions.insert(TextSpan { text, start: span.start, end: span.end }, note.clone());
        }
    }
}

fn find_occurrences(value: &str, texts: &[&str]) -> Vec<(usize, Range<usize>)> {
    let texts = texts.iter().enumerate();
    texts
        .flat_map(|(index, text)| text.match_indices(value).map(move |(at, _)| (index, at..at + value.len())))
        .collect()
}
