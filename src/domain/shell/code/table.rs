//! The functions of other languages that run commands and touch files. This file is a table.
//!
//! A name that is common in other meanings counts only behind the module it belongs to, so that
//! `list.remove(x)` deletes no file.

/// What a call does with its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// Runs the first argument: a text as shell code, a list as a program and its arguments.
    Shell,
    /// Runs the first argument as a program with the arguments behind it.
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
}

/// Where a name counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Wherever it stands.
    Any,
    /// Alone, or behind one of [`MODULES`].
    Module,
}

/// A function.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) name: &'static str,
    pub(crate) meaning: Meaning,
    pub(crate) scope: Scope,
}

const fn any(name: &'static str, meaning: Meaning) -> Row {
    Row { name, meaning, scope: Scope::Any }
}

const fn own(name: &'static str, meaning: Meaning) -> Row {
    Row { name, meaning, scope: Scope::Module }
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

pub(crate) const CALLS: &[Row] = &[
    any("system", Meaning::Shell),
    any("popen", Meaning::Shell),
    any("popen2", Meaning::Shell),
    any("popen3", Meaning::Shell),
    any("Popen", Meaning::Shell),
    any("check_output", Meaning::Shell),
    any("check_call", Meaning::Shell),
    any("getoutput", Meaning::Shell),
    any("getstatusoutput", Meaning::Shell),
    any("create_subprocess_shell", Meaning::Shell),
    any("create_subprocess_exec", Meaning::Argv),
    any("execSync", Meaning::Shell),
    any("shell_exec", Meaning::Shell),
    any("passthru", Meaning::Shell),
    any("proc_open", Meaning::Shell),
    any("capture2", Meaning::Shell),
    any("capture3", Meaning::Shell),
    own("run", Meaning::Shell),
    own("call", Meaning::Shell),
    own("exec", Meaning::Shell),
    own("execute", Meaning::Shell),
    own("eval", Meaning::Code),
    own("spawn", Meaning::Argv),
    any("spawnSync", Meaning::Argv),
    any("execFile", Meaning::Argv),
    any("execFileSync", Meaning::Argv),
    any("execl", Meaning::Argv),
    any("execlp", Meaning::Argv),
    any("execv", Meaning::Argv),
    any("execvp", Meaning::Argv),
    any("execve", Meaning::Argv),
    any("rmtree", Meaning::Delete),
    any("remove_tree", Meaning::Delete),
    any("removedirs", Meaning::Delete),
    any("rmSync", Meaning::Delete),
    any("rmdirSync", Meaning::Delete),
    any("unlinkSync", Meaning::Delete),
    any("removeSync", Meaning::Delete),
    any("emptyDirSync", Meaning::Delete),
    any("rimraf", Meaning::Delete),
    any("rm_rf", Meaning::Delete),
    any("rm_r", Meaning::Delete),
    any("rm_f", Meaning::Delete),
    any("remove_dir", Meaning::Delete),
    any("remove_entry_secure", Meaning::Delete),
    any("unlink", Meaning::Delete),
    own("rm", Meaning::Delete),
    own("rmdir", Meaning::Delete),
    own("remove", Meaning::Delete),
    own("delete", Meaning::Delete),
    any("readFileSync", Meaning::Read),
    any("readFile", Meaning::Read),
    any("readTextFile", Meaning::Read),
    any("readTextFileSync", Meaning::Read),
    any("createReadStream", Meaning::Read),
    any("file_get_contents", Meaning::Read),
    any("readfile", Meaning::Read),
    any("readlines", Meaning::Read),
    any("foreach", Meaning::Read),
    any("copyFileSync", Meaning::Copy),
    any("cpSync", Meaning::Copy),
    any("copyFile", Meaning::Copy),
    any("copyfile", Meaning::Copy),
    any("copytree", Meaning::Copy),
    any("copy2", Meaning::Copy),
    own("read", Meaning::Read),
    own("lines", Meaning::Read),
    own("file", Meaning::Read),
    own("copy", Meaning::Copy),
    any("writeFileSync", Meaning::Write),
    any("writeFile", Meaning::Write),
    any("writeTextFile", Meaning::Write),
    any("writeTextFileSync", Meaning::Write),
    any("appendFileSync", Meaning::Write),
    any("appendFile", Meaning::Write),
    any("createWriteStream", Meaning::Write),
    any("truncateSync", Meaning::Write),
    any("file_put_contents", Meaning::Write),
    any("chmodSync", Meaning::Mode),
    any("chownSync", Meaning::Mode),
    any("lchown", Meaning::Mode),
    any("symlinkSync", Meaning::Link),
    any("linkSync", Meaning::Link),
    any("symlink", Meaning::Link),
    any("ln_s", Meaning::Link),
    any("ln_sf", Meaning::Link),
    own("write", Meaning::Write),
    own("truncate", Meaning::Write),
    own("chmod", Meaning::Mode),
    own("chown", Meaning::Mode),
    own("link", Meaning::Link),
    own("ln", Meaning::Link),
    own("open", Meaning::Open),
    any("fopen", Meaning::Open),
    any("openSync", Meaning::Open),
    any("renameSync", Meaning::Move),
    own("rename", Meaning::Move),
    own("replace", Meaning::Move),
    own("move", Meaning::Move),
    own("mv", Meaning::Move),
    any("shell-command", Meaning::Shell),
    any("shell-command-to-string", Meaning::Shell),
    any("call-process", Meaning::Argv),
    any("start-process", Meaning::Argv),
    any("run-program", Meaning::Argv),
    any("process", Meaning::Argv),
    any("sh", Meaning::Argv),
    any("shell", Meaning::Shell),
    any("delete-directory", Meaning::Delete),
    any("delete-file", Meaning::Delete),
    any("callCommand", Meaning::Shell),
    any("posix_spawn", Meaning::Argv),
    any("spawnl", Meaning::Argv),
    any("spawnlp", Meaning::Argv),
    any("spawnv", Meaning::Argv),
    any("spawnvp", Meaning::Argv),
    any("execlpe", Meaning::Argv),
    any("execvpe", Meaning::Argv),
    own("cmd", Meaning::Argv),
    own("Command", Meaning::Argv),
    any("removeDirectoryRecursive", Meaning::Delete),
];
