//! IR to tokens: one function per emitted item.
#![allow(non_snake_case, reason = "interpolated types are spelled as in the emitted code")]

mod events;
mod invariants;
mod orders;
mod place;
mod refused;
mod transactions;
mod types;
mod unit;
mod world;

use proc_macro2::TokenStream;

use super::ir::System;
use crate::emit::prelude;
use crate::emit::unit_enum::expand_unit_enum;

/// The items of a system's module, in reading order.
pub(super) fn expand(system: &System) -> TokenStream {
    let unit_enum = |it| expand_unit_enum(it, &system.env);
    let items = [
        Some(transactions::expand_transactions(system)),
        transactions::expand_plan(system),
        Some(unit::expand_unit(system)),
        unit::expand_planning(system),
        Some(refused::expand_refused(system)),
        system.rules.as_ref().map(unit_enum),
        system.invariant_enum.as_ref().map(unit_enum),
        invariants::expand_invariants(system),
        orders::expand_orders(system),
        Some(unit_enum(&system.part_enum)),
        system.transaction_enum.as_ref().map(unit_enum),
        transactions::expand_who(system),
        system.actors.as_ref().map(unit_enum),
        system.world.as_ref().map(|it| world::expand_world(system, it)),
    ];
    prelude::resolved(items.into_iter().flatten().collect(), system.env.in_file)
}
