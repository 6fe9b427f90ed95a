//! The last stage: what systems say about themselves is executed, namely their start and their walkthroughs.

use crate::diagnostic::{Code, Diagnostic, Diagnostics};
use crate::interpret::{World, walkthrough};
use crate::model::{Model, System};

/// Reports systems that cannot start, and walkthroughs that fail.
pub(super) fn systems(model: &Model, diagnostics: &mut Diagnostics) {
    model.systems.iter().for_each(|it| start(model, it, diagnostics));
    if diagnostics.has_errors() {
        return;
    }
    // After this point, a walkthrough can only fail because of its own content.
    for system in &model.systems {
        for idx in 0..system.walkthroughs.len() {
            if let Err(failure) = walkthrough(model, system, idx) {
                diagnostics.push(failure);
            }
        }
    }
}

/// Reports an invariant that does not hold before the first transaction: emitted code checks an invariant only after a
/// change of a part that it reads.
fn start(model: &Model, system: &System, diagnostics: &mut Diagnostics) {
    let world = match World::new(model, system) {
        Ok(world) => world,
        Err(error) => {
            let message = format!("the parts of the system cannot start: {}", error.show(model, system));
            diagnostics.push(Diagnostic::new(Code::BadSystem, system.span, message));
            return;
        }
    };
    if let Some(invariant) = world.broken_invariant(model, system).and_then(|it| system.invariants.get(it)) {
        let message = "this invariant does not hold before the first transaction";
        let help = "correct the condition, or the initial states and defaults; or let an event create the part: an invariant holds for parts that do not exist";
        diagnostics.push(Diagnostic::new(Code::BadSystem, invariant.require.span, message).help(help));
    }
}
