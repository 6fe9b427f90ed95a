//! What is known of each entity: 36 bytes, and a position in a table of positions.

use std::hash::BuildHasher as _;

use foldhash::fast::FixedState;
use hashbrown::HashTable;

use super::possible::{Set, UNBORN};

/// The entities of one piece of memory: pieces are never moved, so that memory grows by a piece and not by a half.
const PIECE: usize = 1 << 12;
/// The bit that says that a step of the entity was reported.
const REPORTED: u16 = 0x8000;

/// The time of nothing.
const NEVER: i64 = i64::MIN;

/// What is known of one entity. The identity itself is not kept: 96 bits of its hash are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entity {
    key: [u32; 3],
    at: [u32; 2],
    line: [u16; 3],
    state: u16,
    /// How long the entity was in its state at its last record, in microseconds; less than 0 if that is not known.
    pub(crate) since: f32,
    /// What the context of the next record must be; 0 if that is not known.
    pub(crate) context: u32,
}

impl Entity {
    /// The time of the last record.
    pub(crate) fn at(&self) -> Option<i64> {
        let at = i64::from(self.at[0] as i32) << 32 | i64::from(self.at[1]);
        (at != NEVER).then_some(at)
    }

    pub(crate) fn set_at(&mut self, at: Option<i64>) {
        let at = at.unwrap_or(NEVER);
        self.at = [(at >> 32) as u32, at as u32];
    }

    /// The line of the last record, counted over all files.
    pub(crate) fn line(&self) -> u64 {
        self.line.iter().fold(0, |line, part| line << 16 | u64::from(*part))
    }

    pub(crate) fn set_line(&mut self, line: u64) {
        self.line = [(line >> 32) as u16, (line >> 16) as u16, line as u16];
    }

    /// The configurations in which it may be.
    pub(crate) fn set(&self) -> Set {
        self.state & !REPORTED
    }

    pub(crate) fn set_set(&mut self, set: Set) {
        self.state = self.state & REPORTED | set;
    }

    /// Whether a step of it was reported.
    pub(crate) fn is_reported(&self) -> bool {
        self.state & REPORTED != 0
    }

    pub(crate) fn report(&mut self) {
        self.state |= REPORTED;
    }
}

/// All entities.
#[derive(Debug)]
pub(crate) struct Entities {
    index: HashTable<u32>,
    pieces: Vec<Vec<Entity>>,
    len: usize,
    hash: FixedState,
    check: FixedState,
}

impl Entities {
    pub(crate) fn new() -> Self {
        let (hash, check) = (FixedState::with_seed(1), FixedState::with_seed(2));
        Entities { index: HashTable::new(), pieces: Vec::new(), len: 0, hash, check }
    }

    /// The number of entities.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The position of the entity with this identity; of a new one if there is none.
    pub(crate) fn position(&mut self, identity: &str) -> u32 {
        let hash = self.hash.hash_one(identity);
        let key = [(hash >> 32) as u32, hash as u32, self.check.hash_one(identity) as u32];
        let Entities { index, pieces, len, .. } = self;
        let found = index.find(hash, |it| at(pieces, *it).key == key).copied();
        found.unwrap_or_else(|| {
            let position = *len as u32;
            if pieces.last().is_none_or(|it| it.len() == PIECE) {
                pieces.push(Vec::with_capacity(PIECE));
            }
            let mut entity = Entity { key, at: [0; 2], line: [0; 3], state: UNBORN, since: -1.0, context: 0 };
            entity.set_at(None);
            if let Some(piece) = pieces.last_mut() {
                piece.push(entity);
            }
            index.insert_unique(hash, position, |it| {
                let key = at(pieces, *it).key;
                u64::from(key[0]) << 32 | u64::from(key[1])
            });
            *len += 1;
            position
        })
    }

    /// What is known of the entity at a position.
    pub(crate) fn at(&self, position: u32) -> Entity {
        *at(&self.pieces, position)
    }

    pub(crate) fn put(&mut self, position: u32, entity: Entity) {
        self.pieces[position as usize / PIECE][position as usize % PIECE] = entity;
    }

    /// The bytes that it takes, with what is reserved.
    pub(crate) fn n_bytes(&self) -> usize {
        self.pieces.iter().map(|it| it.capacity() * size_of::<Entity>()).sum::<usize>() + self.index.allocation_size()
    }
}

fn at(pieces: &[Vec<Entity>], position: u32) -> &Entity {
    &pieces[position as usize / PIECE][position as usize % PIECE]
}
