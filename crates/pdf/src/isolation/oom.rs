//! Detects whether the kernel killed a process because memory ran out.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The kernel's count of out-of-memory kills, for this process's control group or the machine.
pub struct OomKills {
    counter: Option<PathBuf>,
    /// The number of kills accounted for: those before the start, and those claimed since.
    accounted: Mutex<u64>,
}

impl OomKills {
    /// Starts counting.
    pub fn new() -> Self {
        let groups = fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        let group_counters = groups.lines().filter_map(counter_of_group);
        let machine = PathBuf::from("/proc/vmstat");
        let mut counters = group_counters.chain([machine]);
        Self::with_counter(counters.find(|path| count(path).is_some()))
    }

    fn with_counter(counter: Option<PathBuf>) -> Self {
        let accounted = counter.as_deref().and_then(count).unwrap_or_default();
        Self {
            counter,
            accounted: Mutex::new(accounted),
        }
    }

    /// Claims one kill, to explain one death. Returns `false` if there was none, or if kills are
    /// not counted.
    pub fn claim(&self) -> bool {
        let mut accounted = self
            .accounted
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let is_new = self
            .counter
            .as_deref()
            .and_then(count)
            .is_some_and(|count| count > *accounted);
        *accounted += u64::from(is_new);
        is_new
    }
}

/// The counter named by a line of `/proc/self/cgroup`: version 2, or the memory controller of
/// version 1.
fn counter_of_group(line: &str) -> Option<PathBuf> {
    let mut fields = line.splitn(3, ':').skip(1);
    let (controllers, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
    let (root, name) = match controllers {
        "" => ("/sys/fs/cgroup", "memory.events"),
        "memory" => ("/sys/fs/cgroup/memory", "memory.oom_control"),
        _ => return None,
    };
    Some(Path::new(root).join(group).join(name))
}

fn count(path: &Path) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let value = |line: &str| line.strip_prefix("oom_kill ")?.trim().parse().ok();
    text.lines().find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kill_explains_one_death() {
        let file = std::env::temp_dir().join(format!("corpus-oom-{}", std::process::id()));
        let set = |kills: u64| {
            let text = format!("low 0\noom 9\noom_kill {kills}\noom_group_kill 7\n");
            fs::write(&file, text).unwrap();
        };
        set(3);
        let kills = OomKills::with_counter(Some(file.clone()));
        assert!(!kills.claim());
        set(5);
        assert_eq!(
            [kills.claim(), kills.claim(), kills.claim()],
            [true, true, false]
        );
        fs::remove_file(&file).unwrap();
        assert!(!kills.claim());
        assert!(!OomKills::with_counter(None).claim());
    }

    #[test]
    fn counters_of_groups() {
        let counter = |line| counter_of_group(line).map(|path| path.display().to_string());
        let name = |text: &str| Some(text.to_owned());
        assert_eq!(
            counter("0::/user.slice/a:b"),
            name("/sys/fs/cgroup/user.slice/a:b/memory.events")
        );
        assert_eq!(counter("0::/"), name("/sys/fs/cgroup/memory.events"));
        assert_eq!(
            counter("4:memory:/docker/1"),
            name("/sys/fs/cgroup/memory/docker/1/memory.oom_control")
        );
        assert_eq!(counter("1:cpu:/"), None);
        assert_eq!(counter(""), None);
    }
}
