//! What must hold of a command besides its words: each check of a row, and the small languages that programs read.

mod find;
mod project;
mod sed;
mod sql;

use super::arguments::is_name;
use super::command::Site;
use super::row::{Check, TreeReader};
use super::tree::TreeFilter;
use super::{Proved, Prover, gap};
use project::{manifest_script, targets};

/// Words of awk that run programs, read or write other files, or show the environment.
const AWK_WORDS: &[&str] = &[
    "system", "getline", "ENVIRON", "ARGV", "ARGC", "PROCINFO", "SYMTAB", "FUNCTAB", "close", "fflush", "load",
    "include",
];

/// Words of jq, yq and their like that show the environment, or read or write other files.
const FILTER_WORDS: &[&str] = &[
    "env",
    "$ENV",
    "ENV",
    "import",
    "include",
    "input_filename",
    "load",
    "load_str",
    "load_xml",
    "load_props",
    "load_base64",
    "load_yaml",
    "strload",
    "envsubst",
    "strenv",
    "system",
    "exec",
    "eval",
    "split_doc",
    "get_search_list",
    "modulemeta",
];

/// Kinds of objects of a cluster whose tables hold no credentials.
const KUBERNETES_KINDS: &[&str] = &[
    "pods",
    "pod",
    "po",
    "deployments",
    "deployment",
    "deploy",
    "services",
    "service",
    "svc",
    "nodes",
    "node",
    "no",
    "namespaces",
    "namespace",
    "ns",
    "ingress",
    "ingresses",
    "ing",
    "jobs",
    "job",
    "cronjobs",
    "cronjob",
    "cj",
    "daemonsets",
    "daemonset",
    "ds",
    "statefulsets",
    "statefulset",
    "sts",
    "replicasets",
    "replicaset",
    "rs",
    "hpa",
    "pvc",
    "pv",
    "events",
    "ev",
    "endpoints",
    "ep",
    "storageclass",
    "sc",
    "networkpolicies",
    "netpol",
    "pdb",
    "crd",
    "crds",
    "all",
];

impl Prover<'_, '_> {
    /// Checks what must hold of a command besides its words.
    pub(super) fn check(&self, check: Check, site: &Site<'_>) -> Proved {
        let first = site.arguments.operands.first().map_or("", |it| it.text.as_str());
        match check {
            Check::Sed | Check::Awk | Check::Jq | Check::Find | Check::Sql | Check::Test | Check::Tree(_) => {
                self.check_language(check, site, first)
            }
            Check::Git
            | Check::GitUnless(_)
            | Check::GitListing(_)
            | Check::GitContent
            | Check::GitNames
            | Check::GitSetting
            | Check::GitRemotes
            | Check::GitService => self.check_git(check, site, first),
            Check::RustToolchain => self.rust_toolchain(site.directory),
            Check::NodeManager => self.node_manager(site),
            Check::Python => self.python(site),
            Check::Project => self.project_is_unchanged(site.directory),
            Check::Script => manifest_script(site),
            Check::Target => targets(site),
            Check::InsidePaths => site.arguments.operands.iter().skip(1).try_for_each(|it| {
                let path = self.resolve(&it.text, site.directory)?;
                self.unprotected(&path)?;
                self.inside(&path)
            }),
            _ => check_words(check, site),
        }
    }

    /// Checks the small languages that programs read, and where they search.
    fn check_language(&self, check: Check, site: &Site<'_>, first: &str) -> Proved {
        let operands = &site.arguments.operands;
        let script = site.arguments.values("-e").next().unwrap_or(first);
        match check {
            Check::Sed => {
                let given = site.arguments.values("-e").chain(site.arguments.values("--expression"));
                let scripts: Vec<&str> = given.collect();
                if scripts.is_empty() { sed::check(first) } else { scripts.into_iter().try_for_each(sed::check) }
            }
            Check::Awk if is_plain_awk(script) => Ok(()),
            Check::Awk => gap("the program of awk may do more than print"),
            Check::Jq if is_plain_filter(script) => Ok(()),
            Check::Jq => gap("the filter may show more than its input"),
            Check::Find => self.find_expression(site),
            Check::Sql if site.name == "sqlite3" => {
                self.readable(&self.resolve(first, site.directory)?)?;
                sql::check(operands.iter().skip(1).map(|it| it.text.as_str()), site)
            }
            Check::Sql => sql::check(operands.iter().skip(1).map(|it| it.text.as_str()), site),
            Check::Test => {
                check_test(site)?;
                let paths = operands.iter().filter(|it| it.text.contains('/') && !it.is_computed);
                paths.into_iter().try_for_each(|it| self.inside(&self.resolve(&it.text, site.directory)?))
            }
            Check::Tree(TreeReader::Grep) => self.check_grep(site),
            _ => Ok(()),
        }
    }

    /// Checks what git runs and shows.
    fn check_git(&self, check: Check, site: &Site<'_>, first: &str) -> Proved {
        let operands = &site.arguments.operands;
        match check {
            Check::GitUnless(names) if site.arguments.has(names) => Ok(()),
            Check::Git | Check::GitUnless(_) => self.git_is_inert(site.directory),
            Check::GitListing(names) => {
                if !operands.is_empty() && !site.arguments.has(names) {
                    return gap(format!("`{}` with a name makes or changes something", site.name.replace(':', " ")));
                }
                self.git_names(site)
            }
            Check::GitContent => self.git_content(site),
            Check::GitNames => self.git_names(site),
            Check::GitSetting => git_setting(first),
            Check::GitRemotes => self.git_remotes(site.directory),
            _ => self.git_service(site),
        }
    }

    /// Checks a search of files by grep: without an option for it, directories are not read.
    fn check_grep(&self, site: &Site<'_>) -> Proved {
        let is_recursive = site.arguments.has(&["-r", "-R", "--recursive"]);
        let has_target = site.arguments.operands.len() > usize::from(!site.arguments.has(&["-e", "--regexp"]));
        if is_recursive && !has_target && !site.is_piped {
            let filter = TreeFilter::of(TreeReader::Grep, &site.arguments, site.directory);
            return self.readable_tree(site.directory, &filter);
        }
        Ok(())
    }
}

/// Checks which words a command is given.
fn check_words(check: Check, site: &Site<'_>) -> Proved {
    let operands = &site.arguments.operands;
    match check {
        Check::NoOperandIs(words) => {
            let found = operands.iter().find(|it| words.contains(&it.text.as_str()));
            found.map_or(Ok(()), |it| gap(format!("`{}` does more than read", it.text)))
        }
        Check::OneOf(names) if site.arguments.has(names) => Ok(()),
        Check::OneOf(names) => gap(format!("`{}` without one of {}", site.name, names.join(", "))),
        Check::AtMost(most) if operands.len() <= most => Ok(()),
        Check::AtMost(_) => gap(format!("`{}` with so many arguments", site.name)),
        Check::OperandIs(words) | Check::FirstIs(words) => {
            let checked = if matches!(check, Check::FirstIs(_)) { 1 } else { operands.len() };
            let odd = operands.iter().take(checked).find(|it| !words.contains(&it.text.as_str()));
            match odd {
                _ if operands.is_empty() => gap(format!("`{}` without an argument", site.name)),
                Some(it) => gap(format!("`{} {}` is not in the table", site.name, it.text)),
                None => Ok(()),
            }
        }
        Check::PlainNames => {
            let odd = operands.iter().find(|it| it.is_expanded || !is_name(&it.text));
            odd.map_or(Ok(()), |it| gap(format!("`{}` is no plain name", it.text)))
        }
        Check::Format => {
            let odd = operands.iter().find(|it| !it.text.starts_with('+'));
            odd.map_or(Ok(()), |it| gap(format!("`{}` may set the clock", it.text)))
        }
        Check::OwnHost => {
            let odd = operands.iter().find(|it| it.text.matches('/').count() > 1);
            odd.map_or(Ok(()), |it| gap(format!("`{}` names a host", it.text)))
        }
        Check::LocalArchive => {
            let named = ["-f", "--file"].into_iter().flat_map(|name| site.arguments.values(name));
            let odd = named.into_iter().find(|name| name.contains(':'));
            odd.map_or(Ok(()), |name| gap(format!("`{name}` may be on another machine")))
        }
        Check::SomeOperand if operands.is_empty() => gap(format!("`{}` without an argument", site.name)),
        Check::KubernetesKind => {
            let is_known = |kind: &str| KUBERNETES_KINDS.contains(&kind.split('/').next().unwrap_or_default());
            let named = operands.iter().enumerate().filter(|(at, it)| *at == 0 || it.text.contains('/'));
            let odd = named.into_iter().find(|(_, it)| !it.text.split(',').all(is_known));
            odd.map_or(Ok(()), |(_, it)| gap(format!("`{}` may hold credentials", it.text)))
        }
        _ => Ok(()),
    }
}

/// Returns whether words of a language occur in a text as whole words. `before` are characters that make another word
/// of them.
fn has_word(text: &str, words: &[&str], before: &[char]) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let previous = text.get(..at).and_then(|text| text.chars().next_back());
            let next = text.get(at + word.len()..).and_then(|text| text.chars().next());
            !previous.is_some_and(|c| is_part(c) || before.contains(&c)) && !next.is_some_and(is_part)
        })
    })
}

/// Returns whether a program of awk only prints what it reads.
fn is_plain_awk(program: &str) -> bool {
    let without_or = program.replace("||", "");
    !program.is_empty() && !without_or.contains(['|', '>', '@', '`']) && !has_word(program, AWK_WORDS, &[])
}

/// Returns whether a filter of jq or yq shows nothing but what it reads.
pub(super) fn is_plain_filter(filter: &str) -> bool {
    !has_word(filter, FILTER_WORDS, &['.', '"'])
}

/// Checks a test of the shell: arithmetic could run code that is in a value.
fn check_test(site: &Site<'_>) -> Proved {
    const OPERATORS: &[&str] = &[
        "-f", "-d", "-e", "-s", "-r", "-w", "-x", "-L", "-h", "-n", "-z", "=", "==", "!=", "!", "]", "-a", "-o", "-nt",
        "-ot", "-p", "-S", "-b", "-c", "-g", "-u", "-k", "-O", "-G", "-t",
    ];
    const NUMBERS: &[&str] = &["-eq", "-ne", "-lt", "-le", "-gt", "-ge"];
    let is_odd = |text: &str| {
        let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
        let is_option = text.starts_with('-') && text.len() > 1;
        let is_known = OPERATORS.contains(&text) || NUMBERS.contains(&text) || is_number;
        (is_option && !is_known) || text.contains(['[', '$', '`', '('])
    };
    let words = site.text.split(' ').skip(1);
    match words.into_iter().find(|word| is_odd(word)) {
        Some(word) => gap(format!("`{word}` in a test")),
        None => Ok(()),
    }
}

/// Checks that a setting of git holds no credentials.
fn git_setting(name: &str) -> Proved {
    let lower = name.to_lowercase();
    let known =
        ["user.", "core.", "branch.", "init.", "pull.", "push.", "merge.", "rebase.", "diff.", "color.", "commit."];
    let odd = ["askpass", "command", "proxy", "credential", "token", "header", "password", "helper"];
    if known.iter().any(|start| lower.starts_with(start)) && !odd.iter().any(|word| lower.contains(word)) {
        Ok(())
    } else {
        gap(format!("the setting `{name}` may hold credentials"))
    }
}

#[cfg(test)]
mod tests {
    use super::{is_plain_awk, is_plain_filter};

    #[test]
    fn programs_of_awk_and_jq_only_print() {
        for program in ["{print $1}", "NR==1 || /x/ {print}", "BEGIN{FS=\":\"} {n++} END{print n}"] {
            assert!(is_plain_awk(program), "{program}");
        }
        for program in [
            "{system(\"ls\")}",
            "{print > \"x\"}",
            "{print | \"sh\"}",
            "BEGIN{while((getline l<\"x\"))print l}",
            "{print ENVIRON[\"A\"]}",
            "BEGIN{ARGV[1]=\"x\"}",
            "@load \"x\"",
            "",
        ] {
            assert!(!is_plain_awk(program), "{program}");
        }
        for filter in [".", ".env", ".a[] | .b", "map(select(.x==1))", ".\"env\"", ".environment"] {
            assert!(is_plain_filter(filter), "{filter}");
        }
        for filter in ["env", "$ENV", ".a | env.TOKEN", "load(\"x\")", "import \"a\" as a; .", "$ENV.PATH", "[env]"] {
            assert!(!is_plain_filter(filter), "{filter}");
        }
    }
}
