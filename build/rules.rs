//! The rules of the default policy as Rust: constants that the program is compiled with.

use std::fmt::Write as _;

use crate::domain::guard::{Needs, Packed};
use crate::domain::shell::{Mark, Program, Sign};

/// Returns the text of an expression for packed rules.
pub(crate) fn expression(rules: &[Packed]) -> String {
    let mut text = String::from("&[\n");
    for Packed { id, source, guard, rule } in rules {
        let _ = writeln!(
            text,
            "Packed {{ id: Cow::Borrowed({id:?}), source: Cow::Borrowed({source:?}), guard: Guard {{ when: Moments({}), needs: {} }}, rule: Cow::Borrowed(b\"{}\") }},",
            guard.when.0,
            needs(&guard.needs),
            rule.escape_ascii()
        );
    }
    text.push(']');
    text
}

fn needs(needs: &Needs) -> String {
    let Needs { things, signs, accesses, deeds, reasons, secrets, any } = needs;
    let any: Vec<String> = any.iter().map(self::needs).collect();
    let signs: Vec<String> = signs.iter().map(sign).collect();
    let (any, signs) = (any.join(", "), signs.join(", "));
    format!(
        "Needs {{ things: {things}, signs: Cow::Borrowed(&[{signs}]), accesses: Accesses({}), deeds: {deeds}, reasons: {reasons}, secrets: {secrets}, any: Cow::Borrowed(&[{any}]) }}",
        accesses.0
    )
}

fn sign(sign: &Sign) -> String {
    let mark = |mark: Option<Mark>| mark.map_or_else(|| "None".to_owned(), |mark| format!("Some(Mark({}))", mark.0));
    let program = match sign.program {
        Program::Any => "Program::Any".to_owned(),
        Program::Named(Mark(mark)) => format!("Program::Named(Mark({mark}))"),
        Program::Begins(initial) => format!("Program::Begins({initial})"),
    };
    format!("Sign {{ program: {program}, word: {}, option: {} }}", mark(sign.word), sign.option)
}
