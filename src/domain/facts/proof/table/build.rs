//! The table of programs that run the tests, linters, builds and formatters of a project.

use super::super::Effect;
use super::super::row::{Check, Operands, Row, row};
use Operands::{Checked, Command, None, Paths, Text};

const PROJECT: &[Check] = &[Check::Project];
const SCRIPT: &[Check] = &[Check::Project, Check::Script];

/// Options of cargo that choose what is built and how it is shown.
const CARGO: &str = "-q -v -r -p=R -j=N -F=R --quiet --verbose --release --package=R --workspace --all --exclude=R --lib --bins --bin=R --tests --test=R --benches --bench=R --examples --example=R --all-targets --all-features --no-default-features --features=R --locked --offline --frozen --no-fail-fast --no-run --jobs=N --keep-going --color=always|never|auto --message-format=human|short|json --profile=R --doc --no-deps --document-private-items --ignore-rust-version --target=R --timings";

const fn build(
    names: &'static str,
    options: &'static str,
    operands: Operands,
    approved: &'static str,
    refused: &'static str,
) -> Row {
    row(names, options, operands, approved, refused).checked(PROJECT).with_effect(Effect::Build)
}

pub(in super::super) const NODE_TOOLS: &[&str] = &[
    "tsc",
    "vue-tsc",
    "eslint",
    "prettier",
    "biome",
    "jest",
    "vitest",
    "mocha",
    "ava",
    "stylelint",
    "oxlint",
    "tsup",
    "knip",
    "xo",
    "standard",
    "svelte-check",
    "astro",
];

pub(super) const ROWS: &[Row] = &[
    build("cargo:build cargo:b cargo:check cargo:c cargo:doc cargo:clippy", CARGO, None, "{} --release", "{} --config x"),
    build("cargo:test cargo:t cargo:bench", CARGO, Text, "{} --workspace", "{} --manifest-path ../x/Cargo.toml"),
    build("cargo:fmt", "--check --all -q -v --package=R -p=R", None, "cargo fmt --all", "cargo fmt -- --config-path=x"),
    build("cargo:nextest", "-p=R --package=R --workspace --release --no-fail-fast --all-features --lib -j=N --locked --offline", Checked, "cargo nextest run", "cargo nextest archive").checked(&[Check::Project, Check::FirstIs(&["run", "list"])]),
    build("npm:test npm:t npm:run npm:run-script pnpm:test pnpm:t pnpm:run yarn:test yarn:run bun:run", "-s -r -w=R --silent --workspaces --workspace=R --if-present --recursive --filter=R --parallel --stream", Checked, "", "").checked(SCRIPT),
    build("pnpm:lint pnpm:build pnpm:typecheck pnpm:format pnpm:check yarn:lint yarn:build yarn:typecheck yarn:format yarn:check", "--silent", None, "", "").checked(SCRIPT),
    build("bun:test", "--bail --timeout=N --rerun-each=N --only --todo --coverage -t= --test-name-pattern=", Paths, "bun test src", "bun test --preload ./x"),
    build("npx bunx", "--no-install --no", Command(0), "", "").checked(PROJECT),
    build("pnpm:exec yarn:exec", "", Command(0), "", "").checked(PROJECT),
    build("tsc vue-tsc", "--noEmit --pretty=true|false --watch=false --skipLibCheck --strict --incremental -b --build --listFiles --version -v --noEmitOnError !words", Text, "{} --noEmit", "{} --plugins x"),
    build("eslint", "--fix --quiet --max-warnings=N --ext=R --cache --no-color --format=stylish|json|compact|unix -f=stylish|json|compact|unix --no-error-on-unmatched-pattern --version", Paths, "eslint src", "eslint -c x.js src"),
    build("prettier", "-c -l -w --check --write --list-different --log-level=silent|error|warn|log --ignore-unknown -u --no-color --version", Paths, "prettier --check src", "prettier --plugin=x src"),
    build("biome", "--write --apply --no-errors-on-unmatched --max-diagnostics=N --colors=off --version", Checked, "biome check src", "biome migrate").checked(&[Check::Project, Check::FirstIs(&["check", "lint", "format", "ci"]), Check::InsidePaths]),
    build("jest", "-t= -i -w=N --coverage --ci --runInBand --bail --verbose --silent --testPathPattern= --testPathPatterns= --testNamePattern= --no-coverage --passWithNoTests --maxWorkers= --detectOpenHandles --forceExit --listTests --json --version", Paths, "jest src", "jest --config x.js"),
    build("vitest", "-t= --run --coverage --reporter=default|verbose|dot|json|basic --bail=N --testNamePattern= --passWithNoTests --silent --no-color --pool=threads|forks --version", Paths, "vitest run src", "vitest --config x.ts"),
    build("mocha ava", "-g= --grep= --bail -b --exit --reporter=spec|dot|min|json -R=spec|dot|min|json --timeout=N -t=N --recursive --verbose -v --version", Paths, "{} src", "{} --require ./x src"),
    build("stylelint oxlint standard xo knip svelte-check", "--fix --quiet --max-warnings=N --cache --version", Paths, "{} src", "{} --config x src"),
    build("pytest py.test", "-v -vv -q -x -s -l --verbose --quiet --exitfirst --lf --ff --last-failed --failed-first --co --collect-only --no-header --no-summary --pdbcls=R -k= -m= -n=N --maxfail=N --tb=short|long|line|no|native|auto --durations=N -r= -rA -ra --disable-warnings --color=yes|no|auto --cov --cov=R --cov-report=term|term-missing --sw --stepwise --strict-markers --strict-config --no-cov --showlocals --version", Paths, "{} -q src", "{} -p evil"),
    build("ruff", "--fix --check --diff -q --quiet --no-cache --output-format=concise|full|json|text|github --select=R --ignore=R --extend-select=R --statistics --show-fixes --unsafe-fixes --no-fix --exit-zero --line-length=N -v --version", Checked, "ruff check src", "ruff clean").checked(&[Check::Project, Check::FirstIs(&["check", "format"]), Check::InsidePaths]),
    build("mypy pyright dmypy", "--strict --ignore-missing-imports --no-color-output --show-error-codes --no-incremental --pretty --no-error-summary --outputjson --stats --version", Paths, "{} src", "{} --config-file x src"),
    build("black isort autopep8 yapf flake8 pylint pydocstyle bandit vulture", "--check --check-only --diff -q --quiet -v --verbose -l=N --line-length=N --max-line-length=N --color --no-color -i -r --recursive --in-place --version", Paths, "{} src", "{} --config x src"),
    build("tox nox", "-q -l --list", None, "{} -l", "{} -e x").checked(&[Check::Project, Check::OneOf(&["-l", "--list"])]),
    build("go:test go:build go:vet go:list", "-v -race -short -count=N -run= -bench= -timeout=R -cover -failfast -json -p=N -parallel=N -tags=R -benchmem -m -f= -deps -test -list= -shuffle=on|off -trimpath -n !words", Text, "{} ./...", "{} -exec ./x ./..."),
    build("go:fmt", "-n -x !words", Text, "go fmt ./...", "go fmt -mod=mod ./..."),
    build("gofmt goimports gofumpt", "-l -d -s -w -e", Paths, "{} -l src", "{} -cpuprofile x src"),
    build("golangci-lint", "-v --fix --timeout=R --fast --new", Checked, "golangci-lint run", "golangci-lint custom").checked(&[Check::Project, Check::FirstIs(&["run", "fmt"])]),
    build("staticcheck errcheck revive", "-tests=true|false !words", Text, "{} ./...", "{} -config x ./..."),
    build("make gmake just task", "-j=N -s -k -n -B --silent --keep-going --jobs=N --dry-run --version", Checked, "{} test", "{} deploy").checked(&[Check::Project, Check::Target]),
    build("rustfmt", "--check --edition=2015|2018|2021|2024 --version -V", Paths, "rustfmt --check src/main.rs", "rustfmt --config-path x src/main.rs"),
    build("clang-format", "-n -i --dry-run -Werror --Werror --style=file --version", Paths, "clang-format -n src/a.c", "clang-format --style=/x src/a.c"),
    build("shfmt", "-l -d -w -i=N", Paths, "shfmt -d src/a.txt", "shfmt --to-json x"),
];
