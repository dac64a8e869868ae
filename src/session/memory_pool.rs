//! Divides the memory limit among the operators of a query.

use std::fmt;

use datafusion::common::{Result, human_readable_size, resources_datafusion_err};
use datafusion::execution::memory_pool::{
    MemoryConsumer, MemoryLimit, MemoryPool, MemoryReservation,
};
use parking_lot::Mutex;

/// The pool size divided by this is reserved for operators that cannot spill.
const UNSPILLABLE_DIVISOR: usize = 4;

/// Gives operators that can spill equal shares, like DataFusion's `FairSpillPool`, but never all of
/// the memory. Operators spill only when they need more memory. Without a reserve, one that starts
/// later, such as the second sort of a join, could not set memory aside for its merge, and the
/// query would fail.
#[derive(Debug)]
pub struct SharedPool {
    bytes: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// The number of consumers that can spill.
    spilling: usize,
    spillable_bytes: usize,
    unspillable_bytes: usize,
}

impl SharedPool {
    pub fn new(bytes: usize) -> Self {
        Self {
            bytes,
            state: Mutex::default(),
        }
    }

    /// Returns the size to which a reservation can grow.
    fn share(&self, state: &State, reservation: &MemoryReservation) -> usize {
        if reservation.consumer().can_spill() {
            let kept = state
                .unspillable_bytes
                .max(self.bytes / UNSPILLABLE_DIVISOR);
            self.bytes.saturating_sub(kept) / state.spilling.max(1)
        } else {
            let used = state.spillable_bytes + state.unspillable_bytes;
            self.bytes.saturating_sub(used) + reservation.size()
        }
    }
}

impl State {
    fn bytes(&mut self, consumer: &MemoryConsumer) -> &mut usize {
        if consumer.can_spill() {
            &mut self.spillable_bytes
        } else {
            &mut self.unspillable_bytes
        }
    }
}

impl fmt::Display for SharedPool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let size = human_readable_size(self.bytes);
        write!(f, "{}(pool_size: {size})", self.name())
    }
}

impl MemoryPool for SharedPool {
    fn name(&self) -> &str {
        "shared"
    }

    fn register(&self, consumer: &MemoryConsumer) {
        if consumer.can_spill() {
            self.state.lock().spilling += 1;
        }
    }

    fn unregister(&self, consumer: &MemoryConsumer) {
        if consumer.can_spill() {
            self.state.lock().spilling -= 1;
        }
    }

    fn grow(&self, reservation: &MemoryReservation, additional: usize) {
        *self.state.lock().bytes(reservation.consumer()) += additional;
    }

    fn shrink(&self, reservation: &MemoryReservation, shrink: usize) {
        *self.state.lock().bytes(reservation.consumer()) -= shrink;
    }

    fn try_grow(&self, reservation: &MemoryReservation, additional: usize) -> Result<()> {
        let mut state = self.state.lock();
        let available = self
            .share(&state, reservation)
            .saturating_sub(reservation.size());
        if additional <= available {
            *state.bytes(reservation.consumer()) += additional;
            return Ok(());
        }
        Err(resources_datafusion_err!(
            "Failed to allocate additional {} for {} with {} already allocated for this \
             reservation - {} remain available for the total memory pool: {}",
            human_readable_size(additional),
            reservation.consumer().name(),
            human_readable_size(reservation.size()),
            human_readable_size(available),
            self
        ))
    }

    fn reserved(&self) -> usize {
        let state = self.state.lock();
        state.spillable_bytes + state.unspillable_bytes
    }

    fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::Finite(self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn pool() -> Arc<dyn MemoryPool> {
        Arc::new(SharedPool::new(100))
    }

    fn consumer(pool: &Arc<dyn MemoryPool>, can_spill: bool) -> MemoryReservation {
        MemoryConsumer::new("x")
            .with_can_spill(can_spill)
            .register(pool)
    }

    #[test]
    fn consumers_that_spill_leave_room_for_others() {
        let pool = pool();
        let sort = consumer(&pool, true);
        assert!(sort.try_grow(76).is_err());
        sort.try_grow(75).unwrap();
        let merge = consumer(&pool, false);
        merge.try_grow(25).unwrap();
        assert!(merge.try_grow(1).is_err());
        assert_eq!(pool.reserved(), 100);
        merge.free();
        assert_eq!(pool.reserved(), 75);
    }

    #[test]
    fn consumers_that_spill_get_equal_shares() {
        let pool = pool();
        let (one, other) = (consumer(&pool, true), consumer(&pool, true));
        assert!(one.try_grow(38).is_err());
        one.try_grow(37).unwrap();
        other.try_grow(37).unwrap();
        drop(other);
        one.try_grow(38).unwrap();
    }

    #[test]
    fn others_can_take_all_that_is_free() {
        let pool = pool();
        let join = consumer(&pool, false);
        join.try_grow(60).unwrap();
        join.try_grow(40).unwrap();
        let sort = consumer(&pool, true);
        let error = sort.try_grow(1).unwrap_err().to_string();
        assert!(error.contains("for x with 0.0 B already"), "{error}");
        assert!(error.contains("shared(pool_size: 100.0 B)"), "{error}");
    }
}
