//! Standard input and output, and memory for what comes in.

use memmap2::MmapMut;

/// Enlarges the pipe of standard input, so that writer and reader alternate less often.
pub fn enlarge_stdin_pipe() {
    #[cfg(target_os = "linux")]
    {
        // What is no pipe, or may not be wider, is read as it is.
        let _as_it_is = rustix::pipe::fcntl_setpipe_size(std::io::stdin(), 1 << 20);
    }
}

/// Returns memory for so many bytes that is given in large pages, where the system knows such and has them to give.
pub fn map_large_pages(bytes: usize) -> Option<MmapMut> {
    #[cfg(target_os = "linux")]
    {
        let memory = MmapMut::map_anon(bytes).ok()?;
        memory.advise(memmap2::Advice::HugePage).ok()?;
        Some(memory)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _none = bytes;
        None
    }
}

/// Returns whether standard output goes nowhere: into the null device, which is also there when the
/// program was started with its standard output closed.
#[cfg(unix)]
pub fn is_stdout_discarded() -> bool {
    // Both from one source: the types of the fields differ between systems, and from those of `std`.
    let null = rustix::fs::stat("/dev/null").ok();
    let out = rustix::fs::fstat(std::io::stdout()).ok();
    out.zip(null).is_some_and(|(out, null)| (out.st_dev, out.st_ino) == (null.st_dev, null.st_ino))
}

/// Elsewhere this cannot be known.
#[cfg(not(unix))]
pub fn is_stdout_discarded() -> bool {
    false
}
