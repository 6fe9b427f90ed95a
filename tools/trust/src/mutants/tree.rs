//! A copy of the repository for changes that are reverted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempDir;
use walkdir::WalkDir;

/// A copy of all inputs and outputs of the generator.
#[derive(Debug)]
pub(crate) struct Tree {
    dir: TempDir,
    /// The content of each file, by its path below the root.
    pub(crate) files: BTreeMap<String, Vec<u8>>,
}

impl Tree {
    /// Copies some folders and files of a repository, except missing and hidden ones.
    ///
    /// # Errors
    ///
    /// If something cannot be read or written.
    pub(crate) fn copy(root: &Path, places: &[&str]) -> io::Result<Tree> {
        let mut tree = Tree { dir: tempfile::tempdir()?, files: BTreeMap::new() };
        for place in places.iter().map(|it| root.join(it)).filter(|it| it.exists()) {
            let hidden = |it: &walkdir::DirEntry| it.file_name().to_string_lossy().starts_with('.');
            for entry in WalkDir::new(place).sort_by_file_name().into_iter().filter_entry(|it| !hidden(it)) {
                let entry = entry?;
                if !entry.file_type().is_file() {
                    continue;
                }
                let path = entry.path().strip_prefix(root).map_err(io::Error::other)?;
                let path = path.iter().map(|it| it.to_string_lossy()).collect::<Vec<_>>().join("/");
                tree.files.insert(path, fs::read(entry.path())?);
            }
        }
        for path in tree.files.keys() {
            tree.restore(path)?;
        }
        Ok(tree)
    }

    /// The root of the copy.
    pub(crate) fn root(&self) -> &Path {
        self.dir.path()
    }

    /// The path of a file of the copy on the disk.
    pub(crate) fn place(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// Writes the content of a file, which may be a new one.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn put(&self, path: &str, bytes: &[u8]) -> io::Result<()> {
        let place = self.place(path);
        if let Some(folder) = place.parent() {
            fs::create_dir_all(folder)?;
        }
        fs::write(place, bytes)
    }

    /// Removes a file or folder, if it exists.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    pub(crate) fn remove(&self, path: &str) -> io::Result<()> {
        let place = self.place(path);
        if fs::symlink_metadata(&place)?.is_dir() { fs::remove_dir_all(place) } else { fs::remove_file(place) }
    }

    /// Restores the original content of a path.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub(crate) fn restore(&self, path: &str) -> io::Result<()> {
        match (self.files.get(path), fs::symlink_metadata(self.place(path))) {
            (Some(bytes), Ok(it)) if it.is_file() => self.put(path, bytes),
            (Some(bytes), found) => {
                if found.is_ok() {
                    self.remove(path)?;
                }
                self.put(path, bytes)
            }
            (None, Ok(_)) => self.remove(path),
            (None, Err(_)) => Ok(()),
        }
    }
}
