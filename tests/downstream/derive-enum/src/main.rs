//! An enum that was there before the graph, with the derives it had.

use serde::{Deserialize, Serialize};
use statespec::StateMachine;

/// What a traffic light shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, StateMachine)]
#[serde(rename_all = "snake_case")]
#[machine("machines/light.yaml")]
enum Light {
    Red,
    Green,
    Amber,
}

fn main() {
    for light in Light::ALL {
        let next: Vec<String> = Light::ALL.iter().filter(|it| light.allows(**it)).map(ToString::to_string).collect();
        println!("{} -> {}", serde_json::to_string(light).unwrap(), next.join(", "));
    }
}
