//! Programs that send data over the network. This file is a table.
//!
//! A row names programs, the words that have to follow in order among the operands, and where the
//! data stands. Options in a row are those of these programs alone.

use crate::domain::shell::index::index_of;

/// Where what is sent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Data {
    /// The value of one of these options: as told for each.
    Options(&'static [(&'static str, Value)]),
    /// The operands are files.
    Operands,
    /// The last operand is elsewhere when it looks like this, and the others are files.
    To(Target),
    /// What comes through a pipe or a redirection.
    Input,
    /// Whatever the program has of its own, such as commits or an image.
    Own,
}

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Value {
    /// Text; a file behind `@`.
    TextOrFile,
    /// `name=value`; a file behind `@` or `<`.
    Form,
    /// A file; `-` for the standard input.
    File,
    /// Text.
    Text,
    /// A method, which sends something unless it is one that only asks.
    Method,
}

/// How a place on another machine is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Target {
    /// `host:path`, or an address.
    Host,
    /// An address of one of these schemes.
    Scheme(&'static [&'static str]),
    /// `remote:path`, where a remote may have any name.
    Remote,
}

/// A way to send.
#[derive(Debug)]
pub(super) struct Row {
    /// Their names, separated by blanks.
    pub(super) programs: &'static str,
    /// The first operands, one of several where they are separated by `|`.
    pub(super) verbs: &'static [&'static str],
    pub(super) data: Data,
    /// Where it goes when the line does not say.
    pub(super) host: &'static str,
}

const fn row(programs: &'static str, verbs: &'static [&'static str], data: Data) -> Row {
    Row { programs, verbs, data, host: "" }
}

impl Row {
    const fn to(self, host: &'static str) -> Self {
        Self { host, ..self }
    }
}

use Value::{File, Form, Method, Text, TextOrFile};

const CURL: Data = Data::Options(&[
    ("-d", TextOrFile),
    ("--data", TextOrFile),
    ("--data-ascii", TextOrFile),
    ("--data-binary", TextOrFile),
    ("--data-raw", Text),
    ("--data-urlencode", TextOrFile),
    ("--url-query", TextOrFile),
    ("--json", TextOrFile),
    ("-F", Form),
    ("--form", Form),
    ("--form-string", Text),
    ("-T", File),
    ("--upload-file", File),
    ("--mail-from", Text),
]);

const WGET: Data = Data::Options(&[
    ("--post-data", Text),
    ("--post-file", File),
    ("--body-data", Text),
    ("--body-file", File),
    ("--method", Method),
]);

const POWERSHELL: Data = Data::Options(&[("-body", Text), ("-infile", File), ("-form", Text), ("-method", Method)]);

index_of!(ROWS, programs, b' ');

/// Returns the rows of a program.
pub(super) fn rows_of(program: &str) -> impl Iterator<Item = &'static Row> {
    let rows = INDEX.rows(program).filter_map(|row| ROWS.get(row));
    rows.filter(move |row| row.programs.split(' ').any(|name| name == program))
}

const ROWS: &[Row] = &[
    row("curl curlie", &[], CURL),
    row("wget wget2", &[], WGET),
    row("Invoke-WebRequest Invoke-RestMethod", &[], POWERSHELL),
    row("Start-BitsTransfer", &[], Data::Options(&[("-transfertype", Method)])),
    row("Send-MailMessage", &[], Data::Own),
    row("nc ncat netcat nc.openbsd nc.traditional socat telnet websocat wscat", &[], Data::Input),
    row("openssl", &["s_client"], Data::Input),
    row("ssh autossh mosh plink", &[], Data::Input),
    row("scp pscp rsync", &[], Data::To(Target::Host)),
    row("sftp psftp ftp lftp tftp ncftp", &[], Data::Input),
    row("ncftpput", &[], Data::Operands),
    row("git", &["push"], Data::Own),
    row("git", &["send-email"], Data::Operands),
    row("hg sl jj", &["push"], Data::Own),
    row("jj", &["git", "push"], Data::Own),
    row("svn", &["commit|ci|import"], Data::Own),
    row("mail mailx mutt neomutt s-nail sendmail msmtp ssmtp swaks sendemail", &[], Data::Input),
    row("aws", &["s3", "cp|mv|sync"], Data::To(Target::Scheme(&["s3"]))),
    row("aws", &["s3api", "put-object|upload-part"], Data::Options(&[("--body", File)])).to("s3.amazonaws.com"),
    row("gsutil", &["cp|mv|rsync"], Data::To(Target::Scheme(&["gs", "s3"]))),
    row("gcloud", &["storage", "cp|mv|rsync"], Data::To(Target::Scheme(&["gs", "s3"]))),
    row("gcloud", &["compute", "scp"], Data::To(Target::Remote)),
    row(
        "az",
        &["storage", "blob|file|fs", "upload|upload-batch|copy"],
        Data::Options(&[("--file", File), ("-f", File), ("--source", File), ("-s", File)]),
    )
    .to("core.windows.net"),
    row("azcopy", &["copy|cp|sync"], Data::To(Target::Scheme(&["https"]))),
    row("s3cmd s4cmd", &["put|sync"], Data::To(Target::Scheme(&["s3"]))),
    row("s5cmd", &["cp|mv|sync"], Data::To(Target::Scheme(&["s3", "gs"]))),
    row("mc mcli", &["cp|mv|mirror|pipe|put"], Data::Operands),
    row("b2", &["upload-file|upload_file|sync|file"], Data::Operands).to("backblazeb2.com"),
    row("rclone", &["copy|sync|move|copyto|moveto|bisync"], Data::To(Target::Remote)),
    row("rclone", &["rcat"], Data::Input),
    row("hf huggingface-cli", &["upload|upload-large-folder"], Data::Operands).to("huggingface.co"),
    row("wrangler", &["r2", "object", "put"], Data::Options(&[("--file", File), ("-f", File)])).to("cloudflare.com"),
    row("croc", &["send"], Data::Operands),
    row("wormhole magic-wormhole wormhole-william", &["send|tx"], Data::Operands),
    row("ffsend", &["upload|up"], Data::Operands),
    row("transfer transfersh pastebinit wgetpaste pbin termbin fiche", &[], Data::Operands),
    row("gh", &["gist", "create|edit"], Data::Operands).to("gist.github.com"),
    row("gh", &["release", "create|upload"], Data::Own).to("github.com"),
    row(
        "gh",
        &["issue|pr", "create|comment|edit|review"],
        Data::Options(&[
            ("--body", Text),
            ("-b", Text),
            ("--body-file", File),
            ("-F", File),
            ("--title", Text),
            ("-t", Text),
        ]),
    )
    .to("github.com"),
    row(
        "gh",
        &["secret|variable", "set"],
        Data::Options(&[("--body", Text), ("-b", Text), ("--env-file", File), ("-f", File)]),
    )
    .to("github.com"),
    row(
        "gh",
        &["api"],
        Data::Options(&[
            ("-f", Form),
            ("-F", Form),
            ("--field", Form),
            ("--raw-field", Text),
            ("--input", File),
            ("-X", Method),
            ("--method", Method),
        ]),
    )
    .to("api.github.com"),
    row("glab", &["snippet", "create"], Data::Operands).to("gitlab.com"),
    row(
        "glab",
        &["issue|mr", "create|note|update"],
        Data::Options(&[("--description", Text), ("-d", Text), ("-m", Text), ("--message", Text)]),
    )
    .to("gitlab.com"),
    row("npm pnpm yarn bun", &["publish"], Data::Own).to("registry.npmjs.org"),
    row("yarn", &["npm", "publish"], Data::Own).to("registry.npmjs.org"),
    row("cargo", &["publish"], Data::Own).to("crates.io"),
    row("twine", &["upload"], Data::Operands).to("pypi.org"),
    row("uv poetry flit hatch pdm", &["publish"], Data::Own).to("pypi.org"),
    row("gem", &["push"], Data::Operands).to("rubygems.org"),
    row("dotnet", &["nuget", "push"], Data::Operands).to("nuget.org"),
    row("docker podman nerdctl buildah", &["push"], Data::Own),
    row("docker podman nerdctl", &["image", "push"], Data::Own),
    row("skopeo", &["copy"], Data::Own),
    row("oras helm crane", &["push"], Data::Own),
    row("vsce ovsx", &["publish"], Data::Own),
];

/// Programs that ask for a name or an address and so carry what is part of it.
pub(super) const CARRIERS: &[&str] = &[
    "curl",
    "wget",
    "wget2",
    "dig",
    "nslookup",
    "host",
    "drill",
    "kdig",
    "ping",
    "ping6",
    "http",
    "https",
    "xh",
    "Invoke-WebRequest",
    "Invoke-RestMethod",
    "Resolve-DnsName",
    "open",
    "xdg-open",
    "lynx",
    "w3m",
];

/// What in the code of other languages sends something.
pub(super) const CODE: &[&str] = &[
    "requests.post(",
    "requests.put(",
    "requests.patch(",
    "httpx.post(",
    "httpx.put(",
    "session.post(",
    "axios.post(",
    "axios.put(",
    "got.post(",
    "'POST'",
    "\"POST\"",
    "`POST`",
    "'PUT'",
    "\"PUT\"",
    "Net::HTTP.post",
    "HTTParty.post",
    "Faraday.post",
    ".sendall(",
    "smtplib",
    "LWP::UserAgent",
    "->post(",
    "CURLOPT_POSTFIELDS",
    "ftplib",
    "paramiko",
    "put_object(",
    "upload_file(",
    "upload_fileobj(",
    "UploadString",
    "UploadFile",
    "UploadData",
];
