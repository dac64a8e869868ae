//! Sectors: the directions of baselines in steps of ten degrees. Text of different sectors never
//! shares a row.

use super::geometry::Point;

const TURN: usize = 36;
const QUARTER: u8 = TURN as u8 / 4;
/// Mirrored text has separate sectors.
pub(super) const SECTORS: usize = 2 * TURN;

/// The sector of a direction.
pub(super) fn sector(direction: Point, is_mirrored: bool) -> u8 {
    let first = if is_mirrored { TURN as u8 } else { 0 };
    if direction.1 == 0.0 && direction.0 > 0.0 {
        return first;
    }
    let turns = direction.1.atan2(direction.0) / std::f32::consts::TAU;
    first + ((turns * TURN as f32).round() as i32).rem_euclid(TURN as i32) as u8
}

/// The sector of the upright characters in a column that runs in the direction of `sector`.
pub(super) fn upright_sector(sector: u8) -> u8 {
    let first = if is_mirrored(sector) { TURN as u8 } else { 0 };
    first + (sector - first + 3 * QUARTER) % TURN as u8
}

pub(super) fn is_mirrored(sector: u8) -> bool {
    usize::from(sector) >= TURN
}

/// The mean direction of the text in each sector. Lines of pages scanned at an angle differ
/// slightly, and far from the origin, slight differences matter.
pub(super) struct Directions([Point; SECTORS]);

impl Directions {
    /// The means of directions, given with their sectors and weights.
    pub(super) fn mean(all: impl Iterator<Item = (u8, Point, u32)>) -> Self {
        let mut sums = [(0.0_f64, 0.0_f64); SECTORS];
        for (sector, direction, weight) in all {
            if let Some(sum) = sums.get_mut(usize::from(sector)) {
                sum.0 += f64::from(direction.0) * f64::from(weight);
                sum.1 += f64::from(direction.1) * f64::from(weight);
            }
        }
        Self(sums.map(|sum| {
            let length = sum.0.hypot(sum.1);
            if length > 0.0 {
                ((sum.0 / length) as f32, (sum.1 / length) as f32)
            } else {
                (1.0, 0.0)
            }
        }))
    }

    pub(super) fn get(&self, sector: u8) -> Point {
        self.0
            .get(usize::from(sector))
            .copied()
            .unwrap_or((1.0, 0.0))
    }
}
