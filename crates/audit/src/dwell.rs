//! How long entities were in a state.

/// The parts of each power of two in the histogram.
const PARTS: usize = 8;
/// The buckets.
const N_BUCKETS: usize = 64 * PARTS;

/// The times that entities spent in one state, in microseconds.
#[derive(Debug, Clone)]
pub struct Dwell {
    /// The number of stays that ended.
    pub n: u64,
    /// The sum of their times.
    pub total: f64,
    /// The longest.
    pub longest: f64,
    buckets: Vec<u64>,
}

impl Default for Dwell {
    fn default() -> Self {
        Dwell { n: 0, total: 0.0, longest: 0.0, buckets: vec![0; N_BUCKETS] }
    }
}

impl Dwell {
    pub(crate) fn add(&mut self, micros: f64) {
        self.n += 1;
        self.total += micros;
        self.longest = self.longest.max(micros);
        self.buckets[bucket(micros)] += 1;
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        if self.n == 0 { 0.0 } else { self.total / self.n as f64 }
    }

    /// The time that this share of the stays does not exceed, from above and at most an eighth too large.
    pub fn quantile(&self, share: f64) -> f64 {
        let wanted = (self.n as f64 * share).ceil().max(1.0) as u64;
        let mut n_seen = 0;
        for (idx, n) in self.buckets.iter().enumerate() {
            n_seen += n;
            if n_seen >= wanted {
                return end(idx).min(self.longest);
            }
        }
        self.longest
    }
}

fn bucket(micros: f64) -> usize {
    if micros < 1.0 {
        return 0;
    }
    let power = micros.log2().floor().min(62.0);
    let part = ((micros / power.exp2() - 1.0) * PARTS as f64) as usize;
    (power as usize * PARTS + part.min(PARTS - 1) + 1).min(N_BUCKETS - 1)
}

fn end(bucket: usize) -> f64 {
    let Some(idx) = bucket.checked_sub(1) else { return 0.0 };
    let power = (idx / PARTS) as f64;
    power.exp2() * (1.0 + (idx % PARTS + 1) as f64 / PARTS as f64)
}
