//! Random numbers that are the same on every machine.

/// SplitMix64.
#[derive(Debug, Clone)]
pub struct Rng(u64);

impl Rng {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Rng(seed)
    }

    /// The next number below `n`, or 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^= z >> 31;
        if n == 0 { 0 } else { (z % n as u64) as usize }
    }

    /// At most `n` of the items, in their original order.
    pub fn some<T>(&mut self, mut items: Vec<T>, n: usize) -> Vec<T> {
        let mut n_left = items.len();
        let mut n_wanted = n;
        items.retain(|_| {
            let keep = self.below(n_left) < n_wanted;
            n_left -= 1;
            n_wanted -= usize::from(keep);
            keep
        });
        items
    }
}
