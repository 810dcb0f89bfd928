//! The functions of other languages that run commands and touch files. This file is a table.
//!
//! A name that is common with other meanings counts only after the module it belongs to, so that `list.remove(x)`
//! deletes no file.

/// What a call does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum CallKind {
    /// Runs the first argument: a text as shell code, a list as a program and its arguments.
    Shell,
    /// Runs the first argument as a program with the arguments after it.
    Argv,
    /// Runs the first argument as code of the same language.
    Code,
    Read,
    Write,
    Delete,
    /// Reads or writes, as the last short text among the arguments says.
    Open,
    /// Moves the first to the second.
    Move,
    /// Copies the first to the second.
    Copy,
    /// Changes the mode or the owner of the first.
    Mode,
    /// Makes a link to the first, of the name of the second.
    Link,
    /// Changes the working directory to the first.
    ChangeDirectory,
}

/// Where a name counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NameScope {
    /// Wherever it is.
    Any,
    /// Alone, or after one of [`MODULES`].
    Module,
}

/// A function.
#[derive(Debug)]
pub(crate) struct FunctionRow {
    pub(crate) name: &'static str,
    pub(crate) kind: CallKind,
    pub(crate) scope: NameScope,
}

const fn any(name: &'static str, meaning: CallKind) -> FunctionRow {
    FunctionRow { name, kind: meaning, scope: NameScope::Any }
}

const fn module_only(name: &'static str, meaning: CallKind) -> FunctionRow {
    FunctionRow { name, kind: meaning, scope: NameScope::Module }
}

/// The modules whose functions have names that others use as well.
pub(crate) const MODULES: &[&str] = &[
    "os",
    "shutil",
    "subprocess",
    "sp",
    "fs",
    "fsp",
    "promises",
    "fsPromises",
    "fse",
    "child_process",
    "cp",
    "File",
    "FileUtils",
    "IO",
    "Dir",
    "Kernel",
    "Process",
    "Open3",
    "Deno",
    "Bun",
    "io",
    "pathlib",
    "asyncio",
    "pty",
    "commands",
    "path",
    "Path",
    "fileinput",
    "System",
    "Sys",
];

pub(crate) const FUNCTIONS: &[FunctionRow] = &[
    any("chdir", CallKind::ChangeDirectory),
    any("system", CallKind::Shell),
    any("popen", CallKind::Shell),
    any("popen2", CallKind::Shell),
    any("popen3", CallKind::Shell),
    any("Popen", CallKind::Shell),
    any("check_output", CallKind::Shell),
    any("check_call", CallKind::Shell),
    any("getoutput", CallKind::Shell),
    any("getstatusoutput", CallKind::Shell),
    any("create_subprocess_shell", CallKind::Shell),
    any("create_subprocess_exec", CallKind::Argv),
    any("execSync", CallKind::Shell),
    any("shell_exec", CallKind::Shell),
    any("passthru", CallKind::Shell),
    any("proc_open", CallKind::Shell),
    any("capture2", CallKind::Shell),
    any("capture3", CallKind::Shell),
    module_only("run", CallKind::Shell),
    module_only("call", CallKind::Shell),
    module_only("exec", CallKind::Shell),
    module_only("execute", CallKind::Shell),
    module_only("eval", CallKind::Code),
    module_only("spawn", CallKind::Argv),
    any("spawnSync", CallKind::Argv),
    any("execFile", CallKind::Argv),
    any("execFileSync", CallKind::Argv),
    any("execl", CallKind::Argv),
    any("execlp", CallKind::Argv),
    any("execv", CallKind::Argv),
    any("execvp", CallKind::Argv),
    any("execve", CallKind::Argv),
    any("rmtree", CallKind::Delete),
    any("remove_tree", CallKind::Delete),
    any("removedirs", CallKind::Delete),
    any("rmSync", CallKind::Delete),
    any("rmdirSync", CallKind::Delete),
    any("unlinkSync", CallKind::Delete),
    any("removeSync", CallKind::Delete),
    any("emptyDirSync", CallKind::Delete),
    any("rimraf", CallKind::Delete),
    any("rm_rf", CallKind::Delete),
    any("rm_r", CallKind::Delete),
    any("rm_f", CallKind::Delete),
    any("remove_dir", CallKind::Delete),
    any("remove_entry_secure", CallKind::Delete),
    any("unlink", CallKind::Delete),
    module_only("rm", CallKind::Delete),
    module_only("rmdir", CallKind::Delete),
    module_only("remove", CallKind::Delete),
    module_only("delete", CallKind::Delete),
    any("readFileSync", CallKind::Read),
    any("readFile", CallKind::Read),
    any("readTextFile", CallKind::Read),
    any("readTextFileSync", CallKind::Read),
    any("createReadStream", CallKind::Read),
    any("file_get_contents", CallKind::Read),
    any("readfile", CallKind::Read),
    any("readlines", CallKind::Read),
    any("foreach", CallKind::Read),
    any("copyFileSync", CallKind::Copy),
    any("cpSync", CallKind::Copy),
    any("copyFile", CallKind::Copy),
    any("copyfile", CallKind::Copy),
    any("copytree", CallKind::Copy),
    any("copy2", CallKind::Copy),
    module_only("read", CallKind::Read),
    module_only("lines", CallKind::Read),
    module_only("file", CallKind::Read),
    module_only("copy", CallKind::Copy),
    any("writeFileSync", CallKind::Write),
    any("writeFile", CallKind::Write),
    any("writeTextFile", CallKind::Write),
    any("writeTextFileSync", CallKind::Write),
    any("appendFileSync", CallKind::Write),
    any("appendFile", CallKind::Write),
    any("createWriteStream", CallKind::Write),
    any("truncateSync", CallKind::Write),
    any("file_put_contents", CallKind::Write),
    any("chmodSync", CallKind::Mode),
    any("chownSync", CallKind::Mode),
    any("lchown", CallKind::Mode),
    any("symlinkSync", CallKind::Link),
    any("linkSync", CallKind::Link),
    any("symlink", CallKind::Link),
    any("ln_s", CallKind::Link),
    any("ln_sf", CallKind::Link),
    module_only("write", CallKind::Write),
    module_only("truncate", CallKind::Write),
    module_only("chmod", CallKind::Mode),
    module_only("chown", CallKind::Mode),
    module_only("link", CallKind::Link),
    module_only("ln", CallKind::Link),
    module_only("open", CallKind::Open),
    any("fopen", CallKind::Open),
    any("openSync", CallKind::Open),
    any("renameSync", CallKind::Move),
    module_only("rename", CallKind::Move),
    module_only("replace", CallKind::Move),
    module_only("move", CallKind::Move),
    module_only("mv", CallKind::Move),
    any("shell-command", CallKind::Shell),
    any("shell-command-to-string", CallKind::Shell),
    any("call-process", CallKind::Argv),
    any("start-process", CallKind::Argv),
    any("run-program", CallKind::Argv),
    any("process", CallKind::Argv),
    any("sh", CallKind::Argv),
    any("shell", CallKind::Shell),
    any("delete-directory", CallKind::Delete),
    any("delete-file", CallKind::Delete),
    any("callCommand", CallKind::Shell),
    any("posix_spawn", CallKind::Argv),
    any("spawnl", CallKind::Argv),
    any("spawnlp", CallKind::Argv),
    any("spawnv", CallKind::Argv),
    any("spawnvp", CallKind::Argv),
    any("execlpe", CallKind::Argv),
    any("execvpe", CallKind::Argv),
    module_only("cmd", CallKind::Argv),
    module_only("Command", CallKind::Argv),
    any("removeDirectoryRecursive", CallKind::Delete),
];
