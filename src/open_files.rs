//! The limit of open files.

/// A sort reads many files of spilled data at a time. A higher limit would not help.
#[cfg(unix)]
const MAX_OPEN_FILES: u64 = 65_536;

/// Raises the limit of open files, often 1,024, to the maximum that the system allows.
pub fn raise_limit() {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let limit = getrlimit(Resource::Nofile);
        let wanted = limit.maximum.unwrap_or(MAX_OPEN_FILES).min(MAX_OPEN_FILES);
        if limit.current.is_some_and(|current| current < wanted) {
            let raised = Rlimit {
                current: Some(wanted),
                ..limit
            };
            // Ignore errors, because queries that spill little also run with the old limit.
            let _ = setrlimit(Resource::Nofile, raised);
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    #[test]
    fn the_limit_is_raised() {
        let limit = getrlimit(Resource::Nofile);
        let wanted = limit.maximum.unwrap_or(super::MAX_OPEN_FILES);
        let wanted = wanted.min(super::MAX_OPEN_FILES);
        let lower = Rlimit {
            current: Some(wanted - 1),
            ..limit
        };
        setrlimit(Resource::Nofile, lower).unwrap();
        super::raise_limit();
        assert_eq!(getrlimit(Resource::Nofile).current, Some(wanted));
    }
}
