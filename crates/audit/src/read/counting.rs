//! Counts the lines of what is read.

use std::cell::Cell;
use std::io::{self, BufRead, Read};
use std::rc::Rc;

/// A reader that counts the line ends that it has passed.
pub(super) struct Counting<R> {
    inner: R,
    line: Rc<Cell<u64>>,
}

impl<R> Counting<R> {
    /// The reader, and the line that it is in, counted from 1.
    pub(super) fn new(inner: R) -> (Self, Rc<Cell<u64>>) {
        let line = Rc::new(Cell::new(1));
        (Counting { inner, line: line.clone() }, line)
    }

    fn pass(&self, bytes: &[u8]) {
        let n_ends = bytes.iter().filter(|it| **it == b'\n').count();
        self.line.set(self.line.get() + n_ends as u64);
    }
}

impl<R: Read> Read for Counting<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_bytes = self.inner.read(buffer)?;
        self.pass(&buffer[..n_bytes]);
        Ok(n_bytes)
    }
}

impl<R: BufRead> BufRead for Counting<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        // The buffer is the one of the last call: it is filled already.
        let n_ends = match self.inner.fill_buf() {
            Ok(buffer) => buffer.iter().take(amount).filter(|it| **it == b'\n').count(),
            Err(_) => 0,
        };
        self.line.set(self.line.get() + n_ends as u64);
        self.inner.consume(amount);
    }
}
