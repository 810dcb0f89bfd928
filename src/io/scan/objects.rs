//! Contents of git objects, read through one `git cat-file` process.

use std::io::{self, BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use super::git::{GitError, git_command};

/// How many objects are requested before their contents are read: the requests fit into the smallest pipe (4 KiB).
const REQUESTS_AT_ONCE: usize = 32;

/// The content of an object, or the size in bytes of one that is larger than allowed.
pub type ObjectContent = Result<Vec<u8>, u64>;

/// A running `git cat-file`.
#[derive(Debug)]
pub struct ObjectReader {
    child: Child,
    requests: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl ObjectReader {
    /// Starts git in a directory of the repository.
    ///
    /// # Errors
    /// Returns that git cannot be started.
    pub fn start(cwd: &str) -> Result<Self, GitError> {
        let mut command = git_command(cwd, &["cat-file", "--batch"]);
        let mut child =
            command.stdin(Stdio::piped()).stderr(Stdio::null()).spawn().map_err(GitError::ObjectsNotRead)?;
        let (Some(requests), Some(answers)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(GitError::NoPipe);
        };
        Ok(Self { child, requests, answers: BufReader::with_capacity(1 << 16, answers) })
    }

    /// Reads objects of at most `most` bytes, in the order of their names, and passes each to `use_object`.
    ///
    /// An object that git does not have is passed as an error; the others follow it.
    ///
    /// # Errors
    /// Returns that git stopped.
    pub fn read_each(
        &mut self,
        names: &[&str],
        most: u64,
        mut use_object: impl FnMut(Result<ObjectContent, GitError>),
    ) -> Result<(), GitError> {
        for names in names.chunks(REQUESTS_AT_ONCE) {
            let requests: String = names.iter().flat_map(|name| [*name, "\n"]).collect();
            self.requests.write_all(requests.as_bytes()).map_err(GitError::ObjectsNotRead)?;
            self.requests.flush().map_err(GitError::ObjectsNotRead)?;
            for name in names {
                use_object(self.read_answer(name, most)?.ok_or_else(|| GitError::MissingObject((*name).to_owned())));
            }
        }
        Ok(())
    }

    /// Reads what git answers about an object; `None` when it does not have the object.
    fn read_answer(&mut self, name: &str, most: u64) -> Result<Option<ObjectContent>, GitError> {
        let mut header = String::new();
        self.answers.read_line(&mut header).map_err(GitError::ObjectsNotRead)?;
        if !header.starts_with(name) {
            return Err(GitError::ObjectsNotRead(ErrorKind::UnexpectedEof.into()));
        }
        let size = header.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size else { return Ok(None) };
        // A newline follows the content.
        let mut content = self.answers.by_ref().take(size + 1);
        if size > most {
            io::copy(&mut content, &mut io::sink()).map_err(GitError::ObjectsNotRead)?;
            return Ok(Some(Err(size)));
        }
        let mut bytes = Vec::with_capacity(usize::try_from(size).unwrap_or_default().saturating_add(1));
        content.read_to_end(&mut bytes).map_err(GitError::ObjectsNotRead)?;
        bytes.pop();
        Ok(Some(Ok(bytes)))
    }
}

impl Drop for ObjectReader {
    fn drop(&mut self) {
        // Git only reads, and waits for requests; it may be stopped at any time.
        let _killed = self.child.kill();
        let _status = self.child.wait();
    }
}
