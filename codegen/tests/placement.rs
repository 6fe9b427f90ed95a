//! Placement: the roots of parts, and what transactions reach, as tables and as JSON; against what walkthroughs do.

use std::collections::BTreeSet;

use statespec_codegen::model::PartId;
use statespec_codegen::source::Input;
use statespec_lang::interpret::walkthrough::walkthrough;

use crate::project::{emit, inputs, model};

/// A shop: what its transactions reach by events, payloads, rules, links, invariants, roles, and a chain of owners.
fn shop() -> Vec<Input> {
    let fixture = |path: &str, text: &str| Input { path: path.into(), text: text.into() };
    vec![
        fixture("machines/customer.yaml", include_str!("fixtures/placement/customer.yaml")),
        fixture("machines/basket.yaml", include_str!("fixtures/placement/basket.yaml")),
        fixture("machines/line.yaml", include_str!("fixtures/placement/line.yaml")),
        fixture("machines/stock.yaml", include_str!("fixtures/placement/stock.yaml")),
        fixture("machines/switch.yaml", include_str!("fixtures/placement/switch.yaml")),
        fixture("machines/shop.yaml", include_str!("fixtures/placement/shop.yaml")),
    ]
}

/// The two regions of a system.
fn shown(inputs: &[Input], system: &str) -> String {
    let (sources, model) = model(inputs);
    let regions = emit(&sources, &model).regions;
    let text = |what: &str| regions[&format!("{system}.{what}")].text.clone();
    format!("{}\n{}", text("placement"), text("reach"))
}

#[test]
fn one_root_keeps_everything_together() {
    insta::assert_snapshot!("placement_mission_hop", shown(&inputs(), "mission_hop"));
}

#[test]
fn roots_that_nothing_connects_have_a_key_each() {
    insta::assert_snapshot!("placement_mysis_runtime", shown(&inputs(), "mysis_runtime"));
}

#[test]
fn parts_that_belong_to_nothing_are_roots_of_their_own() {
    insta::assert_snapshot!("placement_context_os", shown(&inputs(), "context_os"));
}

#[test]
fn whatever_a_transaction_reaches_has_its_reason() {
    insta::assert_snapshot!("placement_shop", shown(&shop(), "shop"));
    let (sources, model) = model(&shop());
    let files = emit(&sources, &model).files;
    let json = &files.iter().find(|it| it.path == "generated/model/shop.json").unwrap().text;
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    insta::assert_snapshot!("placement_shop_json", serde_json::to_string_pretty(&json["placement"]).unwrap());
}

/// What the interpreter changes in a walkthrough is reached.
#[test]
fn no_walkthrough_leaves_the_roots_of_its_transactions() {
    let mut n_several = 0;
    for inputs in [inputs(), shop()] {
        let (_, model) = model(&inputs);
        for system in &model.systems {
            let placement = system.placement(&model);
            for (idx, told) in system.walkthroughs.iter().enumerate() {
                for (step, trace) in told.steps.iter().zip(walkthrough(&model, system, idx).unwrap()) {
                    let reach = &placement.transactions[step.transaction];
                    let reached: BTreeSet<PartId> = reach.roots.iter().map(|it| system.plays(it.0)).collect();
                    let changed: BTreeSet<PartId> = trace.updates.iter().map(|it| system.root(it.part)).collect();
                    assert!(changed.is_subset(&reached), "{}, step {}", system.name, step.number);
                    n_several += usize::from(changed.len() > 1);
                }
            }
        }
    }
    assert!(n_several > 10, "{n_several} steps change several roots");
}
