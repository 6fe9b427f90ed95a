//! A web service over the machine of `machines/mysis.yaml`, with a store in memory.
//!
//! - `POST /myses` creates a Mysis.
//! - `GET /myses/{id}` shows it.
//! - `POST /myses/{id}/events` raises an event, such as `"start"` or `{"message": {"body": "hello"}}`. A refusal is 409.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use statespec::{Machine as _, Tracing};
use statespec_machines::mysis::{Event, Mysis};

#[derive(Clone, Default)]
struct Store(Arc<Mutex<BTreeMap<usize, Mysis<String>>>>);

impl Store {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<usize, Mysis<String>>> {
        self.0.lock().expect("no handler panics while it holds the store")
    }
}

async fn create(State(store): State<Store>) -> Response {
    match Mysis::create(Event::Create) {
        Ok((mysis, _)) => {
            let mut myses = store.lock();
            let id = myses.len();
            myses.insert(id, mysis);
            (StatusCode::CREATED, Json(id)).into_response()
        }
        Err(refused) => (StatusCode::CONFLICT, Json(refused)).into_response(),
    }
}

async fn show(State(store): State<Store>, Path(id): Path<usize>) -> Response {
    match store.lock().get(&id) {
        Some(mysis) => Json(mysis).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn raise(State(store): State<Store>, Path(id): Path<usize>, Json(event): Json<Event<String>>) -> Response {
    let mut myses = store.lock();
    let Some(mysis) = myses.get_mut(&id) else { return StatusCode::NOT_FOUND.into_response() };
    match mysis.apply_observed(&event.borrowed(), &(), &mut Tracing) {
        Ok(change) => Json(change).into_response(),
        Err(refused) => (StatusCode::CONFLICT, Json(refused)).into_response(),
    }
}

fn service() -> Router {
    let router = Router::new().route("/myses", post(create)).route("/myses/{id}", get(show));
    router.route("/myses/{id}/events", post(raise)).with_state(Store::default())
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    tracing_subscriber::fmt().init();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    axum::serve(listener, service()).await
}

#[cfg(test)]
mod tests {
    use axum::body::{Body, to_bytes};
    use axum::http::Request;
    use serde_json::{Value, json};
    use tower::ServiceExt as _;

    use super::*;

    async fn call(service: &Router, method: &str, path: &str, body: Value) -> (StatusCode, Value) {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.body(Body::from(body.to_string())).expect("a request");
        let response = service.clone().oneshot(request).await.expect("the service answers");
        let status = response.status();
        let body = to_bytes(response.into_body(), usize::MAX).await.expect("a body");
        (status, serde_json::from_slice(&body).unwrap_or(Value::String(String::from_utf8_lossy(&body).into_owned())))
    }

    #[tokio::test]
    async fn events_come_in_and_refusals_go_out_as_json() {
        let service = service();
        assert_eq!(call(&service, "POST", "/myses", Value::Null).await, (StatusCode::CREATED, json!(0)));
        let (status, refused) = call(&service, "POST", "/myses/0/events", json!("stop")).await;
        assert_eq!(
            (status, &refused["reason"], &refused["allowed"]),
            (StatusCode::CONFLICT, &json!("no_transition"), &json!(["start", "message"]))
        );
        let (status, change) = call(&service, "POST", "/myses/0/events", json!("start")).await;
        assert_eq!((status, &change["from"], &change["to"]), (StatusCode::OK, &json!("idle"), &json!("running")));
        let (status, change) = call(&service, "POST", "/myses/0/events", json!({ "message": { "body": "hello" } })).await;
        assert_eq!((status, &change["effects"]), (StatusCode::OK, &json!(["store_message", "process_message"])));
        let (_, mysis) = call(&service, "GET", "/myses/0", Value::Null).await;
        assert_eq!(mysis, json!({ "state": "running", "context": { "nudge_failures": 0, "last_error": null } }));
        let (status, message) = call(&service, "POST", "/myses/0/events", json!("jump")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(message.as_str().is_some_and(|it| it.contains("unknown variant `jump`")), "{message}");
        assert_eq!(call(&service, "GET", "/myses/1", Value::Null).await.0, StatusCode::NOT_FOUND);
    }
}
