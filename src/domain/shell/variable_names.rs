//! What the name of a variable tells of its value.

/// Variables whose values are no secrets, of names that are in no name of a secret: a search finds
/// parts of names.
const SAFE_VARIABLES: &[&str] = &[
    "PATH",
    "HOME",
    "USERNAME",
    "LOGNAME",
    "SHELL",
    "SHLVL",
    "PWD",
    "OLDPWD",
    "LANGUAGE",
    "LC_ALL",
    "EDITOR",
    "VISUAL",
    "PAGER",
    "DISPLAY",
    "WAYLAND",
    "TMPDIR",
    "HOSTNAME",
    "HOSTTYPE",
    "OSTYPE",
    "MACHTYPE",
    "COLUMNS",
    "COLORTERM",
    "MANPATH",
    "INFOPATH",
    "FPATH",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "PKG_CONFIG_PATH",
    "CMAKE_PREFIX_PATH",
    "LIBRARY_PATH",
    "CDPATH",
    "JAVA_HOME",
    "ANDROID_HOME",
    "ANDROID_SDK_ROOT",
    "GOPATH",
    "GOROOT",
    "GOBIN",
    "GOFLAGS",
    "CGO_ENABLED",
    "CARGO_HOME",
    "RUSTUP_HOME",
    "RUSTFLAGS",
    "CARGO_TARGET_DIR",
    "RUST_LOG",
    "RUST_BACKTRACE",
    "NVM_DIR",
    "NODE_ENV",
    "NODE_PATH",
    "NODE_OPTIONS",
    "NODE_VERSION",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHON_VERSION",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "CONDA_DEFAULT_ENV",
    "GEM_HOME",
    "GEM_PATH",
    "RUBY_VERSION",
    "CFLAGS",
    "CXXFLAGS",
    "LDFLAGS",
    "MAKEFLAGS",
    "CUDA_VISIBLE_DEVICES",
    "CUDA_HOME",
    "OMP_NUM_THREADS",
    "NO_PROXY",
    "DOTNET_ROOT",
    "M2_HOME",
    "GRADLE_HOME",
    "MAVEN_HOME",
    "SSH_TTY",
    "SSH_CONNECTION",
    "SSH_CLIENT",
    "SSH_AUTH_SOCK",
    "DOCKER_HOST",
    "KUBECONFIG",
];

/// Subjects that variables are searched by and that no secret is named after: a search for one of them finds
/// settings of a toolchain or of the terminal.
const SAFE_SUBJECTS: &[&str] = &[
    "NODE",
    "PYTHON",
    "PYENV",
    "VENV",
    "VIRTUALENV",
    "CONDA",
    "JAVA",
    "JDK",
    "RUBY",
    "RBENV",
    "RUST",
    "CARGO",
    "GOLANG",
    "DOTNET",
    "GRADLE",
    "MAVEN",
    "CMAKE",
    "NVM",
    "VOLTA",
    "FNM",
    "KUBE",
    "CUDA",
    "NVIDIA",
    "GPU",
    "ANDROID",
    "CHROME",
    "CHROMIUM",
    "PLAYWRIGHT",
    "PUPPETEER",
    "JEST",
    "VITE",
    "VITEST",
    "PROXY",
    "TERM",
    "TERMINAL",
    "TMUX",
    "VSCODE",
    "LANG",
    "LOCALE",
    "LC",
    "TZ",
    "XDG",
    "WAYLAND",
    "BASH",
    "ZSH",
    "FISH",
    "LESS",
    "CLICOLOR",
    "NEXT_PUBLIC",
    "REACT_APP",
    "EXPO_PUBLIC",
];

/// How the names of settings end that are no secrets, whatever they belong to.
const SAFE_ENDINGS: &[&str] = &[
    "_VERSION",
    "_HOME",
    "_DIR",
    "_PATH",
    "_ENV",
    "_PORT",
    "_HOST",
    "_REGION",
    "_PROFILE",
    "_MODE",
    "_LEVEL",
    "_ENABLED",
    "_ENDPOINT",
    "_MODEL",
];

/// What the names of variables with secrets have in them.
const SECRET_NAME_PARTS: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASS", "PWD", "AUTH", "CRED", "URL", "URI", "DSN", "CERT", "COOKIE", "SESSION", "PAT"];

/// What the names of variables have in them that are secrets as a whole, and not addresses that may have one in them.
const WHOLE_SECRET_PARTS: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "DATABASE_URL", "DSN"];

/// Returns whether a variable of this name is a secret as a whole.
pub(crate) fn is_whole_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    may_be_secret(&upper) && WHOLE_SECRET_PARTS.iter().any(|part| upper.contains(part))
}

/// Returns whether a file holds variables for a program, as `.env` does, by its name.
pub(crate) fn is_environment_file(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.starts_with(".env") || name.strip_suffix(".env").is_some()
}

/// Returns whether a variable of this name may hold a secret.
pub(crate) fn may_be_secret(name: &str) -> bool {
    let upper = name.to_ascii_uppercase();
    !SAFE_VARIABLES.contains(&upper.as_str()) && SECRET_NAME_PARTS.iter().any(|part| upper.contains(part))
}

/// Returns whether a search for a part of a name finds only variables that are no secrets.
pub(crate) fn is_safe_part(part: &str) -> bool {
    let upper = part.to_ascii_uppercase();
    let subject = upper.trim_matches('_');
    SAFE_VARIABLES.contains(&upper.as_str())
        || SAFE_SUBJECTS.contains(&subject)
        || (!may_be_secret(&upper) && SAFE_ENDINGS.iter().any(|ending| upper.ends_with(ending)))
}

#[cfg(test)]
mod tests {
    use super::{is_safe_part, may_be_secret};

    #[test]
    fn names_tell_secrets_from_settings() {
        for (name, secret) in [("API_KEY", true), ("DATABASE_URL", true), ("PATH", false), ("PORT", false)] {
            assert_eq!(may_be_secret(name), secret, "{name}");
        }
        for (part, safe) in
            [("node", true), ("NODE_", true), ("AWS", false), ("AWS_REGION", true), ("a", false), ("key_path", false)]
        {
            assert_eq!(is_safe_part(part), safe, "{part}");
        }
    }
}
