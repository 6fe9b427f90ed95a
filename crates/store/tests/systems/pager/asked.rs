//! What the pager is asked for, and what it tells: operations by chance, and the effects of each step.

use statespec::decimal;
use statespec_machines::context_os::{self, Failure};
use statespec_machines::eviction_policy;
use statespec_store::Error;

use super::RESOURCES;
use super::parts::Work;
use crate::processes::Dice;

/// What the agent, or the world, does by chance.
pub(super) fn act(unit: &mut Work, dice: &mut Dice) -> Result<(), Failure<Error>> {
    use eviction_policy::State as Policy;
    let id = 1 + dice.below(RESOURCES as u64) as i64;
    match dice.below(20) {
        0..5 => context_os::page_in(unit, id),
        5..9 => context_os::get_context(unit, id),
        9 => context_os::page_out(unit, id),
        10..14 => context_os::set_attention(unit, id, decimal([5, 10, 15, 20][dice.below(4) as usize], 1)),
        14 => context_os::annotate(unit, "keep the summary short"),
        15 => context_os::expire(unit, id),
        16 => context_os::fail(unit, id, "file missing"),
        17 => context_os::recover(unit, id),
        _ => context_os::set_priority(unit, [Policy::Lru, Policy::SizeFirst, Policy::KeepTechnical][dice.below(3) as usize]),
    }
}

/// The effects of a step, as the documents have them.
pub(super) fn effects(machine: &str, from: &str, event: &str, to: &str) -> Vec<&'static str> {
    const LEVELS: [(&str, &[&str]); 4] = [
        ("LOW", &[]),
        ("MEDIUM", &["recommend_dense_format", "monitor_closely"]),
        ("HIGH", &["recommend_paging", "provide_eviction_candidates"]),
        ("CRITICAL", &["summarize_in_emergency", "require_eviction", "warn_agent"]),
    ];
    let level = |name: &str| LEVELS.iter().position(|it| it.0 == name);
    match (machine, from, event, to) {
        (_, _, "", _) => vec![],
        ("pressure", ..) => {
            let (from, to) = (level(from).unwrap(), level(to).unwrap());
            // One sample may lead over several levels.
            let entered: Vec<usize> = if from < to { (from + 1..=to).collect() } else { (to..from).rev().collect() };
            entered.into_iter().flat_map(|it| LEVELS[it].1.iter().copied()).collect()
        }
        (_, _, "start", _) => vec!["load_mind_map"],
        (_, _, "state_loaded", _) => vec!["inject_map"],
        (_, _, "reasoning_begun" | "pressure_critical", "PRESSURE") => vec!["compress_map", "recommend_evictions"],
        (_, _, "annotate", _) => vec!["leave_note"],
        (_, _, "reset", _) => vec!["save_mind_map"],
        ("resource", _, "discover", _) => vec!["add_to_registry"],
        ("resource", "COLD", "page_in" | "load", _) => vec!["update_region", "update_access_time"],
        ("resource", "INDEXED", "page_in" | "load", _) => vec!["load_summary_or_full"],
        ("resource", _, "load", _) => vec!["update_access_time"],
        ("resource", _, "page_out", _) => vec!["create_summary", "free_context"],
        ("resource", _, "stale", _) => vec!["clear_cached_summary"],
        ("resource", _, "error", _) => vec!["log_error", "mark_unavailable"],
        ("resource", _, "recover", _) => vec!["mark_available"],
        _ => vec![],
    }
}
