//! Options by which programs write files besides what they are about: logs, reports, results. This file is a table.
//!
//! A program is listed here when only its options name what is written. What its operands are is in `role_table.rs` or
//! in a file of its own, which may name the same options.

use crate::domain::shell::index::index_of;

/// The options of a program, or of a program's subcommand, that name what is written.
#[derive(Debug)]
pub(super) struct OutputRow {
    /// Programs, separated by commas, each with its subcommand after a blank.
    path: &'static str,
    /// The options whose value is a file.
    pub(super) files: &'static [&'static str],
    /// The options whose value is a directory that is filled with files.
    pub(super) directories: &'static [&'static str],
    /// The other options with a value, as far as the table of options does not know them.
    pub(super) others: &'static [&'static str],
}

const fn files(path: &'static str, files: &'static [&'static str]) -> OutputRow {
    OutputRow { path, files, directories: &[], others: &[] }
}

impl OutputRow {
    const fn with_directories(self, directories: &'static [&'static str]) -> Self {
        Self { directories, ..self }
    }

    const fn with_others(self, others: &'static [&'static str]) -> Self {
        Self { others, ..self }
    }
}

/// The names in front of the subcommands, by which rows are found.
macro_rules! output_rows {
    ($($programs:literal => $row:expr),* $(,)?) => {
        static PROGRAMS: &[ProgramNames] = &[$(ProgramNames { programs: $programs }),*];
        static ROWS: &[OutputRow] = &[$($row),*];
    };
}

/// The programs of a row.
#[derive(Debug)]
struct ProgramNames {
    programs: &'static str,
}

index_of!(PROGRAMS, programs, b' ');

/// Returns the rows of a program whose first operand is this one.
pub(super) fn rows(program: &str, first: &str) -> impl Iterator<Item = &'static OutputRow> {
    let is_named = move |row: &&OutputRow| {
        row.path.split(',').any(|path| match path.split_once(' ') {
            Some((name, verb)) => name == program && verb == first,
            None => path == program,
        })
    };
    INDEX.rows(program).filter_map(|row| ROWS.get(row)).filter(is_named)
}

output_rows! {
    "ruleward" => files("ruleward report,ruleward import", &["-o", "--output"]).with_others(&["--last", "--since", "--from"]),
    "ruleward" => files("ruleward man,ruleward init", &[]).with_directories(&["--out", "--dir"]),
    "strace ltrace perf heaptrack time gtime" => files("strace,ltrace,perf,heaptrack,time,gtime", &["-o", "--output"]),
    "valgrind" => files("valgrind", &["--log-file", "--xml-file"]),
    "ssh autossh" => files("ssh,autossh", &["-E"]),
    "iconv shuf gshuf xmllint xsltproc uudecode dot neato sassc" => files("iconv,shuf,gshuf,xmllint,xsltproc,uudecode,dot,neato,sassc", &["-o", "--output"]),
    "tidy" => files("tidy", &["-o", "-output", "-f", "-file"]),
    "ld as nasm yasm rustc" => files("ld,as,nasm,yasm,rustc", &["-o"]).with_directories(&["--out-dir"]),
    "gcc g++ cc c++ clang clang++" => files("gcc,g++,cc,c++,clang,clang++", &["-MF"]),
    "objcopy strip" => files("objcopy,strip", &["-o"]),
    "curl" => files("curl", &["--hsts", "--alt-svc", "--etag-save", "--libcurl"]),
    "wget" => files("wget", &["--save-cookies", "--hsts-file", "--warc-file", "--rejected-log"]),
    "aria2c" => files("aria2c", &["-o", "--out", "-l", "--log", "--save-session"]).with_directories(&["-d", "--dir"]),
    "rsync" => files("rsync", &["--log-file", "--write-batch", "--only-write-batch"]).with_directories(&["--backup-dir", "--partial-dir"]),
    "parallel" => files("parallel", &["--joblog"]).with_directories(&["--results"]),
    "tcpdump tshark dumpcap" => files("tcpdump,tshark,dumpcap", &["-w"]),
    "nc ncat netcat" => files("nc,ncat,netcat", &["-o", "--output", "--hex-dump"]),
    "nmap" => files("nmap", &["-oN", "-oX", "-oG", "-oA", "-oS"]),
    "docker podman nerdctl" => files("docker save,podman save,nerdctl save,docker export,podman export,docker sbom", &["-o", "--output"]),
    "docker podman" => files("docker run,podman run,docker create,docker build,podman build", &["--cidfile", "--iidfile", "--metadata-file"]),
    "terraform tofu terragrunt" => files("terraform,tofu,terragrunt", &["-out", "-state-out"]),
    "helm" => files("helm", &[]).with_directories(&["--output-dir"]),
    "npm pnpm yarn" => files("npm pack,pnpm pack,yarn pack", &[]).with_directories(&["--pack-destination"]),
    "pip pip3" => files("pip,pip3", &["--log"]).with_directories(&["-t", "--target"]),
    "go" => files("go build,go test", &["-o", "-coverprofile", "-cpuprofile", "-memprofile", "-blockprofile", "-mutexprofile", "-trace"]),
    "tsc" => files("tsc", &["--outFile", "--tsBuildInfoFile"]).with_directories(&["--outDir", "--declarationDir"]),
    "esbuild" => files("esbuild", &["--outfile", "--metafile"]).with_directories(&["--outdir"]),
    "node" => files("node", &["--trace-event-file-pattern"]).with_directories(&["--cpu-prof-dir", "--heap-prof-dir", "--diagnostic-dir"]),
    "pytest" => files("pytest", &["--junitxml", "--junit-xml", "--log-file", "--report-log"]),
    "eslint prettier stylelint" => files("eslint,prettier,stylelint", &["-o", "--output-file"]),
    "jest vitest" => files("jest,vitest", &["--outputFile"]),
    "psql" => files("psql", &["-o", "--output", "-L", "--log-file"]),
    "pg_dump pg_dumpall" => files("pg_dump,pg_dumpall", &["-f", "--file"]),
    "mysqldump mariadb-dump" => files("mysqldump,mariadb-dump", &["-r", "--result-file"]).with_directories(&["-T", "--tab"]),
    "mysql mariadb" => files("mysql,mariadb", &["--tee"]),
    "mongodump" => files("mongodump", &["--archive"]).with_directories(&["-o", "--out"]),
    "redis-cli" => files("redis-cli", &["--rdb", "--functions-rdb"]),
    "script" => files("script", &["-O", "--log-out", "-B", "--log-io", "-I", "--log-in", "-T", "--log-timing"]).with_others(&["-c", "--command", "-E", "--echo", "-m", "--logging-format", "-o", "--output-limit"]),
    "screen" => files("screen", &["-Logfile"]),
    "git" => files("git format-patch,git range-diff,git shortlog,git diff-tree,git diff-index,git diff-files,git whatchanged,git stash,git blame", &["--output"]),
    "git" => files("git bugreport,git diagnose", &[]).with_directories(&["-o", "--output-directory"]),
    "git" => files("git fast-export,git fast-import", &["--export-marks", "--import-marks"]),
    "git" => files("git init,git clone", &[]).with_directories(&["--separate-git-dir"]),
    "openssl" => files("openssl", &["-writerand", "-keyout"]),
    "zstd" => files("zstd", &["-o"]),
}
