//! One change of a file that loses no concurrent edits.
//!
//! ```text
//! stage    write the complete new text beside its place
//! commit   exchange the two files in one step, if the file still has the contents that the plan is based on
//! settle   compare the previous contents once more; remove them, or restore them if they are an edit
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use tempfile::TempPath;

use super::change::{Action, Change, Seen};
use super::disk::Disk;
use super::temporary;

const CHANGED: &str = "it has changed while this ran; it is kept as it is: run the command again";

/// A change that only needs files to be renamed.
pub(super) struct Staged<'a> {
    change: &'a Change,
    root: &'a Path,
    /// The new text.
    temp: Option<TempPath>,
}

/// The previous contents of a place that was changed.
pub(super) struct Aside<'a> {
    path: PathBuf,
    pub(super) change: &'a Change,
}

/// Prepares a change without modifying the file itself.
pub(super) fn stage<'a>(root: &'a Path, change: &'a Change) -> Result<Staged<'a>, String> {
    Disk::new(root).check_folders(&change.path)?;
    compare(change)?;
    let Action::Write(bytes) = &change.action else { return Ok(Staged { change, root, temp: None }) };
    let metadata = fs::symlink_metadata(&change.full).ok();
    if metadata.as_ref().is_some_and(|it| it.permissions().readonly()) {
        return Err("it is read-only".to_owned());
    }
    let folder = change.full.parent().unwrap_or(Path::new("."));
    fs::create_dir_all(folder).map_err(|error| format!("its folder cannot be made: {error}"))?;
    lies_within(root, folder)?;
    let prefix = temporary::new_prefix();
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix);
    #[cfg(unix)]
    {
        // The permissions of any new file, reduced by the user's umask.
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    let mut file = builder.tempfile_in(folder).map_err(|error| plain(&error))?;
    io::Write::write_all(&mut file, bytes).and_then(|()| io::Write::flush(&mut file)).map_err(|error| plain(&error))?;
    if change.keeps_words {
        // After a power failure a new name may refer to a text that never reached the disk. Generated text can be generated
        // again, so only files with hand-written text are synced.
        file.as_file().sync_all().map_err(|error| plain(&error))?;
    }
    if let Some(metadata) = metadata {
        fs::set_permissions(file.path(), metadata.permissions()).map_err(|error| error.to_string())?;
    }
    Ok(Staged { change, root, temp: Some(file.into_temp_path()) })
}

impl<'a> Staged<'a> {
    /// Makes the change, if the file still has the contents that the plan is based on. The previous contents may need settling.
    pub(super) fn commit(self) -> Result<Option<Aside<'a>>, String> {
        let Staged { change, root, temp } = self;
        Disk::new(root).check_folders(&change.path)?;
        lies_within(root, change.full.parent().unwrap_or(root))?;
        match temp {
            Some(temp) if change.seen == Seen::Nothing => match temp.persist_noclobber(&change.full) {
                Ok(()) => Ok(None),
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(CHANGED.to_owned()),
                Err(error) => Err(plain(&error.error)),
            },
            Some(temp) => replace(temp, change),
            None => remove(change).map(Some),
        }
    }
}

fn compare(change: &Change) -> Result<(), String> {
    let now = Seen::now(&change.full).map_err(|error| error.to_string())?;
    if now == change.seen { Ok(()) } else { Err(CHANGED.to_owned()) }
}

/// Checks that a folder is below the root with all links followed; no component may have become a link.
fn lies_within(root: &Path, folder: &Path) -> Result<(), String> {
    let real = |path: &Path| path.canonicalize().map_err(|error| format!("its folder cannot be looked into: {error}"));
    if real(folder)?.starts_with(real(root)?) { Ok(()) } else { Err("its folder lies outside the project".to_owned()) }
}

/// Replaces a text with another.
fn replace(temp: TempPath, change: &Change) -> Result<Option<Aside<'_>>, String> {
    compare(change)?;
    if cfg!(not(target_os = "linux")) {
        return temp.persist(&change.full).map(|()| None).map_err(|it| plain(&it.error));
    }
    // From here on the file beside the place may be a user's edit, so its name says so, and no drop removes it.
    let path = temporary::aside(&change.full);
    let new = temp.keep().map_err(|it| plain(&it.error))?;
    let aside = Aside { path, change };
    let exchanged = fs::rename(&new, &aside.path).inspect_err(|_| _ = fs::remove_file(&new));
    match exchanged.and_then(|()| exchange(&aside.path, &change.full)) {
        Ok(true) => aside.check().map(|()| Some(aside)),
        // Some file systems do not support this. Then the two are compared as late as possible.
        Ok(false) => {
            let replaced = compare(change).and_then(|()| fs::rename(&aside.path, &change.full).map_err(|error| error.to_string()));
            replaced.map(|()| None).inspect_err(|_| _ = fs::remove_file(&aside.path))
        }
        Err(error) => {
            // Nothing was exchanged: the file is our own text.
            let _ = fs::remove_file(&aside.path);
            Err(if error.kind() == io::ErrorKind::NotFound { CHANGED.to_owned() } else { error.to_string() })
        }
    }
}

/// Moves a file out of its place.
fn remove(change: &Change) -> Result<Aside<'_>, String> {
    compare(change)?;
    let aside = Aside { path: temporary::aside(&change.full), change };
    match fs::rename(&change.full, &aside.path) {
        Ok(()) => aside.check().map(|()| aside),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(CHANGED.to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

impl Aside<'_> {
    /// Compares the previous contents for the last time, and removes them.
    pub(super) fn settle(self) -> Result<(), String> {
        self.check()?;
        fs::remove_file(&self.path).map_err(|error| format!("what stood there before cannot be removed: {error}"))
    }

    /// Restores an edit that was saved between the last comparison and the exchange.
    fn check(&self) -> Result<(), String> {
        if Seen::now(&self.path).is_ok_and(|it| it == self.change.seen) {
            return Ok(());
        }
        match self.put_back() {
            Ok(true) => Err(CHANGED.to_owned()),
            _ => {
                let name = self.path.file_name().unwrap_or_default().to_string_lossy();
                Err(format!("it has changed twice while this ran; the earlier of the two edits is kept beside it as `{name}`"))
            }
        }
    }

    /// Whether the edit was restored. If another edit has been saved at the place meanwhile, that one stays.
    fn put_back(&self) -> io::Result<bool> {
        let full = &self.change.full;
        let Action::Write(bytes) = &self.change.action else { return put(&self.path, full).map(|()| true) };
        let is_ours = |path: &Path| Seen::now(path).map(|it| matches!(it, Seen::File(now) if now == *bytes));
        match Seen::now(full)? {
            Seen::Nothing => put(&self.path, full).map(|()| true),
            Seen::File(now) if now == *bytes && exchange(&self.path, full)? => {
                if is_ours(&self.path)? {
                    return fs::remove_file(&self.path).map(|()| true);
                }
                exchange(&self.path, full).map(|_| false)
            }
            _ => Ok(false),
        }
    }
}

/// Moves a file to a place that is empty.
#[cfg(target_os = "linux")]
fn put(path: &Path, place: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    match renameat_with(CWD, path, CWD, place, RenameFlags::NOREPLACE) {
        Ok(()) => Ok(()),
        Err(error) if is_unsupported(error) => link(path, place),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn put(path: &Path, place: &Path) -> io::Result<()> {
    link(path, place)
}

/// Adds a second name, then removes the first: unlike a rename it never replaces a file.
fn link(path: &Path, place: &Path) -> io::Result<()> {
    fs::hard_link(path, place)?;
    fs::remove_file(path)
}

/// Exchanges two files in one step; false if this is not supported.
#[cfg(target_os = "linux")]
fn exchange(a: &Path, b: &Path) -> io::Result<bool> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};

    match renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE) {
        Ok(()) => Ok(true),
        Err(error) if is_unsupported(error) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

#[cfg(not(target_os = "linux"))]
fn exchange(_: &Path, _: &Path) -> io::Result<bool> {
    Ok(false)
}

#[cfg(target_os = "linux")]
fn is_unsupported(error: rustix::io::Errno) -> bool {
    use rustix::io::Errno;

    matches!(error, Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP | Errno::PERM)
}

/// The error without the random name of the temporary file.
fn plain(error: &io::Error) -> String {
    match error.raw_os_error() {
        Some(code) => io::Error::from_raw_os_error(code).to_string(),
        None => error.kind().to_string(),
    }
}
