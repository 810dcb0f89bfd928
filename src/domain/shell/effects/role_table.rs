//! Roles of the files that programs take as operands. This file is a table.
//!
//! A program is listed here when all its operands are files in one role. One that needs more, such as a target at the
//! end, is in `special.rs`, which overrides its row here.

use super::Access::{self, Delete, Read, Write};
use crate::domain::shell::index::index_of;

/// What a program does to its operands.
#[derive(Debug)]
pub(super) enum Role {
    /// Does all of this to each.
    Each(&'static [Access]),
    /// Does this to all but the first, which is no file unless one of the options is given.
    AfterFirst { access: Access, unless: &'static [&'static str] },
    /// Does this to the first; the others are no files.
    First(Access),
    /// Reads the first and writes the second.
    ReadThenWrite,
    /// Writes the first and reads the second.
    WriteThenRead,
    /// Only options name files.
    Nothing,
}

/// A row of programs, separated by blanks, with one role.
#[derive(Debug)]
pub(super) struct RoleRow {
    pub(super) programs: &'static str,
    pub(super) role: Role,
    /// The options whose value is a file.
    pub(super) options: &'static [(&'static str, Access)],
}

const fn each(programs: &'static str, accesses: &'static [Access]) -> RoleRow {
    RoleRow { programs, role: Role::Each(accesses), options: &[] }
}

const fn after_first(programs: &'static str, access: Access, unless: &'static [&'static str]) -> RoleRow {
    RoleRow { programs, role: Role::AfterFirst { access, unless }, options: &[] }
}

impl RoleRow {
    const fn with_file_options(self, options: &'static [(&'static str, Access)]) -> Self {
        Self { options, ..self }
    }
}

const PATTERN_OPTIONS: &[&str] = &["-e", "--regexp", "-f", "--file", "--files"];

/// Returns what a program does with its operands.
pub(super) fn find(program: &str) -> Option<&'static RoleRow> {
    let mut rows = INDEX.rows(program).filter_map(|row| ROLES.get(row));
    rows.find(|row| row.programs.split(' ').any(|name| name == program))
}

index_of!(ROLES, programs, b' ');

static ROLES: &[RoleRow] = &[
    each(
        "rm rmdir unlink grm grmdir gunlink gshred srm wipe shred nwipe scrub rimraf trash trash-put trash-rm gtrash del-cli rip",
        &[Delete],
    ),
    each(
        "cat gcat shuf gshuf m4 cpp bc uuencode highlight xclip xsel xmllint yamllint tidy csvcut docx2txt tac nl less more most bat batcat head tail rev od hexdump hd strings basenc cut wc file \
         stat md5sum md5 sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum diff sdiff diff3 vimdiff \
         colordiff delta difft cmp comm join paste fold fmt expand unexpand column pr zcat bzcat xzcat zstdcat \
         zless zmore open xdg-open gio-open iconv source . look tsort ptx readelf objdump nm exiftool glow mdcat view \
         soffice lp lpr aspell hunspell enscript qlmanage mdls plutil pygmentize chroma hexyl jless fx gron csvlook \
         vd visidata img2txt mediainfo ffprobe pdftotext",
        &[Read],
    ),
    each("base64 base32", &[Read]).with_file_options(&[
        ("-i", Read),
        ("--input", Read),
        ("-o", Write),
        ("--output", Write),
    ]),
    each("pandoc gcc g++ cc c++ clang clang++", &[Read]).with_file_options(&[
        ("-o", Write),
        ("--output", Write),
        ("-include", Read),
    ]),
    RoleRow {
        programs: "make gmake",
        role: Role::Nothing,
        options: &[("-f", Read), ("--file", Read), ("--makefile", Read)],
    },
    RoleRow {
        programs: "mail mailx mutt neomutt swaks",
        role: Role::Nothing,
        options: &[("-a", Read), ("--attach", Read)],
    },
    each("sort", &[Read]).with_file_options(&[("-o", Write), ("--output", Write), ("--files0-from", Read)]),
    RoleRow { programs: "uniq xxd", role: Role::ReadThenWrite, options: &[] },
    each("strip upx patchelf chrpath install_name_tool codesign", &[Read, Write]),
    after_first("setcap chcon", Write, &[]),
    each(
        "tee touch truncate mkdir mkfifo mknod sponge dos2unix unix2dos setfacl chattr fallocate setfattr logsave",
        &[Write],
    ),
    each(
        "nano pico micro emacs vim vi nvim ed ex code subl kate gedit gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma compress uncompress lz4 brotli",
        &[Read, Write],
    ),
    after_first("chmod chown chgrp chflags xattr", Write, &["--reference"]).with_file_options(&[("--reference", Read)]),
    after_first("grep egrep fgrep zgrep ag ack ugrep pcregrep pcre2grep", Read, PATTERN_OPTIONS)
        .with_file_options(&[("-f", Read), ("--file", Read)]),
    after_first("htmlq xq tomlq dasel miller mlr", Read, &[]),
    // The key of `-i` is used and not shown.
    RoleRow { programs: "ssh", role: Role::Nothing, options: &[("-F", Read)] },
    RoleRow {
        programs: "openssl",
        role: Role::Nothing,
        options: &[
            ("-in", Read),
            ("-inkey", Read),
            ("-key", Read),
            ("-kfile", Read),
            ("-CAfile", Read),
            ("-out", Write),
            ("-keyout", Write),
        ],
    },
    RoleRow { programs: "xargs", role: Role::Nothing, options: &[("-a", Read), ("--arg-file", Read)] },
    each("gpg age", &[Read]).with_file_options(&[("-o", Write), ("--output", Write)]),
    RoleRow {
        programs: "patch",
        role: Role::WriteThenRead,
        options: &[("-i", Read), ("--input", Read), ("-o", Write), ("--output", Write)],
    },
    RoleRow {
        programs: "bash sh zsh dash ksh ash fish",
        role: Role::First(Read),
        options: &[("--rcfile", Read), ("--init-file", Read)],
    },
];
