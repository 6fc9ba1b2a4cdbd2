//! The manager's world without machines: a virtual clock, virtual workers and a virtual GUI, all from one seed.

pub mod toy;
