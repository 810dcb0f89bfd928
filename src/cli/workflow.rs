//! Annotations of GitHub Actions: lines on standard output that it shows beside the code.

/// How grave what is said is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Level {
    Error,
    Warning,
    Notice,
}

/// Returns a line that says something about a place of a file, or about the run.
///
/// The form is that of <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
pub(super) fn annotation(
    level: Level,
    place: Option<(&str, Option<(usize, usize)>)>,
    title: &str,
    message: &str,
) -> String {
    let level = match level {
        Level::Error => "error",
        Level::Warning => "warning",
        Level::Notice => "notice",
    };
    let mut properties = Vec::new();
    if let Some((file, position)) = place {
        properties.push(format!("file={}", property(file)));
        if let Some((line, column)) = position {
            properties.push(format!("line={line},col={column}"));
        }
    }
    properties.push(format!("title={}", property(title)));
    format!("::{level} {}::{}\n", properties.join(","), data(message))
}

/// Escapes what would end a message or begin another command.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{Level, annotation};

    #[test]
    fn what_is_said_stays_one_command() {
        let line = annotation(Level::Error, Some(("a,b.yaml", Some((3, 4)))), "x: y", "1%\n::stop");
        assert_eq!(line, "::error file=a%2Cb.yaml,line=3,col=4,title=x%3A y::1%25%0A::stop\n");
    }
}
