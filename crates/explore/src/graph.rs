//! The configurations as a graph, with forward and backward edges.

/// Edges between numbered nodes, stored compactly.
#[derive(Debug, Default)]
pub(super) struct Graph {
    /// The position in `targets` of the first edge of each node.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// The same edges, by target.
    back_starts: Vec<usize>,
    sources: Vec<u32>,
}

impl Graph {
    /// Adds an edge to the node that is being built.
    pub(super) fn push(&mut self, to: u32) {
        self.targets.push(to);
    }

    /// Completes a node: duplicate edges and self-loops are dropped. Returns the number of the others.
    pub(super) fn end_of_state(&mut self, state: usize) -> usize {
        let start = self.starts.last().map_or(0, |_| self.ends());
        let mut own: Vec<u32> = self.targets.split_off(start);
        own.sort_unstable();
        own.dedup();
        own.retain(|it| *it as usize != state);
        self.starts.push(start);
        self.targets.extend(own);
        self.back_starts.push(self.targets.len());
        self.targets.len() - start
    }

    /// Until [`Graph::finish`], `back_starts` contains the ends.
    fn ends(&self) -> usize {
        self.back_starts.last().copied().unwrap_or(0)
    }

    /// Completes the graph when all nodes are known; incomplete nodes have no edges.
    pub(super) fn finish(&mut self, n_nodes: usize) {
        self.targets.truncate(self.ends());
        self.starts.resize(n_nodes, self.targets.len());
        self.starts.push(self.targets.len());
        let mut counts = vec![0_usize; n_nodes + 1];
        for to in &self.targets {
            counts[*to as usize + 1] += 1;
        }
        for idx in 0..n_nodes {
            counts[idx + 1] += counts[idx];
        }
        self.back_starts = counts.clone();
        self.sources = vec![0; self.targets.len()];
        for from in 0..n_nodes {
            for idx in self.starts[from]..self.starts[from + 1] {
                let place = &mut counts[self.targets[idx] as usize];
                self.sources[*place] = from as u32;
                *place += 1;
            }
        }
    }

    /// Whether the node has no edges.
    pub(super) fn is_dead_end(&self, node: usize) -> bool {
        self.starts[node] == self.starts[node + 1]
    }

    /// All nodes from which one of `good` can be reached, `good` included.
    pub(super) fn can_reach(&self, mut good: Vec<bool>) -> Vec<bool> {
        let mut open: Vec<u32> = (0..good.len() as u32).filter(|it| good[*it as usize]).collect();
        while let Some(node) = open.pop() {
            let node = node as usize;
            for source in &self.sources[self.back_starts[node]..self.back_starts[node + 1]] {
                if !std::mem::replace(&mut good[*source as usize], true) {
                    open.push(*source);
                }
            }
        }
        good
    }
}
