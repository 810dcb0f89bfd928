//! Modules of the project that code loads: `python3 -c 'import m'`, `perl -Mm`, `node -r ./m.js`.

use super::scope::Value;
use super::script_file::ScriptKind;
use super::{Invocation, Walker};
use crate::domain::shell::code::Language;
use crate::domain::shell::script::Word;

/// The most files in which the modules of a piece of code are looked for.
const MAX_MODULES: usize = 16;

impl Walker {
    /// Walks the modules of the project that code or options load: `python3 -c 'import m'`, `perl -Mm`, `node -r ./m.js`.
    pub(super) fn walk_modules(&mut self, program: &str, language: Language, codes: &[Word], call: &Invocation) {
        let value = |name: &str| match call
            .assignments
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, word)| word.text.clone())
        {
            Some(text) => Some(text),
            None => match self.scope.get(name) {
                Some(Value::Scalar(word)) => Some(word.text.clone()),
                _ => None,
            },
        };
        let mut names: Vec<String> = Vec::new();
        match language {
            Language::Python => {
                let path = value("PYTHONPATH").unwrap_or_default();
                for module in codes.iter().flat_map(|code| python_imports(&code.text)) {
                    let path_of = module.replace('.', "/");
                    for directory in std::iter::once("").chain(path.split(':').filter(|it| !it.is_empty())) {
                        let start = if directory.is_empty() { String::new() } else { format!("{directory}/") };
                        names.extend([format!("{start}{path_of}.py"), format!("{start}{path_of}/__init__.py")]);
                    }
                }
            }
            Language::Perl => {
                let path = value("PERL5LIB").unwrap_or_default();
                let included = call.words.iter().filter_map(|word| word.text.strip_prefix("-I"));
                let directories: Vec<&str> = path.split(':').chain(included).filter(|it| !it.is_empty()).collect();
                let options = call
                    .words
                    .iter()
                    .filter_map(|word| word.text.strip_prefix("-M").or_else(|| word.text.strip_prefix("-m")));
                let used = codes
                    .iter()
                    .flat_map(|code| code.text.split(';'))
                    .filter_map(|line| line.trim().strip_prefix("use "));
                for module in options.chain(used) {
                    let module = module.split(['=', ' ', '(']).next().unwrap_or_default().replace("::", "/");
                    names.extend(directories.iter().map(|directory| format!("{directory}/{module}.pm")));
                }
            }
            Language::JavaScript | Language::Ruby => {
                let options = call.words.iter().zip(call.words.iter().skip(1));
                let loads =
                    options.filter(|(option, _)| matches!(option.text.as_str(), "-r" | "--require" | "--import"));
                names.extend(loads.map(|(_, file)| file.text.clone()).filter(|name| name.starts_with(['.', '/'])));
            }
            _ => {}
        }
        for name in names.iter().filter(|name| !name.is_empty()).take(MAX_MODULES) {
            if self.scope.written_text(name).is_some() {
                self.walk_script(&Word::known(name.as_str()), ScriptKind::Language(language), program, &[], call);
            } else {
                self.walk_first_existing(&[name], ScriptKind::Language(language), &[], call);
            }
        }
    }
}

/// Returns the modules that a text in Python imports.
fn python_imports(code: &str) -> Vec<String> {
    let mut modules = Vec::new();
    for line in code.split(['\n', ';']).map(str::trim) {
        if let Some(rest) = line.strip_prefix("from ") {
            modules.extend(rest.split_whitespace().next().map(ToOwned::to_owned));
        } else if let Some(rest) = line.strip_prefix("import ") {
            modules.extend(rest.split(',').filter_map(|name| name.split_whitespace().next()).map(ToOwned::to_owned));
        }
    }
    modules.retain(|name| !name.starts_with('.'));
    modules
}
