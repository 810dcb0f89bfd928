//! Programs that send data over the network. This file is a table.
//!
//! A row names programs, the words that must follow in order among the operands, and where the data comes from. The
//! options in a row belong to these programs only.

use crate::domain::shell::index::index_of;

/// The source of the data that is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PayloadSource {
    /// The value of one of these options, by the kind given for each.
    Options(&'static [(&'static str, OptionValueKind)]),
    /// The operands are files.
    Operands,
    /// The last operand is elsewhere when it looks like this, and the others are files.
    OperandsTo(RemoteTarget),
    /// What comes through a pipe or a redirection.
    Stdin,
    /// The program's own data, such as commits or an image.
    Implicit,
}

/// What the value of an option is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OptionValueKind {
    /// Text; a file after `@`.
    TextOrFile,
    /// `name=value`; a file after `@` or `<`.
    Form,
    /// A file; `-` for the standard input.
    File,
    /// Text.
    Text,
    /// A method, which sends something unless it only requests.
    Method,
}

/// How a location on another machine is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RemoteTarget {
    /// `host:path`, or an address.
    Host,
    /// An address of one of these schemes.
    Scheme(&'static [&'static str]),
    /// `remote:path`, where a remote may have any name.
    Remote,
}

/// A way to send.
#[derive(Debug)]
pub(super) struct SendRow {
    /// Their names, separated by blanks.
    pub(super) programs: &'static str,
    /// The first operands, one of several where they are separated by `|`.
    pub(super) verbs: &'static [&'static str],
    pub(super) source: PayloadSource,
    /// Where it goes when the line does not say.
    pub(super) default_destination: &'static str,
}

const fn row(programs: &'static str, verbs: &'static [&'static str], data: PayloadSource) -> SendRow {
    SendRow { programs, verbs, source: data, default_destination: "" }
}

impl SendRow {
    const fn with_default_destination(self, host: &'static str) -> Self {
        Self { default_destination: host, ..self }
    }
}

use OptionValueKind::{File, Form, Method, Text, TextOrFile};

const CURL: PayloadSource = PayloadSource::Options(&[
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

const WGET: PayloadSource = PayloadSource::Options(&[
    ("--post-data", Text),
    ("--post-file", File),
    ("--body-data", Text),
    ("--body-file", File),
    ("--method", Method),
]);

const POWERSHELL: PayloadSource =
    PayloadSource::Options(&[("-body", Text), ("-infile", File), ("-form", Text), ("-method", Method)]);

index_of!(ROWS, programs, b' ');

/// Returns the rows of a program.
pub(super) fn rows_of(program: &str) -> impl Iterator<Item = &'static SendRow> {
    let rows = INDEX.rows(program).filter_map(|row| ROWS.get(row));
    rows.filter(move |row| row.programs.split(' ').any(|name| name == program))
}

const ROWS: &[SendRow] = &[
    row("curl curlie", &[], CURL),
    row("wget wget2", &[], WGET),
    row("Invoke-WebRequest Invoke-RestMethod", &[], POWERSHELL),
    row("Start-BitsTransfer", &[], PayloadSource::Options(&[("-transfertype", Method)])),
    row("Send-MailMessage", &[], PayloadSource::Implicit),
    row("nc ncat netcat nc.openbsd nc.traditional socat telnet websocat wscat", &[], PayloadSource::Stdin),
    row("openssl", &["s_client"], PayloadSource::Stdin),
    row("ssh autossh mosh plink", &[], PayloadSource::Stdin),
    row("scp pscp rsync", &[], PayloadSource::OperandsTo(RemoteTarget::Host)),
    row("tftp", &[], PayloadSource::Stdin),
    row("ncftpput", &[], PayloadSource::Operands),
    row("git", &["push"], PayloadSource::Implicit),
    row("git", &["send-email"], PayloadSource::Operands),
    row("hg sl jj", &["push"], PayloadSource::Implicit),
    row("jj", &["git", "push"], PayloadSource::Implicit),
    row("svn", &["commit|ci"], PayloadSource::Implicit),
    row(
        "svn",
        &["import"],
        PayloadSource::OperandsTo(RemoteTarget::Scheme(&["https", "http", "svn", "svn+ssh", "svn+https"])),
    ),
    row("mail mailx mutt neomutt s-nail sendmail msmtp ssmtp swaks sendemail", &[], PayloadSource::Stdin),
    row("aws", &["s3", "cp|mv|sync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["s3"]))),
    row("aws", &["s3api", "put-object|upload-part"], PayloadSource::Options(&[("--body", File)]))
        .with_default_destination("s3.amazonaws.com"),
    row("gsutil", &["cp|mv|rsync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["gs", "s3"]))),
    row("gcloud", &["storage", "cp|mv|rsync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["gs", "s3"]))),
    row("gcloud", &["compute", "scp"], PayloadSource::OperandsTo(RemoteTarget::Remote)),
    row(
        "az",
        &["storage", "blob|file|fs", "upload|upload-batch|copy"],
        PayloadSource::Options(&[("--file", File), ("-f", File), ("--source", File), ("-s", File)]),
    )
    .with_default_destination("core.windows.net"),
    row("azcopy", &["copy|cp|sync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["https"]))),
    row("s3cmd s4cmd", &["put|sync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["s3"]))),
    row("s5cmd", &["cp|mv|sync"], PayloadSource::OperandsTo(RemoteTarget::Scheme(&["s3", "gs"]))),
    row("mc mcli", &["cp|mv|mirror|pipe|put"], PayloadSource::Operands),
    row("b2", &["upload-file|upload_file|sync|file"], PayloadSource::Operands)
        .with_default_destination("backblazeb2.com"),
    row("rclone", &["copy|sync|move|copyto|moveto|bisync"], PayloadSource::OperandsTo(RemoteTarget::Remote)),
    row("rclone", &["rcat"], PayloadSource::Stdin),
    row("hf huggingface-cli", &["upload|upload-large-folder"], PayloadSource::Operands)
        .with_default_destination("huggingface.co"),
    row("wrangler", &["r2", "object", "put"], PayloadSource::Options(&[("--file", File), ("-f", File)]))
        .with_default_destination("cloudflare.com"),
    row("croc", &["send"], PayloadSource::Operands).with_default_destination("croc.schollz.com"),
    row("wormhole magic-wormhole wormhole-william", &["send|tx"], PayloadSource::Operands)
        .with_default_destination("magic-wormhole.io"),
    row("ffsend", &["upload|up"], PayloadSource::Operands).with_default_destination("send.vis.ee"),
    row("transfer transfersh pastebinit wgetpaste pbin termbin fiche", &[], PayloadSource::Operands)
        .with_default_destination("pastebin.com"),
    row("ipfs", &["add"], PayloadSource::Operands).with_default_destination("ipfs.io"),
    row("gh", &["gist", "create|edit"], PayloadSource::Operands).with_default_destination("gist.github.com"),
    row("gh", &["release", "create|upload"], PayloadSource::Implicit).with_default_destination("github.com"),
    row(
        "gh",
        &["issue|pr", "create|comment|edit|review"],
        PayloadSource::Options(&[
            ("--body", Text),
            ("-b", Text),
            ("--body-file", File),
            ("-F", File),
            ("--title", Text),
            ("-t", Text),
        ]),
    )
    .with_default_destination("github.com"),
    row(
        "gh",
        &["secret|variable", "set"],
        PayloadSource::Options(&[("--body", Text), ("-b", Text), ("--env-file", File), ("-f", File)]),
    )
    .with_default_destination("github.com"),
    row(
        "gh",
        &["api"],
        PayloadSource::Options(&[
            ("-f", Form),
            ("-F", Form),
            ("--field", Form),
            ("--raw-field", Text),
            ("--input", File),
            ("-X", Method),
            ("--method", Method),
        ]),
    )
    .with_default_destination("api.github.com"),
    row("glab", &["snippet", "create"], PayloadSource::Operands).with_default_destination("gitlab.com"),
    row(
        "glab",
        &["issue|mr", "create|note|update"],
        PayloadSource::Options(&[("--description", Text), ("-d", Text), ("-m", Text), ("--message", Text)]),
    )
    .with_default_destination("gitlab.com"),
    row("npm pnpm yarn bun", &["publish"], PayloadSource::Implicit).with_default_destination("registry.npmjs.org"),
    row("yarn", &["npm", "publish"], PayloadSource::Implicit).with_default_destination("registry.npmjs.org"),
    row("cargo", &["publish"], PayloadSource::Implicit).with_default_destination("crates.io"),
    row("twine", &["upload"], PayloadSource::Operands).with_default_destination("pypi.org"),
    row("uv poetry flit hatch pdm", &["publish"], PayloadSource::Implicit).with_default_destination("pypi.org"),
    row("gem", &["push"], PayloadSource::Operands).with_default_destination("rubygems.org"),
    row("dotnet", &["nuget", "push"], PayloadSource::Operands).with_default_destination("nuget.org"),
    row("docker podman nerdctl buildah", &["push"], PayloadSource::Implicit),
    row("docker podman nerdctl", &["image", "push"], PayloadSource::Implicit),
    row("skopeo", &["copy"], PayloadSource::Implicit),
    row("oras helm crane", &["push"], PayloadSource::Implicit),
    row("vsce ovsx", &["publish"], PayloadSource::Implicit),
];

/// Programs that look up a name or an address and so transmit parts of it.
pub(super) const ADDRESS_PROGRAMS: &[&str] = &[
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
pub(super) const SEND_EXPRESSIONS: &[&str] = &[
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
