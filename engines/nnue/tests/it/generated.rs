//! Generates network files with random weights in the formats of several programs.

/// A pseudorandom number generator.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    /// Returns a random number from 0 to `end - 1`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() >> 33) as usize % end
    }

    /// Returns a random number from `-most` to `most`.
    fn around_zero(&mut self, most: i32) -> i32 {
        self.below(2 * most as usize + 1) as i32 - most
    }
}

/// A network file under construction.
pub struct File {
    pub bytes: Vec<u8>,
    random: Random,
}

impl File {
    fn new(version: u32, hash: u32, description: &str, seed: u64) -> Self {
        let mut file = Self { bytes: Vec::new(), random: Random::new(seed) };
        [version, hash, description.len() as u32].into_iter().for_each(|n| file.u32(n));
        file.bytes.extend(description.as_bytes());
        file
    }

    fn u32(&mut self, number: u32) {
        self.bytes.extend(number.to_le_bytes());
    }

    fn numbers(&mut self, count: usize, most: i32, width: usize) {
        for _ in 0..count {
            let number = self.random.around_zero(most);
            self.bytes.extend(&number.to_le_bytes()[..width]);
        }
    }

    /// Writes random numbers as signed LEB128 in the format of Stockfish.
    fn compressed(&mut self, count: usize, most: i32) {
        let mut packed = Vec::new();
        for _ in 0..count {
            let mut left = self.random.around_zero(most);
            loop {
                let byte = (left & 0x7f) as u8;
                left >>= 7;
                let is_last = (left == 0 && byte & 0x40 == 0) || (left == -1 && byte & 0x40 != 0);
                packed.push(if is_last { byte } else { byte | 0x80 });
                if is_last {
                    break;
                }
            }
        }
        self.bytes.extend(b"COMPRESSED_LEB128");
        self.u32(packed.len() as u32);
        self.bytes.extend(packed);
    }

    fn dense(&mut self, inputs: usize, outputs: usize) {
        self.numbers(outputs, 4_000, 4);
        self.numbers(outputs * inputs.next_multiple_of(32), 60, 1);
    }
}

/// Computes the hash that describes the dense layers, in order from the input to the output.
fn dense_hash(inputs: usize, outputs: &[usize]) -> u32 {
    let mut hash = 0xEC42_E90D ^ inputs as u32;
    for (layer, &outputs) in outputs.iter().enumerate() {
        if layer > 0 {
            hash = hash.wrapping_add(0x538D_24C7);
        }
        hash = 0xCC03_DAE4_u32.wrapping_add(outputs as u32) ^ (hash >> 1) ^ (hash << 31);
    }
    hash
}

/// Returns a network with three dense layers, with the given feature set (name, hash and number of rows) and widths.
pub fn classic(name: &str, hash: u32, rows: usize, [width, first, second]: [usize; 3], seed: u64) -> Vec<u8> {
    let description = format!(
        "Features={name}[{rows}->{width}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}](AffineTransform[{second}<-\
         {first}](ClippedReLU[{first}](AffineTransform[{first}<-{inputs}](InputSlice[{inputs}(0:{inputs})])))))",
        inputs = 2 * width
    );
    let (of_features, of_dense) = (hash ^ (2 * width as u32), dense_hash(2 * width, &[first, second, 1]));
    let mut file = File::new(0x7AF3_2F16, of_features ^ of_dense, &description, seed);
    file.u32(of_features);
    file.numbers(width, 60, 2);
    file.numbers(width * rows, 16, 2);
    file.u32(of_dense);
    file.dense(2 * width, first);
    file.dense(first, second);
    file.dense(second, 1);
    file.bytes
}

/// A network in the format of Stockfish 15 and later.
pub fn stockfish(width: usize, is_compressed: bool, seed: u64) -> Vec<u8> {
    const ROWS: usize = 22_528;
    let (of_features, of_dense) = (0x7F23_4CB8 ^ (2 * width as u32), dense_hash(2 * width, &[16, 32, 1]));
    let mut file = File::new(0x7AF3_2F20, of_features ^ of_dense, "Network of random numbers", seed);
    file.u32(of_features);
    if is_compressed {
        file.compressed(width, 60);
        file.compressed(width * ROWS, 16);
        file.compressed(8 * ROWS, 3_000);
    } else {
        file.numbers(width, 60, 2);
        file.numbers(width * ROWS, 16, 2);
        file.numbers(8 * ROWS, 3_000, 4);
    }
    for _ in 0..8 {
        file.u32(of_dense);
        file.dense(width, 16);
        file.dense(30, 32);
        file.dense(32, 1);
    }
    file.bytes
}

/// A shogi network with nine layer stacks and HalfKA_hm2 features.
pub fn layer_stacks(width: usize, first: usize, second: usize, seed: u64) -> Vec<u8> {
    let description = format!(
        "Features=HalfKaHmMerged(Friend)[73305->{width}x2],Network=AffineTransform[1<-{second}](ClippedReLU[{second}](\
         AffineTransform[{second}<-{inner}](SqrClippedReLU[{inner}](AffineTransform[{outputs}<-{inputs}](InputSlice[{inputs}\
         (0:{inputs})]))))),fv_scale=28",
        inner = 2 * first,
        outputs = first + 1,
        inputs = 2 * width
    );
    let mut file = File::new(0x7AF3_2F20, 0x3C20_3B32, &description, seed);
    file.u32(0x5F13_4AB8);
    file.compressed(width, 60);
    file.compressed(width * 73_305, 16);
    for _ in 0..9 {
        file.u32(0x6333_718A);
        file.dense(width, first + 1);
        file.dense(2 * first, second);
        file.dense(second, 1);
    }
    file.bytes
}

/// A chess network in Hasami's own format, with two king buckets.
pub fn own(seed: u64) -> Vec<u8> {
    let mut random = Random::new(seed);
    let mut numbers = |count: usize, most: i32| (0..count).map(|_| random.around_zero(most) as i16).collect::<Vec<_>>();
    hasami_nnue::OwnNetwork {
        game: hasami_nnue::NetworkGame::Chess,
        width: 128,
        scale: 400,
        description: "random numbers".into(),
        buckets: (0..64).map(|square| square / 32).collect(),
        biases: numbers(128, 120),
        weights: numbers(128 * 768 * 2, 60),
        stacks: (0..8).map(|stack| (1_000 * stack, numbers(256, 127))).collect(),
    }
    .to_bytes()
}
