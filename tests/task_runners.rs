//! Tasks that a project names in the files of task runners, end to end: what a task does is judged when it is asked
//! for, and not when another one is.

use crate::common::Machine;
use crate::common::shell_calls::check;

/// Files in which each runner has a task `wipe` that deletes the home directory, and a task `build`.
const FILES: &[(&str, &str)] = &[
    (
        "project/Rakefile",
        "task default: :build\ntask :build do\n  sh 'make'\nend\nnamespace :db do\n  task :wipe => :build do\n    sh 'rm -rf ~'\n  end\nend\ntask :all => 'db:wipe'\n",
    ),
    ("project/lib/tasks/ops.rake", "task :ops do\n  FileUtils.rm_rf('/etc')\nend\n"),
    (
        "project/tasks.py",
        "from invoke import task\n\n@task\ndef build(c):\n    c.run('make')\n\n@task(build)\ndef wipe_all(c):\n    c.run('rm -rf ~', echo=True)\n",
    ),
    (
        "project/noxfile.py",
        "import nox\n\n@nox.session\ndef build(session):\n    session.run('pytest', '-q')\n\n@nox.session(name='wipe')\ndef w(session):\n    session.run('rm', '-rf', '/etc', external=True)\n",
    ),
    (
        "project/pyproject.toml",
        "[tool.poe.tasks]\nbuild = 'python -m build'\nwipe = 'rm -rf ~'\nall = ['build', 'wipe']\nsh.shell = 'rm -rf ~'\n[tool.pdm.scripts]\npwipe = {cmd = ['rm', '-rf', '/etc']}\npbuild = 'make'\n[tool.hatch.envs.ops.scripts]\nhwipe = ['ls', 'rm -rf ~']\nhbuild = 'make'\n[tool.rye.scripts]\nrwipe = {chain = ['rbuild', 'rsub']}\nrsub = 'rm -rf ~'\nrbuild = 'make'\n",
    ),
    (
        "project/mise.toml",
        "[tools]\nnode = '20'\n[tasks.build]\nrun = 'make'\n[tasks.wipe]\ndepends = ['build']\nrun = ['ls', 'rm -rf ~']\n[tasks]\nall = { depends = ['wipe'] }\n",
    ),
    ("project/mise-tasks/file", "#!/usr/bin/env bash\nrm -rf ~\n"),
    (
        "project/Makefile.toml",
        "[tasks.build]\ncommand = 'make'\n[tasks.wipe]\ncommand = 'rm'\nargs = ['-rf', '/etc']\n[tasks.all]\ndependencies = ['wipe']\n[tasks.sh]\nscript = ['ls', 'rm -rf ~']\n",
    ),
    ("project/.cargo/config.toml", "[alias]\nx = 'run -p xtask --'\ngone = 'uninstall ripgrep'\n"),
    (
        "project/tox.ini",
        "[tox]\nenvlist = py\n[testenv]\ncommands =\n    pytest {posargs}\n[testenv:wipe]\nallowlist_externals = rm\ncommands =\n    - rm -rf /etc\n",
    ),
    ("project/Procfile", "web: make serve\nwipe: rm -rf ~\n"),
    (
        "project/lefthook.yml",
        "pre-commit:\n  commands:\n    lint:\n      run: make lint\nwipe:\n  jobs:\n    - run: rm -rf ~\n",
    ),
    (
        "project/.pre-commit-config.yaml",
        "repos:\n- repo: https://example.org/x\n  rev: v1\n  hooks:\n  - id: trailing\n- repo: local\n  hooks:\n  - id: wipe\n    name: x\n    language: system\n    entry: rm -rf\n    args: [/etc]\n",
    ),
    (
        "project/moon.yml",
        "tasks:\n  build:\n    command: make\n  wipe:\n    command: rm\n    args: [-rf, /etc]\n  all:\n    deps: ['~:wipe']\n",
    ),
    (
        "project/project.json",
        "{\"targets\": {\n\"wipe\": {\"executor\": \"nx:run-commands\",\n\"options\": {\"commands\": [\"ls\", \"rm -rf ~\"]}},\n\"build\": {\"command\": \"make\"}}}",
    ),
    ("project/packages/a/package.json", "{\"scripts\": {\"wipe\": \"rm -rf ~\", \"build\": \"tsc\"}}"),
    (
        "project/package.json",
        "{\"scripts\": {\"build\": \"tsc\", \"w\": \"wireit\"},\n\"wireit\": {\"w\": {\"dependencies\": [\"v\"]},\n\"v\": {\"command\": \"rm -rf ~\"}}}",
    ),
    (
        "project/gulpfile.js",
        "const {execSync} = require('child_process');\nexports.wipe = () => execSync('rm -rf ~');\n",
    ),
    ("plain/gulpfile.js", "const del = require('del');\nexports.clean = () => del(['dist']);\n"),
];

/// Returns a project with the files of all runners.
fn project() -> Machine {
    let machine = Machine::new();
    for (path, text) in FILES {
        machine.write(path, text);
    }
    machine
}

#[test]
fn tasks_are_judged_when_they_are_asked_for() {
    check(
        &project(),
        &[
            ("rake db:wipe", "deny", "Rakefile, line 7"),
            ("bundle exec rake all", "deny", "Rakefile, line 7"),
            ("rake -f Rakefile db:wipe", "deny", "Rakefile, line 7"),
            ("bin/rails ops", "deny", "lib/tasks/*.rake, line 2"),
            ("inv wipe-all", "deny", "tasks.py, line 9"),
            ("invoke build wipe-all", "deny", "tasks.py, line 9"),
            ("nox -s wipe", "deny", "noxfile.py, line 9"),
            ("nox", "deny", "noxfile.py, line 9"),
            ("poe wipe", "deny", "pyproject.toml, line 3"),
            ("poetry run poe all", "deny", "pyproject.toml, line 3"),
            ("poe sh", "deny", "pyproject.toml"),
            ("pdm run pwipe", "deny", "pyproject.toml, line 7"),
            ("hatch run ops:hwipe", "deny", "pyproject.toml, line 10"),
            ("rye run rwipe", "deny", "pyproject.toml, line 14"),
            ("mise run wipe", "deny", "mise.toml, line 5"),
            ("mise r all", "deny", "mise.toml, line 5"),
            ("mise run file", "deny", "mise-tasks/file, line 2"),
            ("cargo make wipe", "deny", "Makefile.toml, line 3"),
            ("cargo make all", "deny", "Makefile.toml, line 3"),
            ("makers sh", "deny", "Makefile.toml"),
            ("tox -e wipe", "deny", "tox.ini, line 9"),
            ("tox run -e py,wipe", "deny", "tox.ini, line 9"),
            ("foreman start", "deny", "Procfile, line 2"),
            ("overmind start wipe", "deny", "Procfile, line 2"),
            ("lefthook run wipe", "deny", "lefthook.yml, line 7"),
            ("pre-commit run --all-files", "deny", ".pre-commit-config.yaml"),
            ("pre-commit run wipe", "deny", ".pre-commit-config.yaml"),
            ("moon run app:wipe", "deny", "moon.yml"),
            ("moon run :all", "deny", "moon.yml"),
            ("nx run app:wipe", "deny", "project.json, line 2"),
            ("npx nx wipe app", "deny", "project.json, line 2"),
            ("nx run-many -t build wipe", "deny", "project.json, line 2"),
            ("turbo run wipe", "deny", "package.json"),
            ("npx turbo@2 wipe --filter=a", "deny", "package.json"),
            ("lerna run wipe", "deny", "package.json"),
            ("pnpm -r run wipe", "deny", "package.json"),
            ("yarn workspace a wipe", "deny", "package.json"),
            ("npm run wipe --workspace a", "deny", "package.json"),
            ("npm run w", "deny", "package.json, line 3"),
            ("nr w", "deny", "package.json, line 3"),
            ("gulp wipe", "deny", "gulpfile.js, line 2"),
            ("npx gulp-cli wipe", "deny", "gulpfile.js, line 2"),
            ("yarn rimraf ~", "deny", ""),
            ("pnpm rimraf ~", "deny", ""),
            ("bun run rimraf ~", "deny", ""),
        ],
    );
}

#[test]
fn other_tasks_of_the_same_files_are_silent() {
    check(
        &project(),
        &[
            ("rake", "none", ""),
            ("rake build", "none", ""),
            ("rake -T", "none", ""),
            ("rails s -p 3000", "none", ""),
            ("inv build", "none", ""),
            ("inv --list", "none", ""),
            ("nox -s build", "none", ""),
            ("nox --list", "none", ""),
            ("poe build", "none", ""),
            ("poe --help", "none", ""),
            ("pdm run pbuild", "none", ""),
            ("pdm install", "none", ""),
            ("hatch run ops:hbuild", "none", ""),
            ("hatch build", "none", ""),
            ("rye run rbuild", "none", ""),
            ("mise run build", "none", ""),
            ("mise install", "none", ""),
            ("cargo make build", "none", ""),
            ("cargo x", "none", ""),
            ("cargo build", "none", ""),
            ("cargo test wipe", "none", ""),
            ("tox -e py", "none", ""),
            ("tox -e py311 -- -k wipe", "none", ""),
            ("nox -s build -- -k wipe", "none", ""),
            ("overmind start web", "none", ""),
            ("foreman check", "none", ""),
            ("lefthook run pre-commit", "none", ""),
            ("lefthook install", "none", ""),
            ("pre-commit run trailing", "none", ""),
            ("moon run app:build", "none", ""),
            ("nx build app", "none", ""),
            ("nx run app:build", "none", ""),
            ("nx graph", "none", ""),
            ("turbo run build", "none", ""),
            ("turbo build --filter=wipe", "none", ""),
            ("lerna run build", "none", ""),
            ("pnpm -r run build", "none", ""),
            ("npm run build", "none", ""),
            ("yarn rimraf dist", "none", ""),
            ("pnpm rm lodash", "none", ""),
            ("yarn add rimraf", "none", ""),
            ("cd ../plain && gulp clean", "none", ""),
        ],
    );
}
