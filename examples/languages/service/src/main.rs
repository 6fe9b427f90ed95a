//! A service: of each line, which is an order and an event as JSON, it answers with the order afterwards or with a refusal.

#[rustfmt::skip]
mod machines;

use std::error::Error;
use std::io::stdin;

use machines::order::{Event, Order};
use serde::{Deserialize, Serialize};

#[derive(Deserialize)]
struct Request {
    order: Order,
    event: Event,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Answer {
    Order(Order),
    Refused(String),
}

fn answer(line: &str) -> serde_json::Result<Answer> {
    let Request { mut order, event } = serde_json::from_str(line)?;
    Ok(match order.apply(event) {
        Ok(_) => Answer::Order(order),
        Err(refused) => Answer::Refused(refused.to_string()),
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        println!("{}", serde_json::to_string(&answer(&line?)?)?);
    }
    Ok(())
}
