//! The memory that operators share.

use std::fmt;

use datafusion::common::{Result, human_readable_size, resources_datafusion_err};
use datafusion::execution::memory_pool::{
    MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};
use parking_lot::Mutex;

/// The part of the memory that is kept for operators which cannot spill, beyond what they have: one in
/// this many bytes.
const UNSPILLABLE_SHARE: usize = 8;

/// What sorts merge with. They take as much as they get, to merge many files at a time.
const MERGE: &str = "ExternalSorterMerge";

/// The queues between partitions. They could spill, but hold a few batches.
const QUEUE: &str = "RepartitionExec";

/// Gives each operator that can spill an equal share, like DataFusion's `FairSpillPool`, and keeps some
/// memory for those that cannot.
///
/// An operator that registers early takes shares of those that register later, and gives nothing back.
/// Without the rest that is kept, sorts then fail because they cannot reserve what they merge with.
/// Queues get no share: a join of two sorted sides has eight of them for two threads, which would leave
/// a tenth of the memory to each sort.
#[derive(Debug)]
pub struct SharedPool {
    bytes: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    spillers: usize,
    spillable: usize,
    unspillable: usize,
}

impl SharedPool {
    pub fn new(bytes: usize) -> Self {
        Self {
            bytes,
            state: Mutex::default(),
        }
    }
}

/// Whether an operator gets a share.
fn has_share(consumer: &MemoryConsumer) -> bool {
    consumer.can_spill() && !consumer.name().starts_with(QUEUE)
}

impl fmt::Display for SharedPool {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let bytes = human_readable_size(self.bytes);
        write!(f, "{}(pool_size: {bytes})", self.name())
    }
}

impl MemoryPool for SharedPool {
    fn name(&self) -> &str {
        "shared"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        if has_share(consumer) {
            self.state.lock().spillers += 1;
        }
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        if has_share(consumer) {
            let mut state = self.state.lock();
            state.spillers = state.spillers.saturating_sub(1);
        }
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        let mut state = self.state.lock();
        match has_share(reservation.consumer()) {
            true => state.spillable += additional,
            false => state.unspillable += additional,
        }
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        let mut state = self.state.lock();
        match has_share(reservation.consumer()) {
            true => state.spillable -= shrink,
            false => state.unspillable -= shrink,
        }
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let mut state = self.state.lock();
        let State {
            spillers,
            spillable,
            unspillable,
        } = *state;
        let spills = has_share(reservation.consumer());
        let available = match spills {
            true => {
                let kept = unspillable + self.bytes / UNSPILLABLE_SHARE;
                let shares = self.bytes.saturating_sub(kept);
                let share = shares.checked_div(spillers).unwrap_or(shares);
                share.saturating_sub(reservation.size())
            }
            false => {
                let free = self.bytes.saturating_sub(unspillable + spillable);
                let is_merge = reservation.consumer().name().starts_with(MERGE);
                let most = self.bytes / (spillers + 2);
                // With others beside it, a merge takes the rest of its share, or leaves half.
                match is_merge {
                    true => most
                        .saturating_sub(reservation.size())
                        .max(free.saturating_sub(self.bytes / 2))
                        .min(free),
                    false => free,
                }
            }
        };
        if additional > available {
            return Err(resources_datafusion_err!(
                "Failed to allocate additional {} for {} with {} already allocated for this \
                 reservation - {} remain available for the total memory pool: {self}",
                human_readable_size(additional),
                reservation.consumer().name(),
                human_readable_size(reservation.size()),
                human_readable_size(available)
            ));
        }
        match spills {
            true => state.spillable += additional,
            false => state.unspillable += additional,
        }
        Ok(())
    }

    fn reserved(&self) -> usize {
        let state = self.state.lock();
        state.spillable + state.unspillable
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn consumer(name: &str, spills: bool, pool: &Arc<dyn MemoryPool>) -> MemoryReservation {
        MemoryConsumer::new(name)
            .with_can_spill(spills)
            .register(pool)
    }

    #[test]
    fn spillers_share_and_leave_a_rest_for_others() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(1000));
        let early = consumer("early", true, &pool);
        early.try_grow(875).unwrap();
        early.try_grow(1).unwrap_err();
        early.shrink(475);
        let late = consumer("late", true, &pool);
        late.try_grow(437).unwrap();
        late.try_grow(1).unwrap_err();
        let table = consumer("table", false, &pool);
        table.try_grow(163).unwrap();
        let error = table.try_grow(1).unwrap_err().to_string();
        assert!(error.contains("additional 1.0 B for table"), "{error}");
        assert!(error.contains("pool_size: 1000.0 B)"), "{error}");
        assert_eq!(pool.reserved(), 1000);
        drop(late);
        table.try_grow(437).unwrap();
        // Spillers get what is left.
        early.try_grow(1).unwrap_err();
    }

    #[test]
    fn queues_take_no_share() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(1000));
        let sort = consumer("ExternalSorter[0]", true, &pool);
        let queue = consumer("RepartitionExec[1]", true, &pool);
        queue.try_grow(250).unwrap();
        sort.try_grow(625).unwrap();
        queue.try_grow(125).unwrap();
        // The queue spills.
        queue.try_grow(1).unwrap_err();
    }

    #[test]
    fn merges_leave_memory_to_each_other() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(1000));
        let _sorts = [(); 3].map(|()| consumer("ExternalSorter[0]", true, &pool));
        let merges = [(); 4].map(|()| consumer("ExternalSorterMerge[0]", false, &pool));
        // The first is alone.
        merges[0].try_grow(500).unwrap();
        for merge in &merges[1..3] {
            merge.try_grow(200).unwrap();
            merge.try_grow(1).unwrap_err();
        }
        merges[3].try_grow(100).unwrap();
        merges[3].try_grow(1).unwrap_err();
    }

    #[test]
    fn a_consumer_that_cannot_spill_gets_everything_if_it_is_alone() {
        let pool: Arc<dyn MemoryPool> = Arc::new(SharedPool::new(1000));
        let join = consumer("join", false, &pool);
        join.try_grow(1000).unwrap();
        join.free();
        assert_eq!(pool.reserved(), 0);
    }
}
