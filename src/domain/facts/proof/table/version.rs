//! The table of programs of which only the version is asked.

use super::super::row::{Check, Operands, Row, row};
use Operands::None;

const VERSION: &[Check] = &[Check::OneOf(&["--version", "-version", "-v", "-V"])];

pub(super) const ROWS: &[Row] = &[
    row("node deno ruby perl php lua luajit", "--version -v", None, "{} --version", "{} a.x").checked(VERSION),
    row("R Rscript julia elixir erlc ghc cabal stack ocaml opam dune swift kotlinc dart nim zig crystal racket sbcl guile gleam roc v odin", "--version", None, "{} --version", "{} a.x").checked(VERSION),
    row("java javac jar jshell jdeps", "--version -version !words", None, "{} -version", "{} A.java").checked(VERSION),
    row("gcc g++ cc c++ clang clang++ clang-tidy cpp ld lld gold as gfortran ccache sccache distcc", "--version", None, "{} --version", "{} a.c").checked(VERSION),
    row("cmake ninja meson scons autoconf automake libtool pkg-config m4 bison flex protoc buf capnp flatc", "--version", None, "{} --version", "{} x").checked(VERSION),
    row("dotnet nuget xcodebuild swiftc carthage", "--version -version !words", None, "{} -version", "{} build").checked(VERSION),
    row("clippy-driver rust-analyzer wasm-pack wasm-bindgen trunk cross", "--version -V", None, "{} --version", "{} x").checked(&[Check::OneOf(&["--version", "-V"]), Check::RustToolchain]),
    row("hatch rye pipenv virtualenv twine", "--version -V", None, "{} --version", "{} install").checked(VERSION),
    row("packer pulumi consul vault nomad skaffold kustomize kind minikube k3d k9s flux argocd istioctl eksctl doctl flyctl heroku vercel netlify wrangler firebase supabase", "--version", None, "{} --version", "{} x").checked(VERSION),
    row("mysql mysqldump mongosh redis-cli redis-server pg_dump pg_isready createdb", "--version -V", None, "{} --version", "{} x").checked(VERSION),
    row("ffmpeg ffprobe convert magick identify gs pdftotext exiftool sox", "-version --version !words", None, "{} -version", "{} a.png").checked(VERSION),
    row("curl wget httpie ssh scp rsync openssl gpg nc socat", "--version -V", None, "{} --version", "{} example.org").checked(VERSION),
    row("vim nvim emacs nano code", "--version", None, "{} --version", "{} a.txt").checked(VERSION),
    row("bash zsh fish dash ksh", "--version", None, "{} --version", "{} -c ls").checked(VERSION),
    row("nginx httpd apachectl caddy haproxy", "-v -V --version", None, "{} -v", "{} -s reload").checked(VERSION),
    row("valgrind gdb lldb strace ltrace perf hyperfine", "--version", None, "{} --version", "{} ls").checked(VERSION),
    row("latex pdflatex xelatex tectonic typst pandoc hugo mdbook mkdocs sphinx-build asciidoctor", "--version", None, "{} --version", "{} a.x").checked(VERSION),
    row("claude gemini codex", "--version -v", None, "{} --version", "{} -p x").checked(VERSION),
];
