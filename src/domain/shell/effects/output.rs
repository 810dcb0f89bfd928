//! Files that are written besides what a command is about: by options that many programs have, and by variables.

use super::{Access, FileCollector, output_table};
use crate::domain::shell::actions::assigned_variables;
use crate::domain::shell::arguments;
use crate::domain::shell::script::{Command, Word};

/// The variables whose value is a file that programs write to.
const FILE_VARIABLES: &[&str] = &[
    "GIT_TRACE",
    "GIT_TRACE2",
    "HISTFILE",
    "LESSHISTFILE",
    "MYSQL_HISTFILE",
    "MARIADB_HISTFILE",
    "PSQL_HISTORY",
    "SQLITE_HISTORY",
    "NODE_REPL_HISTORY",
    "PYTHON_HISTORY",
    "PYTHONHISTFILE",
    "RLWRAP_HOME",
    "REDISCLI_HISTFILE",
    "SSLKEYLOGFILE",
    "COVERAGE_FILE",
    "LLVM_PROFILE_FILE",
    "MALLOC_TRACE",
    "LD_DEBUG_OUTPUT",
    "PIP_LOG",
    "NPM_CONFIG_LOGFILE",
    "GST_DEBUG_FILE",
    "LIBGUESTFS_TRACE",
    "TF_LOG_PATH",
    "QT_LOGGING_OUTPUT",
    "CARGO_LOG_FILE",
];

/// The beginnings of such names.
const FILE_VARIABLE_FAMILIES: &[&str] = &["GIT_TRACE_", "GIT_TRACE2_"];

/// The variables whose value is a directory that programs fill.
const DIRECTORY_VARIABLES: &[&str] = &[
    "NODE_V8_COVERAGE",
    "GCOV_PREFIX",
    "GOCOVERDIR",
    "NODE_REPORT_DIRECTORY",
    "NPM_CONFIG_LOGS_DIR",
    "npm_config_logs_dir",
];

impl FileCollector {
    /// Records the files that a command's options name for logs, reports and results.
    pub(super) fn add_outputs(&mut self, program: &str, command: &Command) {
        let first = command.operands().first().map_or("", |word| word.text.as_str());
        for row in output_table::rows(program, first) {
            let known: Vec<&str> = [row.files, row.directories, row.others].concat();
            let arguments = arguments::parse(&command.words, command.dialect, &known);
            self.add_all(arguments.values(row.files), Access::Write);
            for directory in arguments.values(row.directories) {
                self.add(directory, Access::Write);
                self.add_tree(directory, Access::Write);
            }
            if program == "script" {
                self.add_all(arguments.operands.first().copied(), Access::Write);
            }
        }
    }

    /// Records the files that variables tell programs to write.
    pub(super) fn add_variable_files(&mut self, command: &Command) {
        let names_variables = matches!(
            command.program(),
            "export" | "declare" | "typeset" | "readonly" | "local" | "set" | "setenv" | "setx"
        );
        if command.assignments.is_empty() && !names_variables {
            return;
        }
        for (name, value) in assigned_variables(command) {
            let name = name.as_str();
            if FILE_VARIABLES.contains(&name) || FILE_VARIABLE_FAMILIES.iter().any(|start| name.starts_with(start)) {
                self.add_all(Some(&value).filter(|value| is_path(value)), Access::Write);
            } else if DIRECTORY_VARIABLES.contains(&name) {
                self.add_tree(&value, Access::Write);
            }
        }
    }
}

/// Returns whether the value of a variable is a path and not a switch: `GIT_TRACE=1`.
fn is_path(value: &Word) -> bool {
    value.text.contains(['/', '\\']) || value.text.starts_with('~') || value.text.contains('.')
}
