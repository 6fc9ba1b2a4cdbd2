//! The behaviour and faults of a virtual worker.

use rand::Rng;
use rand::rngs::SmallRng;
use std::time::Duration;

/// The behaviour of one virtual worker. Probabilities are in permille, and every event is drawn independently.
#[derive(Clone, PartialEq, Debug)]
pub struct Behaviour {
    /// The remote machine of the worker; `None` for a worker on the manager's own machine.
    pub machine: Option<u64>,
    /// Speed in nodes per second.
    pub speed: f64,
    /// Shortest and longest delay of a message.
    pub latency: (Duration, Duration),
    /// Time from the start of the worker until it joins.
    pub join_after: Duration,
    pub can_except: bool,
    pub can_only: bool,
    pub can_best: bool,
    pub can_mate: bool,
    /// Probability that the worker dies instead of joining.
    pub stillborn: u32,
    /// Probability that the worker dies at an iteration.
    pub crash: u32,
    /// Probability that the worker dies while it is idle.
    pub idle_crash: u32,
    /// Probability that the worker ignores a cancellation.
    pub deaf: u32,
    /// Probability that the worker reports nothing before the end of a task.
    pub silent: u32,
    /// Probability that a report or an answer is false.
    pub lie: u32,
    /// Probability that the worker reports the worst move as good, at a great depth or as a mate. All reported moves
    /// are legal.
    pub praise: u32,
    /// Probability that the worker ends a task twice, or sends a message about a task that has ended or never existed.
    pub stray: u32,
    /// Probability, at each iteration, that the task fails.
    pub fail: u32,
    /// Probability that the worker ends a task long before it should.
    pub give_up: u32,
    /// Probability that the worker repeats a message many times.
    pub flood: u32,
    /// Probability that the worker needs up to three seconds to end a cancelled task.
    pub slow_stop: u32,
}

impl Behaviour {
    /// Returns a fast worker without faults.
    pub fn healthy() -> Self {
        Self {
            machine: None,
            speed: 100_000.0,
            latency: (Duration::from_micros(20), Duration::from_micros(300)),
            join_after: Duration::from_millis(1),
            can_except: true,
            can_only: true,
            can_best: true,
            can_mate: false,
            stillborn: 0,
            crash: 0,
            idle_crash: 0,
            deaf: 0,
            silent: 0,
            lie: 0,
            praise: 0,
            stray: 0,
            fail: 0,
            give_up: 0,
            flood: 0,
            slow_stop: 0,
        }
    }

    /// Returns a worker without faults that can only solve mates.
    pub fn solver() -> Self {
        Self { can_best: false, can_mate: true, ..Self::healthy() }
    }

    /// Returns a worker without faults, with random speed, latency and abilities.
    pub fn able(rng: &mut SmallRng) -> Self {
        let far = Duration::from_micros(rng.random_range(20..20_000));
        Self {
            speed: 100_000.0 * f64::from(rng.random_range(1..40u32)) / 10.0,
            latency: (far / 2, far),
            join_after: Duration::from_millis(rng.random_range(0..200)),
            can_except: rng.random_ratio(2, 3),
            can_only: rng.random_ratio(9, 10),
            can_mate: rng.random_ratio(1, 6),
            ..Self::healthy()
        }
    }

    /// Returns a worker with random abilities and one to three faults.
    pub fn faulty(rng: &mut SmallRng) -> Self {
        let mut behaviour = Self::able(rng);
        if rng.random_ratio(1, 12) {
            behaviour.can_best = false;
            behaviour.can_mate = true;
        }
        for _ in 0..rng.random_range(1..=3) {
            let often = [20, 200, 1000][rng.random_range(0..3)];
            *behaviour.vice(rng.random_range(0..11)) = often;
        }
        behaviour
    }

    fn vice(&mut self, index: u32) -> &mut u32 {
        match index {
            0 => &mut self.stillborn,
            1 => &mut self.crash,
            2 => &mut self.idle_crash,
            3 => &mut self.deaf,
            4 => &mut self.silent,
            5 => &mut self.lie,
            6 => &mut self.stray,
            7 => &mut self.fail,
            8 => &mut self.give_up,
            9 => &mut self.flood,
            _ => &mut self.slow_stop,
        }
    }

    /// Returns whether the worker has no faults.
    pub fn is_healthy(&self) -> bool {
        let mut copy = self.clone();
        self.can_best && self.praise == 0 && (0..11).all(|index| *copy.vice(index) == 0)
    }
}
