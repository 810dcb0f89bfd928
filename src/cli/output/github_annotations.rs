//! Annotations of GitHub Actions: lines on standard output that it shows beside the code.

/// How grave what is said is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::cli) enum AnnotationLevel {
    Error,
    Warning,
    Notice,
}

/// Returns a line that says something about a place of a file, or about the run.
///
/// The form is that of <https://docs.github.com/actions/reference/workflow-commands-for-github-actions>.
pub(in crate::cli) fn annotation(
    level: AnnotationLevel,
    place: Option<(&str, Option<(usize, usize)>)>,
    title: &str,
    message: &str,
) -> String {
    let level = match level {
        AnnotationLevel::Error => "error",
        AnnotationLevel::Warning => "warning",
        AnnotationLevel::Notice => "notice",
    };
    let mut properties = Vec::new();
    if let Some((file, position)) = place {
        properties.push(format!("file={}", escape_property(file)));
        if let Some((line, column)) = position {
            properties.push(format!("line={line},col={column}"));
        }
    }
    properties.push(format!("title={}", escape_property(title)));
    format!("::{level} {}::{}\n", properties.join(","), escape_data(message))
}

/// Escapes what would end a message or begin another command.
fn escape_data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn escape_property(text: &str) -> String {
    escape_data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use super::{AnnotationLevel, annotation};

    #[test]
    fn what_is_said_stays_one_command() {
        let line = annotation(AnnotationLevel::Error, Some(("a,b.yaml", Some((3, 4)))), "x: y", "1%\n::stop");
        assert_eq!(line, "::error file=a%2Cb.yaml,line=3,col=4,title=x%3A y::1%25%0A::stop\n");
    }
}
