//! Patches in the format of `apply_patch`, as the files that they change.
//!
//! ```text
//! *** Begin Patch
//! *** Add File: new.txt
//! +a line
//! *** Update File: a.txt
//! *** Move to: b.txt
//! @@
//! -old
//! +new
//! *** Delete File: c.txt
//! *** End Patch
//! ```

/// The most changes of one patch that are read.
const MAX_CHANGES: usize = 4096;

/// What a patch does to one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileChange<'a> {
    /// Creates it, or replaces its content.
    Add {
        /// The file.
        path: &'a str,
        /// Its whole content.
        content: String,
    },
    /// Replaces parts of it.
    Update {
        /// The file.
        path: &'a str,
        /// Where it is moved to afterwards.
        moved_to: Option<&'a str>,
        /// The parts, in order.
        parts: Vec<ReplacedPart>,
    },
    /// Deletes it.
    Delete {
        /// The file.
        path: &'a str,
    },
}

/// Adjacent lines of a file that are replaced. Lines that only say where they are, are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReplacedPart {
    /// The lines that are removed.
    pub removed: String,
    /// The lines that take their place.
    pub added: String,
}

/// Returns whether a text is a patch in this format.
pub fn is_patch(text: &str) -> bool {
    text.trim_start().starts_with("*** Begin Patch") || text.lines().any(|line| header(line).is_some())
}

/// Returns what a patch does, in order. Programs that apply patches accept headers with blanks around them, except
/// among the lines of an update, where a blank at the beginning means that a line is unchanged.
pub fn file_changes(patch: &str) -> Vec<FileChange<'_>> {
    let mut changes: Vec<FileChange<'_>> = Vec::new();
    let mut is_adjacent = false;
    for line in patch.lines() {
        let is_unchanged_line = line.starts_with(' ') && matches!(changes.last(), Some(FileChange::Update { .. }));
        match header(line).filter(|_| !is_unchanged_line) {
            Some(Header::Begin(change)) if changes.len() < MAX_CHANGES => {
                changes.push(change);
                is_adjacent = false;
            }
            Some(Header::Begin(_)) => break,
            Some(Header::MoveTo(target)) => {
                if let Some(FileChange::Update { moved_to, .. }) = changes.last_mut() {
                    *moved_to = Some(target);
                }
            }
            None => is_adjacent = add_line(changes.last_mut(), line, is_adjacent),
        }
    }
    changes
}

/// Adds a line to a change; returns whether the next line is adjacent to it in the file.
fn add_line(change: Option<&mut FileChange<'_>>, line: &str, is_adjacent: bool) -> bool {
    let Some((sign, rest)) = line.split_at_checked(1) else { return false };
    match (change, sign) {
        (Some(FileChange::Add { content, .. }), "+") => push_line(content, rest),
        (Some(FileChange::Update { parts, .. }), "+" | "-") => {
            if !is_adjacent {
                parts.push(ReplacedPart::default());
            }
            if let Some(part) = parts.last_mut() {
                push_line(if sign == "+" { &mut part.added } else { &mut part.removed }, rest);
            }
            return true;
        }
        _ => {}
    }
    false
}

fn push_line(text: &mut String, line: &str) {
    text.push_str(line);
    text.push('\n');
}

/// A line that names a file.
enum Header<'a> {
    /// The first line of a change.
    Begin(FileChange<'a>),
    /// The line that says where an updated file is moved to.
    MoveTo(&'a str),
}

fn header(line: &str) -> Option<Header<'_>> {
    let (words, path) = line.trim().strip_prefix("*** ")?.split_once(':')?;
    let path = path.trim();
    match words {
        "Add File" => Some(Header::Begin(FileChange::Add { path, content: String::new() })),
        "Update File" => Some(Header::Begin(FileChange::Update { path, moved_to: None, parts: Vec::new() })),
        "Delete File" => Some(Header::Begin(FileChange::Delete { path })),
        "Move to" => Some(Header::MoveTo(path)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FileChange, ReplacedPart, file_changes, is_patch};

    fn part(removed: &str, added: &str) -> ReplacedPart {
        ReplacedPart { removed: removed.to_owned(), added: added.to_owned() }
    }

    #[test]
    fn each_section_is_a_change() {
        let patch = "*** Begin Patch\n*** Add File: new.txt\n+one\n+two\n*** Update File: a.txt\n*** Move to: b.txt\n@@ fn\n same\n-old\n+new\n same\n+more\n*** Delete File: dir/c.txt\n*** End Patch\n";
        let wanted = [
            FileChange::Add { path: "new.txt", content: "one\ntwo\n".to_owned() },
            FileChange::Update {
                path: "a.txt",
                moved_to: Some("b.txt"),
                parts: vec![part("old\n", "new\n"), part("", "more\n")],
            },
            FileChange::Delete { path: "dir/c.txt" },
        ];
        assert_eq!(file_changes(patch), wanted);
        assert_eq!(file_changes(&patch.replace('\n', "\r\n")), wanted);
        assert_eq!(file_changes("no patch\n+x"), []);
    }

    #[test]
    fn headers_may_have_blanks_around_them() {
        let delete = [FileChange::Delete { path: "a b.txt" }];
        assert_eq!(file_changes("*** Begin Patch\n  *** Delete File:   a b.txt  \n"), delete);
        let update = "*** Update File: a.md\n@@\n *** Delete File: b.md\n-x\n+y\n";
        let changed = FileChange::Update { path: "a.md", moved_to: None, parts: vec![part("x\n", "y\n")] };
        assert_eq!(file_changes(update), [changed], "the line is one of the file");
        assert_eq!(file_changes("*** Add File: a.md\n+*** Delete File: b.md\n").len(), 1, "the line is new text");
    }

    #[test]
    fn a_patch_is_known_by_its_first_line_or_its_headers() {
        assert!(is_patch("\n*** Begin Patch\n*** End Patch"));
        assert!(is_patch("*** Delete File: x"));
        assert!(!is_patch("--- a/x\n+++ b/x\n@@ -1 +1 @@\n"));
        assert!(!is_patch("*** Note: read this"));
    }
}
