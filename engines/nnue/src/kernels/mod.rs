//! The arithmetic of networks: in plain Rust as the reference, and with bit-identical results for each instruction set.
//!
//! The instruction set is chosen when a network is read. `generic` contains the kernels, written in terms of the trait
//! `vector::Vector`. One file for each instruction set implements the trait and compiles the kernels.

/// Implements those operations of a `vector::Vector` that take a single instruction.
#[allow(unused_macros)]
macro_rules! instructions {
    ($($operation:ident($($other:ident)?) = $instruction:path),* $(,)?) => { $(
        #[inline(always)]
        unsafe fn $operation(self $(, $other: Self)?) -> Self {
            // SAFETY: the caller ensures that the processor supports the instruction set.
            unsafe { Self($instruction(self.0 $(, $other.0)?)) }
        }
    )* };
}

/// Implements the loads, stores and splats of a `vector::Vector`, which take one instruction each.
#[cfg(target_arch = "x86_64")]
macro_rules! transfers {
    ($load:path, $store:path, $splat16:path, $splat32:path) => {
        #[inline(always)]
        unsafe fn load(from: *const u8) -> Self {
            // SAFETY: the caller passes a pointer to an aligned register, and the processor supports the instruction.
            unsafe { Self($load(from.cast())) }
        }

        #[inline(always)]
        unsafe fn store(self, to: *mut u8) {
            // SAFETY: the caller passes a pointer to an aligned register, and the processor supports the instruction.
            unsafe { $store(to.cast(), self.0) }
        }

        #[inline(always)]
        unsafe fn splat16(value: i16) -> Self {
            // SAFETY: the caller ensures that the processor supports the instruction set.
            unsafe { Self($splat16(value)) }
        }

        #[inline(always)]
        unsafe fn splat32(value: i32) -> Self {
            // SAFETY: the caller ensures that the processor supports the instruction set.
            unsafe { Self($splat32(value)) }
        }
    };
}

/// Compiles all kernels for one instruction set, whose target features are `$feature` and whose register type is `$V`.
#[allow(unused_macros)]
macro_rules! compiled_for {
    ($set:ident, $feature:literal, $V:ty) => {
        use crate::affine::Affine;
        use crate::kernels::{InstructionSet, Kernels, Update, generic};

        pub const KERNELS: Kernels =
            Kernels { set: InstructionSet::$set, update, clip, multiply, affine, affine_of_few, squares };

        #[target_feature(enable = $feature)]
        fn update(from: &[i16], to: &mut [i16], update: &Update<'_>) {
            // SAFETY: the processor supports the instruction set, and `Kernels::update` checks the lengths.
            unsafe {
                if update.width % (4 * <$V as Vector>::BYTES) == 0 {
                    generic::update::<$V, 8>(from, to, update);
                } else {
                    generic::update::<$V, 4>(from, to, update);
                }
            }
        }

        #[target_feature(enable = $feature)]
        fn clip(values: &[i16], out: &mut [u8]) {
            // SAFETY: the processor supports the instruction set, and `Kernels::clip` checks the lengths.
            unsafe { generic::clip::<$V>(values, out) }
        }

        #[target_feature(enable = $feature)]
        fn multiply(values: &[i16], out: &mut [u8]) {
            // SAFETY: the processor supports the instruction set, and `Kernels::multiply` checks the lengths.
            unsafe { generic::multiply::<$V>(values, out) }
        }

        #[target_feature(enable = $feature)]
        fn affine(layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
            const LANES: usize = <$V as Vector>::BYTES / 4;
            // SAFETY: the processor supports the instruction set, and `Kernels::affine` checks the lengths.
            unsafe {
                match layer.padded() / LANES {
                    1 => generic::affine::<$V, 1, 4>(layer, inputs, sums),
                    2 => generic::affine::<$V, 2, 4>(layer, inputs, sums),
                    4 => generic::affine::<$V, 4, 2>(layer, inputs, sums),
                    8 => generic::affine::<$V, 8, 1>(layer, inputs, sums),
                    _ => crate::kernels::plain::affine(layer, inputs, sums),
                }
            }
        }

        #[target_feature(enable = $feature)]
        fn affine_of_few(layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
            const LANES: usize = <$V as Vector>::BYTES / 4;
            // SAFETY: the processor supports the instruction set, and `Kernels::affine_of_few` checks the lengths.
            unsafe {
                match layer.padded() / LANES {
                    1 => generic::affine_of_few::<$V, 1, 4>(layer, inputs, sums),
                    2 => generic::affine_of_few::<$V, 2, 2>(layer, inputs, sums),
                    4 => generic::affine_of_few::<$V, 4, 1>(layer, inputs, sums),
                    8 => generic::affine_of_few::<$V, 8, 1>(layer, inputs, sums),
                    _ => crate::kernels::plain::affine(layer, inputs, sums),
                }
            }
        }

        #[target_feature(enable = $feature)]
        fn squares(values: &[i16], weights: &[i16]) -> i32 {
            // SAFETY: the processor supports the instruction set, and `Kernels::squares` checks the lengths.
            unsafe { generic::squares::<$V>(values, weights) }
        }
    };
}

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod generic;
#[cfg(target_arch = "aarch64")]
mod neon;
mod plain;
#[cfg(target_arch = "x86_64")]
mod sse41;
mod update;
mod vector;

pub use update::Update;

use crate::affine::Affine;

/// An instruction set for which the kernels are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InstructionSet {
    /// No explicit vector instructions, only those that the compiler generates.
    Plain,
    /// x86-64-v2.
    Sse41,
    /// x86-64-v3.
    Avx2,
    /// AVX-512 with byte and word instructions and VNNI.
    Avx512,
    /// AArch64.
    Neon,
}

impl InstructionSet {
    /// Returns the instruction set's usual name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Plain => "no vector instructions",
            Self::Sse41 => "SSE4.1",
            Self::Avx2 => "AVX2",
            Self::Avx512 => "AVX-512 VNNI",
            Self::Neon => "NEON",
        }
    }

    /// All instruction sets, the fastest first.
    pub const ALL: [Self; 5] = [Self::Avx512, Self::Avx2, Self::Sse41, Self::Neon, Self::Plain];
}

/// The kernels for one instruction set.
#[derive(Clone, Copy)]
pub struct Kernels {
    pub set: InstructionSet,
    update: unsafe fn(&[i16], &mut [i16], &Update<'_>),
    clip: unsafe fn(&[i16], &mut [u8]),
    multiply: unsafe fn(&[i16], &mut [u8]),
    affine: unsafe fn(&Affine, &[u8], &mut [i32]),
    affine_of_few: unsafe fn(&Affine, &[u8], &mut [i32]),
    squares: unsafe fn(&[i16], &[i16]) -> i32,
}

const PLAIN: Kernels = Kernels {
    set: InstructionSet::Plain,
    update: plain::update,
    clip: plain::clip,
    multiply: plain::multiply,
    affine: plain::affine,
    affine_of_few: plain::affine,
    squares: plain::squares,
};

impl Kernels {
    /// Returns the kernels for an instruction set, if the processor supports it.
    pub fn of(set: InstructionSet) -> Option<Self> {
        match set {
            InstructionSet::Plain => Some(PLAIN),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Sse41 => is_x86_feature_detected!("sse4.1").then_some(sse41::KERNELS),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx2 => is_x86_feature_detected!("avx2").then_some(avx2::KERNELS),
            #[cfg(target_arch = "x86_64")]
            InstructionSet::Avx512 => (is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512vl")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vnni"))
            .then_some(avx512::KERNELS),
            #[cfg(target_arch = "aarch64")]
            InstructionSet::Neon => Some(neon::KERNELS),
            _ => None,
        }
    }

    /// Returns the fastest kernels that the processor supports.
    pub fn best() -> Self {
        InstructionSet::ALL.into_iter().find_map(Self::of).unwrap_or(PLAIN)
    }

    /// Copies `from` to `to`, adding some rows of weights and subtracting others.
    #[inline]
    pub fn update(&self, from: &[i16], to: &mut [i16], update: &Update<'_>) {
        let (width, rows) = (update.width, update.weights.len() / update.width);
        assert!(from.len() == width && to.len() == width && width.is_multiple_of(128));
        debug_assert!(update.added.iter().chain(update.removed).all(|&row| (row as usize) < rows));
        // SAFETY: `of` checked the processor, the lengths are checked above, and the rows come from the feature set.
        unsafe { (self.update)(from, to, update) }
    }

    /// Clips values to 0..=127.
    #[inline]
    pub fn clip(&self, values: &[i16], out: &mut [u8]) {
        assert!(values.len() == out.len() && values.len().is_multiple_of(64));
        // SAFETY: `of` checked the processor, and the lengths are checked above.
        unsafe { (self.clip)(values, out) }
    }

    /// Clips one side's values to 0..=127, multiplies the first half by the second, and divides the products by 128.
    #[inline]
    pub fn multiply(&self, values: &[i16], out: &mut [u8]) {
        assert!(values.len() == 2 * out.len() && out.len().is_multiple_of(64));
        // SAFETY: `of` checked the processor, and the lengths are checked above.
        unsafe { (self.multiply)(values, out) }
    }

    /// Computes a dense layer.
    #[inline]
    pub fn affine(&self, layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
        assert!(inputs.len() == layer.inputs.next_multiple_of(4) && sums.len() == layer.padded());
        // SAFETY: `of` checked the processor, and the lengths are checked above.
        unsafe { (self.affine)(layer, inputs, sums) }
    }

    /// Computes a dense layer, quickly if most inputs are zero. The number of inputs must be a multiple of 64.
    #[inline]
    pub fn affine_of_few(&self, layer: &Affine, inputs: &[u8], sums: &mut [i32]) {
        assert!(inputs.len() == layer.inputs && inputs.len().is_multiple_of(64) && sums.len() == layer.padded());
        // SAFETY: `of` checked the processor, and the lengths are checked above.
        unsafe { (self.affine_of_few)(layer, inputs, sums) }
    }

    /// Clips the values to 0..=255, squares them, multiplies them by weights of at most 127 in absolute value, and
    /// returns the sum modulo 2^32.
    #[inline]
    pub fn squares(&self, values: &[i16], weights: &[i16]) -> i32 {
        assert!(values.len() == weights.len() && values.len().is_multiple_of(32));
        // SAFETY: `of` checked the processor, and the lengths are checked above.
        unsafe { (self.squares)(values, weights) }
    }
}
