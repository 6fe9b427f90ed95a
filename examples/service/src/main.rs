//! A web service over the machine of `machines/mysis.yaml`, with a store in SQLite.
//!
//! - `POST /myses` creates a Mysis.
//! - `GET /myses/{id}` shows it.
//! - `POST /myses/{id}/events` raises an event, such as `"start"` or `{"message": {"body": "hello"}}`. A refusal is 409.
//!
//! Effects are rows of the outbox, which a worker performs. `table.rs` and `db/mysis.sql` are emitted from the spec and from
//! `statespec.toml`.

mod table;

use std::sync::{Arc, Mutex, MutexGuard};

use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use rusqlite::Connection;
use statespec_machines::mysis::{self, Event, Mysis};
use statespec_store::{Database as _, Error, Outcome, Request, create, raise, wait};

type Myses = statespec_store::Store<Mysis<String>, mysis::State>;

#[derive(Clone)]
struct App(Myses, Arc<Mutex<Connection>>);

impl App {
    fn lock(&self) -> MutexGuard<'_, Connection> {
        self.1.lock().expect("no handler panics while it holds the connection")
    }
}

/// The database failed.
struct Failed(Error);

impl<E: Into<Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Failed(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        (StatusCode::INTERNAL_SERVER_ERROR, self.0.to_string()).into_response()
    }
}

async fn create(State(app): State<App>) -> Result<Response, Failed> {
    let birth = match create!(Mysis::create, Event::Create)? {
        Ok(birth) => birth,
        Err(refused) => return Ok((StatusCode::CONFLICT, Json(refused)).into_response()),
    };
    let mut connection = app.lock();
    let mut transaction = wait(connection.begin())?;
    let id: i64 = transaction.query_row("SELECT coalesce(max(id), 0) + 1 FROM myses", [], |row| row.get(0))?;
    let _ = wait(app.0.create(&mut transaction, id, birth, None, None))?;
    transaction.commit()?;
    Ok((StatusCode::CREATED, Json(id)).into_response())
}

async fn show(State(app): State<App>, Path(id): Path<i64>) -> Result<Response, Failed> {
    let mut connection = app.lock();
    let mut transaction = wait(connection.begin())?;
    Ok(match wait(app.0.load(&mut transaction, &id.into()))? {
        Some(found) => Json(found.machine).into_response(),
        None => StatusCode::NOT_FOUND.into_response(),
    })
}

async fn raise(State(app): State<App>, Path(id): Path<i64>, Json(event): Json<Event<String>>) -> Result<Response, Failed> {
    let mut connection = app.lock();
    let mut outcome = {
        let mut transaction = wait(connection.begin())?;
        let outcome = wait(app.0.apply(&mut transaction, Request::new(id, raise!(event.borrowed()))))?;
        transaction.commit()?;
        outcome
    };
    if let Outcome::Before(planned) = outcome {
        // What must succeed first would be performed here, while no transaction is open.
        let mut transaction = wait(connection.begin())?;
        outcome = wait(app.0.commit(&mut transaction, *planned))?;
        transaction.commit()?;
    }
    Ok(match outcome {
        Outcome::Applied(applied) => Json(applied.change).into_response(),
        Outcome::Refused(refused) => (StatusCode::CONFLICT, Json(refused)).into_response(),
        Outcome::Missing => StatusCode::NOT_FOUND.into_response(),
        _ => StatusCode::SERVICE_UNAVAILABLE.into_response(),
    })
}

fn service(connection: Connection) -> Result<Router, Error> {
    connection.execute_batch(
        "CREATE TABLE IF NOT EXISTS myses (id INTEGER PRIMARY KEY, state TEXT NOT NULL, version INTEGER NOT NULL, context TEXT NOT NULL)",
    )?;
    connection.execute_batch(include_str!("../db/mysis.sql"))?;
    let app = App(Myses::new(table::TABLE)?, Arc::new(Mutex::new(connection)));
    let router = Router::new().route("/myses", post(create)).route("/myses/{id}", get(show));
    Ok(router.route("/myses/{id}/events", post(raise)).with_state(app))
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:3000").await?;
    Ok(axum::serve(listener, service(Connection::open("myses.db")?)?).await?)
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
        let service = service(Connection::open_in_memory().expect("memory")).expect("the tables are made");
        assert_eq!(call(&service, "POST", "/myses", Value::Null).await, (StatusCode::CREATED, json!(1)));
        let (status, refused) = call(&service, "POST", "/myses/1/events", json!("stop")).await;
        assert_eq!(
            (status, &refused["reason"], &refused["allowed"]),
            (StatusCode::CONFLICT, &json!("no_transition"), &json!(["start", "message"]))
        );
        let (status, change) = call(&service, "POST", "/myses/1/events", json!("start")).await;
        assert_eq!((status, &change["from"], &change["to"]), (StatusCode::OK, &json!("idle"), &json!("running")));
        let (status, change) = call(&service, "POST", "/myses/1/events", json!({ "message": { "body": "hello" } })).await;
        assert_eq!((status, &change["effects"]), (StatusCode::OK, &json!(["store_message", "process_message"])));
        let (_, mysis) = call(&service, "GET", "/myses/1", Value::Null).await;
        assert_eq!(mysis, json!({ "state": "running", "context": { "nudge_failures": 0, "last_error": null } }));
        let (status, message) = call(&service, "POST", "/myses/1/events", json!("jump")).await;
        assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY);
        assert!(message.as_str().is_some_and(|it| it.contains("unknown variant `jump`")), "{message}");
        assert_eq!(call(&service, "GET", "/myses/2", Value::Null).await.0, StatusCode::NOT_FOUND);
    }
}
