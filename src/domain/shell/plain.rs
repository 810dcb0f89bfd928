//! Reads a line strictly: every command of it with words that are known, or the first place where something is not.
//!
//! The walk of this module's neighbour finds all that may run and notes what is unknown. Here a single unknown ends the
//! reading: an expansion whose value is not in the line, a background job, a function, an unusual redirection. Both
//! bash and zsh must read the line alike.

use std::collections::BTreeMap;
use std::ops::Range;

use super::script::RedirectKind;
use super::syntax::ast::{
    Chain, LogicalOperator, Node, NodeKind, ParameterOperator, Part, Pipeline, RawRedirect, RawTarget, RawValue,
    RawWord,
};
use super::syntax::parse;
use crate::domain::text::visible::is_hidden;

/// The greatest number of commands, counting each turn of a loop.
const MAX_COMMANDS: usize = 256;

/// The greatest number of directories that a command may run in.
const MAX_DIRECTORIES: usize = 4;

/// The variables that a line may set for itself: no program and no shell gives them a meaning.
const OWN_VARIABLES: &[&str] = &[
    "a", "app", "b", "base", "branch", "c", "commit", "d", "dir", "e", "entry", "ext", "f", "file", "g", "h", "i",
    "id", "item", "j", "k", "key", "l", "line", "m", "module", "n", "name", "num", "p", "page", "pat", "pattern",
    "pkg", "pr", "q", "r", "ref", "repo", "rev", "run", "s", "sha", "src", "sub", "svc", "t", "tag", "term", "test",
    "topic", "u", "v", "w", "word", "x", "y", "z",
];

/// A word whose text is known, unless the program only prints it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainWord {
    /// The text.
    pub text: String,
    /// Whether the shell expands it as a pattern of file names.
    pub is_pattern: bool,
    /// Whether a part is the output of a command of the line, or an exit status.
    pub is_computed: bool,
    /// Whether any part was quoted.
    pub is_quoted: bool,
}

/// A redirection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainRedirect {
    /// What is done.
    pub kind: RedirectKind,
    /// The file descriptor, if it is written out.
    pub fd: Option<u32>,
    /// The file, the descriptor or the text.
    pub target: PlainWord,
}

/// A command of which everything is known.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PlainCommand {
    /// The program and its arguments; empty for redirections alone.
    pub words: Vec<PlainWord>,
    /// The variables that are set for it.
    pub assignments: Vec<(String, PlainWord)>,
    /// The redirections.
    pub redirects: Vec<PlainRedirect>,
    /// The directories that it may run in, each as it is written from where the line starts; empty for that one.
    pub directories: Vec<String>,
    /// Whether it reads what another command of the line prints.
    pub is_piped: bool,
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
}

/// The first place that is not known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotPlain {
    /// What is not known.
    pub reason: String,
    /// Where it is in the text, in bytes.
    pub span: Range<usize>,
}

type Plain<T> = Result<T, NotPlain>;

/// Returns the commands of a line in their order.
///
/// # Errors
/// Returns the first place that is not known.
pub fn plain_commands(text: &str) -> Plain<Vec<PlainCommand>> {
    // Shells differ in what these separate or end.
    let is_odd = |c: char| (is_hidden(c) && !matches!(c, '\n' | '\t')) || (c.is_whitespace() && !c.is_ascii());
    if let Some(at) = text.find(is_odd) {
        return Err(not_plain("a character that cannot be seen", at..at));
    }
    let (list, opaque) = parse(text, 0, None);
    if let Some(first) = opaque.first() {
        return Err(not_plain(&first.reason.to_string(), first.span.clone()));
    }
    let mut reader = Reader { text, directories: vec![String::new()], ..Reader::default() };
    reader.list(&list)?;
    Ok(reader.commands)
}

fn not_plain(reason: &str, span: Range<usize>) -> NotPlain {
    NotPlain { reason: reason.to_owned(), span }
}

#[derive(Default)]
struct Reader<'t> {
    text: &'t str,
    commands: Vec<PlainCommand>,
    directories: Vec<String>,
    variables: BTreeMap<String, PlainWord>,
    /// How many branches and loops are around the place, where a variable may be set or not.
    conditions: usize,
    is_piped: bool,
}

impl Reader<'_> {
    fn list(&mut self, list: &[Chain]) -> Plain<()> {
        list.iter().try_for_each(|chain| self.chain(chain))
    }

    fn chain(&mut self, chain: &Chain) -> Plain<()> {
        if chain.background {
            let span = chain.first.stages.first().map_or(0..0, |node| node.span.clone());
            return Err(not_plain("a job in the background", span));
        }
        let mut seen = self.directories.clone();
        self.pipeline(&chain.first, true)?;
        add_all(&mut seen, &self.directories);
        for (operator, pipeline) in &chain.rest {
            // After a failure, any directory so far may be the current one.
            if *operator == LogicalOperator::Or {
                self.directories.clone_from(&seen);
            }
            self.pipeline(pipeline, false)?;
            add_all(&mut seen, &self.directories);
        }
        let has_moved = seen != self.directories;
        if seen.len() > MAX_DIRECTORIES && has_moved {
            let span = chain.first.stages.first().map_or(0..0, |node| node.span.clone());
            return Err(not_plain("too many directories in which it may run", span));
        }
        self.directories = seen;
        Ok(())
    }

    fn pipeline(&mut self, pipeline: &Pipeline, is_first: bool) -> Plain<()> {
        let was_piped = self.is_piped;
        let is_alone = pipeline.stages.len() == 1;
        for (stage, node) in pipeline.stages.iter().enumerate() {
            self.is_piped = was_piped || stage > 0;
            self.node(node, is_alone, is_first)?;
        }
        self.is_piped = was_piped;
        Ok(())
    }

    fn node(&mut self, node: &Node, is_alone: bool, is_first: bool) -> Plain<()> {
        let span = node.span.clone();
        match &node.kind {
            NodeKind::Simple { assignments, words } if words.is_empty() && !assignments.is_empty() => {
                if !(is_alone && is_first && self.conditions == 0 && node.redirects.is_empty()) {
                    return Err(not_plain("a variable that is set only under a condition", span));
                }
                for assignment in assignments {
                    let value = self.assigned(&assignment.value, assignment.append, &span)?;
                    self.set(&assignment.name, value, &span)?;
                }
                return Ok(());
            }
            NodeKind::Simple { assignments, words } => {
                let mut command = PlainCommand { span: span.clone(), ..self.start() };
                for assignment in assignments {
                    let value = self.assigned(&assignment.value, assignment.append, &span)?;
                    command.assignments.push((assignment.name.clone(), value));
                }
                for word in words {
                    command.words.push(self.word(word)?);
                }
                command.redirects = self.redirects(&node.redirects, &span)?;
                return self.add(command, is_alone);
            }
            NodeKind::Subshell(list) => {
                let (directories, variables) = (self.directories.clone(), self.variables.clone());
                self.list(list)?;
                (self.directories, self.variables) = (directories, variables);
            }
            NodeKind::Group(list) if is_alone => self.list(list)?,
            NodeKind::If { arms, otherwise } if is_alone => {
                self.conditions += 1;
                for (condition, body) in arms {
                    self.list(condition)?;
                    self.list(body)?;
                }
                self.list(otherwise)?;
                self.conditions -= 1;
            }
            NodeKind::For { name, words: Some(words), body } => self.for_loop(name, words, body, &span)?,
            NodeKind::Test(words) if !self.text.get(span.clone()).is_some_and(|text| text.starts_with("((")) => {
                let mut command = PlainCommand { span: span.clone(), ..self.start() };
                command.words.push(PlainWord { text: "[[".to_owned(), ..PlainWord::default() });
                for word in words {
                    // Nothing is expanded to file names there.
                    command.words.push(PlainWord { is_pattern: false, ..self.word(word)? });
                }
                self.add(command, is_alone)?;
            }
            _ => return Err(not_plain("a construct of the shell that is not followed", span)),
        }
        let redirects = self.redirects(&node.redirects, &span)?;
        if redirects.is_empty() {
            return Ok(());
        }
        let command = PlainCommand { redirects, span, ..self.start() };
        self.add(command, true)
    }

    fn for_loop(&mut self, name: &str, words: &[RawWord], body: &[Chain], span: &Range<usize>) -> Plain<()> {
        let mut values = Vec::new();
        for word in words {
            values.push(self.word(word)?);
        }
        self.conditions += 1;
        for value in values {
            self.variables.remove(name);
            self.set(name, value, span)?;
            self.list(body)?;
        }
        self.conditions -= 1;
        self.variables.remove(name);
        Ok(())
    }

    fn start(&self) -> PlainCommand {
        PlainCommand { directories: self.directories.clone(), is_piped: self.is_piped, ..PlainCommand::default() }
    }

    /// Adds a command, and follows it to another directory.
    fn add(&mut self, command: PlainCommand, is_alone: bool) -> Plain<()> {
        if self.commands.len() >= MAX_COMMANDS {
            return Err(not_plain("more commands than are followed", command.span));
        }
        let changes_directory = command.words.first().is_some_and(|word| word.text == "cd");
        if changes_directory {
            let [_, target] = command.words.as_slice() else {
                return Err(not_plain("`cd` without one directory", command.span));
            };
            let is_known = !(target.is_pattern || target.is_computed || target.text.is_empty());
            let before = self.text.get(..command.span.start).unwrap_or_default();
            let is_negated = before.trim_end().ends_with('!');
            let is_plain = is_alone && !is_negated && command.assignments.is_empty() && command.redirects.is_empty();
            if !is_known || target.text.starts_with('-') || !is_plain {
                return Err(not_plain("a change to a directory that is not known", command.span));
            }
            let below = |from: &String| match from.as_str() {
                "" => target.text.clone(),
                _ if target.text.starts_with('/') => target.text.clone(),
                from => format!("{from}/{}", target.text),
            };
            self.directories = self.directories.iter().map(below).collect();
        }
        self.commands.push(command);
        Ok(())
    }

    fn set(&mut self, name: &str, value: PlainWord, span: &Range<usize>) -> Plain<()> {
        if !OWN_VARIABLES.contains(&name) || self.variables.contains_key(name) {
            return Err(not_plain(&format!("the variable `{name}`, which may mean more than its value"), span.clone()));
        }
        self.variables.insert(name.to_owned(), value);
        Ok(())
    }

    fn assigned(&mut self, value: &RawValue, append: bool, span: &Range<usize>) -> Plain<PlainWord> {
        let RawValue::Scalar(word) = value else { return Err(not_plain("a list of values", span.clone())) };
        let word = self.word(word)?;
        if append || word.is_computed || word.is_pattern {
            return Err(not_plain("a variable whose value is not known", span.clone()));
        }
        Ok(word)
    }

    fn redirects(&mut self, redirects: &[RawRedirect], span: &Range<usize>) -> Plain<Vec<PlainRedirect>> {
        let mut found = Vec::new();
        for redirect in redirects {
            let target = match &redirect.target {
                RawTarget::Word(word) => self.word(word)?,
                RawTarget::HereDocument(body) => {
                    let Some(body) = body.get() else {
                        return Err(not_plain("a here-document without its end", span.clone()));
                    };
                    PlainWord { is_pattern: false, ..self.word(body)? }
                }
            };
            found.push(PlainRedirect { kind: redirect.kind, fd: redirect.fd, target });
        }
        Ok(found)
    }

    fn word(&mut self, word: &RawWord) -> Plain<PlainWord> {
        let mut read = PlainWord::default();
        let mut has_quoted_special = false;
        let is_text = |part: &&Part| !matches!(part, Part::Text { text, .. } if text.is_empty());
        let parts = word.parts.iter().filter(is_text).count();
        for (position, part) in word.parts.iter().enumerate() {
            match part {
                Part::Text { text, quoted: true } => {
                    read.is_quoted = true;
                    has_quoted_special |= text.contains(['*', '?', '[', '\\']);
                    read.text.push_str(text);
                }
                Part::Text { text, quoted: false } => {
                    check_unquoted(text, position == 0, &word.span)?;
                    read.is_pattern |= is_pattern(text);
                    read.text.push_str(text);
                }
                Part::Parameter { parameter, quoted } => {
                    if parameter.operator != ParameterOperator::Plain || !parameter.index.is_empty() {
                        return Err(not_plain("an expansion that is not followed", word.span.clone()));
                    }
                    if parameter.name == "?" {
                        read.is_computed = true;
                        continue;
                    }
                    let Some(value) = self.variables.get(&parameter.name) else {
                        let reason = format!("the value of `${}` is not known", parameter.name);
                        return Err(not_plain(&reason, word.span.clone()));
                    };
                    let splits = |text: &str| text.is_empty() || text.contains([' ', '\t', '\n', '*', '?', '[', '\\']);
                    if (value.is_pattern && parts > 1) || (!value.is_pattern && !quoted && splits(&value.text)) {
                        return Err(not_plain("a value that the shell would split or expand", word.span.clone()));
                    }
                    read.is_pattern |= value.is_pattern;
                    read.is_computed |= value.is_computed;
                    read.is_quoted |= *quoted;
                    read.text.push_str(&value.text);
                }
                Part::Substitution { list, quoted, .. } => {
                    let (directories, variables) = (self.directories.clone(), self.variables.clone());
                    let was_piped = std::mem::take(&mut self.is_piped);
                    self.list(list)?;
                    (self.directories, self.variables, self.is_piped) = (directories, variables, was_piped);
                    read.is_computed = true;
                    read.is_quoted |= *quoted;
                }
                Part::ProcessSubstitution { .. } | Part::Arithmetic { .. } | Part::OuterSubstitution { .. } => {
                    return Err(not_plain("an expansion that is not followed", word.span.clone()));
                }
            }
        }
        if read.is_pattern && (has_quoted_special || read.is_computed) {
            return Err(not_plain("a pattern of which a part is quoted", word.span.clone()));
        }
        Ok(read)
    }
}

fn add_all(all: &mut Vec<String>, more: &[String]) {
    for one in more {
        if !all.contains(one) {
            all.push(one.clone());
        }
    }
}

/// Refuses unquoted text that a shell replaces by something else.
fn check_unquoted(text: &str, begins_word: bool, span: &Range<usize>) -> Plain<()> {
    let is_home = begins_word && text.starts_with('~') || text.contains("=~") || text.contains(":~");
    let is_program = begins_word && text.len() > 1 && text.starts_with('=') && text != "==" && text != "=~";
    let has_list = text.find('{').is_some_and(|at| {
        let inside = text.get(at..).unwrap_or_default();
        inside.contains(',') || inside.contains("..")
    });
    let is_extended = text.contains(['(', ')', '<', '>']);
    if (is_home && text != "=~") || is_program || has_list || is_extended {
        return Err(not_plain("a word that the shell expands", span.clone()));
    }
    Ok(())
}

fn is_pattern(text: &str) -> bool {
    let has_set = text.find('[').is_some_and(|at| text.get(at..).is_some_and(|rest| rest.contains(']')));
    text.contains(['*', '?']) || has_set
}

#[cfg(test)]
mod tests {
    use super::plain_commands;

    fn words(text: &str) -> Option<Vec<String>> {
        let commands = plain_commands(text).ok()?;
        let joined = commands.iter().map(|command| {
            let words: Vec<&str> = command.words.iter().map(|word| word.text.as_str()).collect();
            words.join(" ")
        });
        Some(joined.collect())
    }

    #[test]
    fn lines_are_read_as_both_shells_read_them() {
        for (text, expected) in [
            ("ls -la 'a b' | head -5", vec!["ls -la a b", "head -5"]),
            ("for f in a b; do cat \"$f\"; done", vec!["cat a", "cat b"]),
            ("f=x; echo $f && true || false", vec!["echo x", "true", "false"]),
            ("if [ -f a ]; then cat a; else ls; fi", vec!["[ -f a ]", "cat a", "ls"]),
            ("echo \"$(git rev-parse HEAD)\" $?", vec!["git rev-parse HEAD", "echo  "]),
            ("(cd a && ls); ls", vec!["cd a", "ls", "ls"]),
        ] {
            assert_eq!(words(text).unwrap(), expected, "{text}");
        }
        for text in [
            "ls &",
            "cat $FILE",
            "cat ~/x",
            "cat {a,b}",
            "f() { ls; }; f",
            "PATH=x; ls",
            "for path in a; do ls; done",
            "cat <(ls)",
            "echo $((1))",
            "cd; ls",
            "cd - && ls",
            "ls | cd x",
            "while true; do ls; done",
            "((a[$(x)]))",
            "case a in a) ls;; esac",
            "ls\r",
            "echo ${x:-y}",
            "=ls x",
            "cat \"*\"*",
            "x=a; x=b; cat $x",
            "true && x=a; cat $x",
            "ls 'a",
        ] {
            assert!(words(text).is_none(), "{text}: {:?}", words(text));
        }
    }

    #[test]
    fn a_command_after_cd_runs_in_any_directory_that_is_possible() {
        let directories = |text: &str| plain_commands(text).unwrap().last().unwrap().directories.clone();
        assert_eq!(directories("cd a && ls"), ["a"]);
        assert_eq!(directories("cd a; ls"), ["", "a"]);
        assert_eq!(directories("cd a || ls"), ["", "a"]);
        assert_eq!(directories("cd a && cd b && ls"), ["a/b"]);
        assert_eq!(directories("(cd a); ls"), [""]);
    }
}
