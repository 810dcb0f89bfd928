//! What shell lines and other calls come to under the bundled policy, as tables in `tests/commands/`.
//!
//! A file holds `cases`, each a `line` of a shell or an `event` in the words of policy tests. Of each
//! is said what it `runs` (whole commands, in this order, others may stand between; an empty list
//! means none), what it `avoids` running, the files it `reads`, `writes` and `deletes` (each of these
//! at least; an empty list means none) and which `decision` follows. Paths are absolute: everything
//! takes place in `/home/user/project`. All failures are told at once; `RULEWARD_CASE=text` runs the
//! cases that have the text in them, and shows all of what was found.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use ruleward::adapters::{HOSTS, NeutralEvent, compose_payload, read_event};
use ruleward::domain::decide::decide;
use ruleward::domain::event::Payload;
use ruleward::domain::event::kind::Kind;
use ruleward::domain::event::tool::ArgumentNames;
use ruleward::domain::facts::Facts;
use ruleward::domain::facts::repository::{RepositoryState, UnknownRepository};
use ruleward::domain::facts::script::FileSystem;
use ruleward::domain::policy::Policy;
use ruleward::domain::policy::example::Scenario;
use ruleward::domain::shell::{Access, Dialect, FileContent, OpaqueReason};
use ruleward::domain::text::path::PathContext;
use ruleward::domain::verdict::note::Decision;
use ruleward::domain::verdict::outcome::Outcome;
use ruleward::io::policy::builtin;
use ruleward::io::suite::{self, ExpectedDecision};
use serde::Deserialize;

/// A file of cases.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CaseFile {
    /// The classes of the threat model that it is about.
    #[serde(default)]
    class: Option<String>,
    /// What stands in it.
    #[serde(default)]
    about: Option<String>,
    /// The shell of its lines.
    #[serde(default)]
    dialect: Dialect,
    /// Whether it is a machine with Windows, on which the person is `C:/Users/user`.
    #[serde(default)]
    windows: bool,
    cases: Vec<Case>,
}

/// One case.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// A line of a shell.
    #[serde(default)]
    line: Option<String>,
    /// Any other event.
    #[serde(default)]
    event: Option<Scenario>,
    /// The shell of this line, when it is not the file's.
    #[serde(default)]
    dialect: Option<Dialect>,
    /// Where links lead, by absolute path.
    #[serde(default)]
    links: BTreeMap<String, String>,
    /// The addresses of the remotes of its repository; without it, they are not known.
    #[serde(default)]
    remotes: Option<Vec<String>>,
    #[serde(default)]
    runs: Option<Vec<String>>,
    #[serde(default)]
    avoids: Vec<String>,
    #[serde(default)]
    reads: Option<Vec<String>>,
    #[serde(default)]
    writes: Option<Vec<String>>,
    #[serde(default)]
    deletes: Option<Vec<String>>,
    /// The reasons for which parts of it are not known; an empty list means that all is.
    #[serde(default)]
    opaque: Option<Vec<OpaqueReason>>,
    #[serde(default)]
    decision: Option<ExpectedDecision>,
    /// A rule that holds.
    #[serde(default)]
    rule: Option<String>,
    /// Why it is so, where that does not show.
    #[serde(default)]
    why: Option<String>,
}

/// What a case came to.
struct CaseResult {
    runs: Vec<String>,
    reads: Vec<String>,
    writes: Vec<String>,
    deletes: Vec<String>,
    opaque: Vec<OpaqueReason>,
    outcome: Outcome,
}

/// A machine that has the case's links and no files.
impl FileSystem for Case {
    fn real_path(&self, path: &str) -> Option<String> {
        self.links.get(path).cloned()
    }

    fn read(&self, _: &str, _: usize) -> FileContent {
        FileContent::Missing
    }

    fn expand(&self, _: &str) -> Option<Vec<String>> {
        None
    }

    fn path_variable(&self, _: &str) -> Option<String> {
        None
    }

    fn repository(&self, _: &str) -> Result<Option<RepositoryState>, UnknownRepository> {
        let addresses = self.remotes.as_ref().ok_or_else(|| UnknownRepository("it is not given".to_owned()))?;
        let settings = addresses.iter().enumerate().map(|(at, url)| (format!("remote.r{at}.url"), url.clone()));
        Ok(Some(RepositoryState { settings: settings.collect(), ..RepositoryState::default() }))
    }
}

impl Case {
    fn name(&self) -> String {
        self.line.clone().unwrap_or_else(|| format!("{:?}", self.event))
    }

    fn to_event(&self) -> NeutralEvent {
        let event = match (&self.line, &self.event) {
            (Some(line), None) => {
                &Scenario { tool: Some("shell".into()), command: Some(line.clone()), ..Scenario::default() }
            }
            (None, Some(event)) => event,
            _ => panic!("a case has either a `line` or an `event`"),
        };
        let kind = Kind::from_name(event.when.as_deref().unwrap_or("tool.before")).unwrap();
        let mut asked = NeutralEvent::new(kind, event.cwd.as_deref().unwrap_or(suite::PROJECT));
        let event = event.clone();
        (asked.tool, asked.command, asked.path) = (event.tool, event.command, event.path);
        (asked.content, asked.url, asked.prompt) = (event.content, event.url, event.prompt);
        (asked.response, asked.output, asked.input) = (event.response, event.output, event.input);
        (asked.subject, asked.subagent) = (event.subject, event.subagent);
        asked.permission_mode = event.permission_mode;
        if let Some(mcp) = event.mcp {
            asked.mcp = Some((mcp.server, mcp.tool));
            asked.input.extend(mcp.input);
        }
        asked
    }

    fn judge(&self, dialect: Dialect, windows: bool, policy: &Policy) -> CaseResult {
        let asked = self.to_event();
        let (host, payload) = HOSTS.iter().find_map(|host| Some((host, compose_payload(host, &asked)?))).unwrap();
        let mut event = read_event(host, &payload, &ArgumentNames::default()).unwrap();
        if let (Some(_), Payload::Tools(calls)) = (&self.line, &mut event.payload) {
            calls.iter_mut().flat_map(|call| &mut call.commands).for_each(|command| command.dialect = dialect);
        }
        let place = if windows { windows_place() } else { suite::test_place(&asked.cwd) };
        let facts = Facts::new(&event, &place, self);
        let touched = |access: Access| {
            let files = facts.files().iter().filter(|file| file.access.contains(access));
            files.map(|file| file.path.clone()).collect()
        };
        CaseResult {
            runs: facts
                .commands()
                .filter(|command| !command.words.is_empty())
                .map(ruleward::domain::shell::Command::text)
                .collect(),
            reads: touched(Access::Read),
            writes: touched(Access::Write),
            deletes: touched(Access::Delete),
            opaque: facts.scripts().iter().flat_map(|it| &it.script.opaque).map(|it| it.reason).collect(),
            outcome: decide(policy, &facts),
        }
    }

    /// Returns where a case is not as it says.
    fn differences(&self, found: &CaseResult) -> Vec<String> {
        let mut wrong = Vec::new();
        if let Some(runs) = &self.runs {
            let mut left = found.runs.iter();
            let all = runs.iter().all(|command| left.any(|found| found == command));
            if !all || runs.is_empty() && !found.runs.is_empty() {
                wrong.push(format!("runs {:?}, not {runs:?}", found.runs));
            }
        }
        let avoided = self.avoids.iter().filter(|command| found.runs.contains(command));
        wrong.extend(avoided.map(|command| format!("runs {command:?}")));
        let touched = [
            ("reads", &self.reads, &found.reads),
            ("writes", &self.writes, &found.writes),
            ("deletes", &self.deletes, &found.deletes),
        ];
        for (what, expected, found) in touched {
            let Some(expected) = expected else { continue };
            if expected.iter().any(|path| !found.contains(path)) || expected.is_empty() && !found.is_empty() {
                wrong.push(format!("{what} {found:?}, not {expected:?}"));
            }
        }
        if let Some(opaque) = &self.opaque
            && (opaque.iter().any(|reason| !found.opaque.contains(reason))
                || opaque.is_empty() != found.opaque.is_empty())
        {
            wrong.push(format!("unknown for {:?}, not {opaque:?}", found.opaque));
        }
        let decision = found.outcome.verdict.decision();
        let expected = self.decision.map(|expected| match expected {
            ExpectedDecision::Deny => Some(Decision::Deny),
            ExpectedDecision::Ask => Some(Decision::Ask),
            ExpectedDecision::Allow => Some(Decision::Allow),
            ExpectedDecision::None => None,
        });
        let name = |decision: Option<Decision>| decision.map_or("none", Decision::name);
        let rules: Vec<&str> = found.outcome.findings.iter().map(|finding| finding.rule.as_str()).collect();
        if expected.is_some_and(|expected| expected != decision) {
            wrong.push(format!("{}, not {}, by {rules:?}", name(decision), name(expected.flatten())));
        }
        wrong.extend(
            self.rule
                .iter()
                .filter(|rule| !rules.contains(&rule.as_str()))
                .map(|rule| format!("{rule} does not hold, but {rules:?}")),
        );
        wrong.extend(found.outcome.errors.iter().map(|failure| format!("{}: {}", failure.rule, failure.message)));
        wrong
    }

    fn report(&self, found: &CaseResult) -> String {
        let rules: Vec<&str> = found.outcome.findings.iter().map(|finding| finding.rule.as_str()).collect();
        format!(
            "{}\n    runs    {:?}\n    reads   {:?}\n    writes  {:?}\n    deletes {:?}\n    unknown {:?}\n    {} {rules:?}\n",
            self.name(),
            found.runs,
            found.reads,
            found.writes,
            found.deletes,
            found.opaque,
            found.outcome.verdict.decision().map_or("none", Decision::name),
        )
    }
}

fn windows_place() -> PathContext {
    PathContext {
        windows: true,
        ignore_case: true,
        home: Some("C:/Users/user".into()),
        cwd: "C:/Users/user/project".into(),
        project: Some("C:/Users/user/project".into()),
        ..PathContext::default()
    }
}

fn case_files() -> Vec<(PathBuf, CaseFile)> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/commands");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let table = |path: PathBuf| {
        let text = std::fs::read_to_string(&path).unwrap();
        let table = serde_yaml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        (path, table)
    };
    paths.into_iter().map(table).collect()
}

/// A case that says nothing cannot fail.
fn has_no_expectations(case: &Case) -> bool {
    let lists = [&case.runs, &case.reads, &case.writes, &case.deletes];
    lists.iter().all(|list| list.is_none())
        && case.avoids.is_empty()
        && case.opaque.is_none()
        && case.decision.is_none()
        && case.rule.is_none()
}

#[test]
fn lines_do_what_the_tables_say() {
    let policy = Policy::from_parts(Vec::new(), builtin::DEFAULTS);
    let wanted = std::env::var("RULEWARD_CASE").ok();
    let (mut wrong, mut failed, mut cases) = (String::new(), 0, 0);
    for (path, table) in case_files() {
        let file = path.file_name().unwrap().to_string_lossy();
        assert!(table.class.is_some() || table.about.is_some(), "{file} does not say what it is about");
        for case in table.cases {
            if wanted.as_ref().is_some_and(|text| !case.name().contains(text)) {
                continue;
            }
            cases += 1;
            let found = case.judge(case.dialect.unwrap_or(table.dialect), table.windows, &policy);
            if wanted.is_some() {
                println!("{}", case.report(&found));
            }
            let mut differences = case.differences(&found);
            if has_no_expectations(&case) {
                differences.push("nothing is expected of it".into());
            }
            if differences.is_empty() {
                continue;
            }
            failed += 1;
            let why = case.why.as_ref().map(|why| format!("  ({why})")).unwrap_or_default();
            writeln!(wrong, "{file}: {}{why}\n    {}", case.name(), differences.join("\n    ")).unwrap();
        }
    }
    println!("{cases} cases");
    assert!(failed == 0, "{failed} of {cases} cases are wrong:\n{wrong}");
}
