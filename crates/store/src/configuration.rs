//! What a machine is in, as a text of its column.
//!
//! A machine without regions is in one state, which serde writes by name. A machine with regions is in a configuration, for which serde
//! writes an object where it is parallel; its text is that of the emitted `Display` and `FromStr`, which the guard of the table has, too.

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value as Json;
use statespec::__private::{Microsteps, Regions, Steps, names, parse};
use statespec::State;

/// What the store asks of the states of a machine: a text for what the machine is in. Every machine without regions has it; with
/// regions, the emitted module must have serde.
pub trait StoredState: State {
    #[doc(hidden)]
    const HAS_REGIONS: bool;

    /// The text of what serde has written; `None` if that is neither a name nor a configuration.
    #[doc(hidden)]
    fn text(json: Json) -> Option<String>;

    /// What serde reads for a text, or why the text is no configuration.
    #[doc(hidden)]
    fn json(text: &str) -> Result<Json, String>;
}

impl<S: State<Steps: Form<S>>> StoredState for S {
    const HAS_REGIONS: bool = <S::Steps as Form<S>>::HAS_REGIONS;

    fn text(json: Json) -> Option<String> {
        <S::Steps as Form<S>>::text(json)
    }

    fn json(text: &str) -> Result<Json, String> {
        <S::Steps as Form<S>>::json(text)
    }
}

/// The storage of steps is what tells machines with regions from others.
pub trait Form<S: State>: Steps<S> {
    const HAS_REGIONS: bool;

    fn text(json: Json) -> Option<String>;

    fn json(text: &str) -> Result<Json, String>;
}

impl<S: State, const N: usize> Form<S> for [statespec::Step<S>; N] {
    const HAS_REGIONS: bool = false;

    fn text(json: Json) -> Option<String> {
        match json {
            Json::String(name) => Some(name),
            _ => None,
        }
    }

    /// Whether it is a name is known to the machine: a type of the user may have others than the spec.
    fn json(text: &str) -> Result<Json, String> {
        Ok(Json::from(text))
    }
}

impl<S, C, const N: usize, const R: usize, const W: usize> Form<S> for Microsteps<S, C, N, R, W>
where
    C: Regions<S> + Serialize + DeserializeOwned,
    S: State<Steps = Self>,
{
    const HAS_REGIONS: bool = true;

    fn text(json: Json) -> Option<String> {
        let configuration: C = serde_json::from_value(json).ok()?;
        Some(names::<S>(configuration).to_string())
    }

    fn json(text: &str) -> Result<Json, String> {
        let configuration: C = parse::<S, C>(text).map_err(|why| why.to_string())?;
        serde_json::to_value(configuration).map_err(|why| why.to_string())
    }
}
