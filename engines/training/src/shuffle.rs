//! Shuffles files of positions of any size: positions are distributed at random to parts that fit into memory, and then
//! each part is shuffled.

use crate::positions::{Positions, PositionsError};
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use rand::{Rng, SeedableRng};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

/// Writes all positions into one file, in an order that depends only on the seed. Each part has at most about `most`
/// bytes and is stored in temporary files, whose path `part` returns.
///
/// # Errors
/// Errors of the operating system.
pub fn shuffle(
    positions: &Positions,
    mut file: impl Write,
    seed: u64,
    most: usize,
    part: impl Fn(usize) -> PathBuf,
) -> io::Result<()> {
    let parts = (positions.len() * positions.size()).div_ceil(most).max(1);
    let mut random = StdRng::seed_from_u64(seed);
    if parts == 1 {
        write_shuffled(positions, &mut random, &mut file)?;
    } else {
        let paths: Vec<PathBuf> = (0..parts).map(part).collect();
        let result = deal(positions, &paths, &mut random).and_then(|()| {
            for path in &paths {
                let part = Positions::open(positions.game(), &[path]).map_err(into_io)?;
                write_shuffled(&part, &mut random, &mut file)?;
            }
            Ok(())
        });
        for path in paths {
            let _ = fs::remove_file(path);
        }
        result?;
    }
    file.flush()
}

fn into_io(error: PositionsError) -> io::Error {
    io::Error::other(error.to_string())
}

fn deal(positions: &Positions, paths: &[PathBuf], random: &mut StdRng) -> io::Result<()> {
    let mut files: Vec<_> =
        paths.iter().map(|path| File::create(path).map(BufWriter::new)).collect::<Result<_, _>>()?;
    for index in 0..positions.len() {
        let part = random.random_range(0..files.len());
        files[part].write_all(positions.bytes(index))?;
    }
    files.iter_mut().try_for_each(Write::flush)
}

fn write_shuffled(positions: &Positions, random: &mut StdRng, out: &mut impl Write) -> io::Result<()> {
    let mut order: Vec<u32> = (0..positions.len() as u32).collect();
    order.shuffle(random);
    order.into_iter().try_for_each(|index| out.write_all(positions.bytes(index as usize)))
}
