//! Runs engines, solvers and whole games on other machines, over NATS with the feature `cluster`.
//!
//! - [`cluster`]: slots that search leaves of a tree, or are cells of a mate search; the state machines of a cluster
//!   are pure, so that the simulator can run them under a virtual network
//! - `games`: whole games of matches and tunings, distributed by a persistent queue that loses no tasks or
//!   answers
//!
//! ```
//! use hasami_remote::cluster::channel::{Batch, ReliableChannel};
//! use hasami_tree::event::Time;
//!
//! let (mut sender, mut receiver) = (ReliableChannel::default(), ReliableChannel::default());
//! let mut batch = Batch::default();
//! batch.add(b"a task");
//! let (mut sent, mut confirmations) = (Vec::new(), Vec::new());
//! sender.write(Time::ZERO, &batch, &mut sent);
//! let messages = receiver.read(Time::ZERO, sent.remove(0), &mut confirmations)?;
//! assert_eq!(messages, [b"a task"]);
//! # Ok::<(), String>(())
//! ```

pub mod cluster;
#[cfg(feature = "cluster")]
pub mod games;
