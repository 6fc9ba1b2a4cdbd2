//! Generates labelled positions near those of self-play games, in memory; the games' own evaluation labels them.

use super::game;
use super::in_order::in_order;
use super::plan::SelfPlayPlan;
use hasami_catalog::Catalog;
use hasami_protocol::Settings;
use hasami_training::{Filter, TrainingFormats};
use std::sync::atomic::{AtomicBool, Ordering};

/// A source of labelled positions.
pub struct Distillation<'a> {
    pub catalog: &'a dyn Catalog,
    pub formats: &'a TrainingFormats,
    pub plan: SelfPlayPlan,
    /// Settings, which select the evaluation.
    pub settings: Settings,
    /// Number of random lines that start from each position of a game.
    pub ways: u32,
    pub filter: Filter,
}

/// Returns the seed for all random lines that leave a game.
fn seed_of_game(seed: u64, number: u64) -> u64 {
    seed ^ number.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

impl Distillation<'_> {
    /// Generates at least `positions` positions from whole games, beginning with the game numbered `first`. Returns the
    /// positions and the number of the next game; `None` if `enough` returned true first. The positions depend only on
    /// the plan and on `first`.
    ///
    /// # Errors
    /// Returns an error if a game cannot be played.
    pub fn piece(
        &self,
        first: u64,
        positions: usize,
        threads: usize,
        enough: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<(Vec<u8>, u64)>, String> {
        let (most, is_full) = (positions.saturating_mul(self.formats.position_bytes), AtomicBool::new(false));
        let is_over = || is_full.load(Ordering::Relaxed) || enough();
        let worker = || {
            let mut engine = self.catalog.engines(&self.settings)();
            let mut evaluator = self.formats.evaluator(self.settings.network.as_ref());
            let is_over = &is_over;
            move |number| -> Result<Option<Vec<u8>>, String> {
                let game = game::play(self.catalog, &self.plan, number, engine.as_mut(), is_over)?;
                let Some(game) = game else { return Ok(None) };
                let (seed, mut bytes) = (seed_of_game(self.plan.seed, number), Vec::new());
                let found = (self.formats.distil)(&mut evaluator, &game, self.ways, seed, &self.filter, &mut bytes);
                found.map_err(|error| error.to_string())?;
                Ok(Some(bytes))
            }
        };
        let (mut all, mut next, mut is_broken_off) = (Vec::new(), first, false);
        in_order(threads, (first..).take_while(|_| !is_over()), worker, |game| {
            // Games beyond the wanted number of positions are discarded; the next call plays them again.
            match game? {
                Some(bytes) if !is_broken_off && all.len() < most => {
                    all.extend(bytes);
                    next += 1;
                    is_full.store(all.len() >= most, Ordering::Relaxed);
                }
                Some(_) => {}
                None => is_broken_off = true,
            }
            Ok::<(), String>(())
        })?;
        Ok((all.len() >= most).then_some((all, next)))
    }
}
