//! From what a rule picked out to the places in the event's texts.

use std::collections::BTreeMap;
use std::ops::Range;

use super::{Redactions, Stretch, texts};
use crate::domain::facts::Facts;
use crate::domain::focus::{Focus, Found, PassageAt, widened};
use crate::domain::secret::{Values, occurrences};
use crate::domain::verdict::Note;

/// Returns where what a rule found stands in the texts of the event, each place with what the rule
/// wants there.
///
/// Secrets and personal data are taken out wherever the value stands. A passage is what is found
/// only when the rule asks for neither, and is taken out where it was picked out.
pub fn of(facts: &Facts<'_>, foci: &[Focus], written: &dyn Fn(&Focus) -> Note) -> Redactions {
    let texts = texts(facts.event);
    let mut redactions = Redactions::default();
    let mut values: Values<'_, usize> = Values::new();
    for (at, focus) in foci.iter().enumerate() {
        let found = [focus.secret.as_ref().map(|it| &it.value), focus.pii.as_ref().map(|it| &it.value)];
        let mut found = found.into_iter().flatten().map(Found::as_str).filter(|it| !it.is_empty()).peekable();
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
            redactions.insert(Stretch { text, start: span.start, end: span.end }, note);
        }
    }
    redactions
}

/// Takes a passage out at its own place of its own text, or, where that text was made of another
/// one, wherever the same words stand.
fn redact_passage(
    redactions: &mut Redactions,
    passage: &PassageAt,
    focus: &Focus,
    texts: &[&str],
    facts: &Facts<'_>,
    written: &dyn Fn(&Focus) -> Note,
) {
    let Some((own, _)) = facts.texts(passage.place).get(passage.text).copied() else { return };
    let own_places: Vec<usize> = (0..texts.len()).filter(|index| texts.get(*index) == Some(&own)).collect();
    for span in &passage.spans {
        let part = PassageAt { spans: vec![span.clone()], ..passage.clone() };
        let note = written(&Focus { passage: Some(part), ..focus.clone() });
        let places: Vec<(usize, Range<usize>)> = if own_places.is_empty() {
            everywhere(widened(own, span), texts)
        } else {
            own_places.iter().map(|index| (*index, span.clone())).collect()
        };
        for (text, span) in places {
            redactions.insert(Stretch { text, start: span.start, end: span.end }, note.clone());
        }
    }
}

fn everywhere(value: &str, texts: &[&str]) -> Vec<(usize, Range<usize>)> {
    let texts = texts.iter().enumerate();
    texts
        .flat_map(|(index, text)| text.match_indices(value).map(move |(at, _)| (index, at..at + value.len())))
        .collect()
}
