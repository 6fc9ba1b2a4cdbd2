//! Pins engines to the processors of their games.

use super::{GameRunner, GameSink};

impl GameRunner<'_> {
    /// Pins both engines of a game to the processors of its lane. The engines must already be running.
    pub(super) fn keep_on_lane(&mut self, index: usize, sink: &mut dyn GameSink) {
        let slot = &self.slots[index];
        let (Some(lanes), Some(lane)) = (&self.lanes, slot.lane) else { return };
        let seats: Vec<_> = (0..2).map(|side| (slot.players[side], lanes.processors(lane, side).to_vec())).collect();
        for (id, processors) in seats {
            let Some(player) = self.pool.get(id) else { continue };
            let (engine, kept) = (player.engine, player.child.keep_on(&processors));
            match kept {
                Ok(()) => {
                    let text = format!("{} runs on processors {processors:?}", self.settings.engines[engine].name);
                    self.log.write("match", '*', &text);
                }
                Err(error) => {
                    let why = error.to_string();
                    self.note(engine, format!("cannot be kept on its processors: {why}"), sink);
                }
            }
        }
    }
}
