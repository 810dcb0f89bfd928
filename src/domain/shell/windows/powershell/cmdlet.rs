//! What commands do with their blocks, and with what comes through a pipe.

use std::ops::Range;

use super::Reader;
use super::output::output_of;
use super::value::Value;
use crate::domain::shell::script::{Dialect, OpaqueReason, Redirect, Word, program_name};
use crate::domain::shell::windows::{WindowsCommand, resolve_alias};

/// A command with what it is given.
#[derive(Debug, Default)]
pub(super) struct Call {
    pub(super) words: Vec<Word>,
    pub(super) redirects: Vec<Redirect>,
    /// The blocks of code among the arguments.
    pub(super) blocks: Vec<Range<usize>>,
    /// The tables among the arguments.
    pub(super) tables: Vec<Value>,
    /// The block that is called by an operator.
    pub(super) called_block: Option<Range<usize>>,
    /// Why some argument is unknown as code.
    pub(super) origin: Option<OpaqueReason>,
    pub(super) pipeline: usize,
    pub(super) stage: usize,
    pub(super) start: usize,
}

/// The commands that work on the paths that come through a pipe, when they name none themselves.
const PATH_CONSUMERS: &[&str] = &[
    "Remove-Item",
    "Copy-Item",
    "Move-Item",
    "Rename-Item",
    "Get-Content",
    "Clear-Content",
    "Get-ChildItem",
    "Get-Item",
    "Select-String",
    "Invoke-Item",
    "Get-FileHash",
    "Compress-Archive",
    "Set-ItemProperty",
    "Import-Csv",
];

/// The parameters that have a value which is no path.
const VALUE_PARAMETERS: &[&str] = &[
    "-erroraction",
    "-ea",
    "-warningaction",
    "-destination",
    "-destinationpath",
    "-filter",
    "-include",
    "-exclude",
    "-encoding",
    "-newname",
    "-pattern",
    "-totalcount",
    "-tail",
    "-first",
    "-last",
    "-outvariable",
    "-compressionlevel",
    "-algorithm",
    "-delimiter",
    "-value",
    "-name",
];

impl Reader<'_> {
    /// Lists a command and reads the blocks that it runs; returns what it prints.
    pub(super) fn run(&mut self, mut call: Call, input: &Value) -> Value {
        if let Some(block) = call.called_block.take() {
            return self.call_block(None, &block, &call.words);
        }
        let Some(first) = call.words.first() else {
            return Value::default();
        };
        let written = first.text.clone();
        let name = resolve_alias(program_name(&written), Dialect::PowerShell).to_owned();
        let arguments = call.words.get(1..).unwrap_or_default().to_vec();
        if let Some(value) = self.call_function(&written, &arguments) {
            return value;
        }
        match name.as_str() {
            "Set-Variable" | "New-Variable" => {
                let mut operands = operands(&call.words).into_iter();
                if let Some(name) = operands.next() {
                    self.set_variable(&name.text.to_lowercase(), Value::list(operands.cloned().collect()));
                }
            }
            "Where-Object" => {
                for block in &call.blocks {
                    self.run_block(block, input);
                }
                self.push(call, input);
                return narrowed(input);
            }
            "ForEach-Object" => {
                let mut value = Value::default();
                let has_blocks = !call.blocks.is_empty();
                for block in call.blocks.clone() {
                    value.extend(self.run_block(&block, input));
                }
                let member = arguments.first().filter(|_| !has_blocks).map(|word| word.text.to_ascii_lowercase());
                self.push(call, input);
                return if has_blocks { value } else { self.member_of_each(member.as_deref(), input) };
            }
            _ => {}
        }
        if call.stage > 0 && PATH_CONSUMERS.contains(&name.as_str()) && operands(&call.words).is_empty() {
            let paths = input.words.iter().cloned();
            call.words.splice(1..1, paths);
        }
        let blocks = std::mem::take(&mut call.blocks);
        let value = output_of(&name, &call, input);
        let given = block_arguments(&call.words);
        self.push(call, input);
        let mut printed = Value::default();
        for block in blocks {
            printed.extend(if given.is_empty() {
                self.run_block(&block, &Value::default())
            } else {
                self.call_block(None, &block, &given)
            });
        }
        if printed.words.is_empty() { value } else { printed }
    }

    /// Returns what is left of each value when a member is asked of it: `% FullName`, `% Delete`.
    fn member_of_each(&mut self, member: Option<&str>, input: &Value) -> Value {
        if member == Some("delete") {
            let start = self.pos;
            self.call_method(input.clone(), "Delete", &[], start);
        }
        input.clone()
    }

    fn push(&mut self, call: Call, input: &Value) {
        let is_text = !input.words.is_empty() && input.words.iter().all(|word| word.literal && !word.glob);
        let text = (call.stage > 0 && is_text).then(|| input.join("\n"));
        let code_origin = call.origin.or(if call.stage > 0 { input.origin } else { None });
        let span = call.start..self.pos;
        self.emit(WindowsCommand {
            words: call.words,
            redirects: call.redirects,
            assignments: Vec::new(),
            span,
            pipeline: call.pipeline,
            stage: call.stage,
            input: text,
            code_origin,
        });
    }
}

/// Returns the words of a command that are neither parameters nor the values of some.
pub(super) fn operands(words: &[Word]) -> Vec<&Word> {
    let mut found = Vec::new();
    let mut rest = words.iter().skip(1);
    while let Some(word) = rest.next() {
        if word.quoted || !word.text.starts_with('-') || word.text.len() < 2 {
            found.push(word);
        } else if VALUE_PARAMETERS.contains(&word.text.to_ascii_lowercase().as_str()) {
            rest.next();
        }
    }
    found
}

/// Returns the arguments that a block of code is given: `-ArgumentList a, b`.
fn block_arguments(words: &[Word]) -> Vec<Word> {
    let is_list = |word: &&Word| matches!(word.text.to_ascii_lowercase().as_str(), "-argumentlist" | "-args");
    let behind = words.iter().skip_while(|word| !is_list(word)).skip(1);
    behind.take_while(|word| word.quoted || !word.text.starts_with('-')).cloned().collect()
}

/// Returns the values of a parameter, by the beginning of its name.
pub(super) fn parameter<'w>(words: &'w [Word], name: &str) -> Option<&'w Word> {
    let is_named = |word: &Word| {
        let given = word.text.to_ascii_lowercase();
        !word.quoted && given.len() > 2 && name.starts_with(given.as_str())
    };
    let at = words.iter().position(is_named)?;
    words.get(at + 1)
}

/// Returns the values that a condition lets through, of which it is unknown which ones they are.
fn narrowed(input: &Value) -> Value {
    let some = |word: &Word| match word.text.strip_suffix("/*") {
        _ if !word.glob => word.clone(),
        Some(directory) => Word { text: format!("{directory}/$(…)"), literal: false, glob: false, quoted: true },
        None => Word { literal: false, glob: false, ..word.clone() },
    };
    Value { words: input.words.iter().map(some).collect(), ..input.clone() }
}
