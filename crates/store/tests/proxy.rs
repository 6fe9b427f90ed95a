//! A connection to PostgreSQL that is cut around COMMIT: the outcome is unknown each time, and the command tells what happened.

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};

use statespec_machines::run_job::{RunJob, State};
use statespec_store::{Birth, Class, Database, Error, Outcome, Request, Resolved, Step};

use crate::kit::{Kit, connect, on_postgres};

#[derive(Debug, Clone, Copy)]
enum Cut {
    /// The server never gets it.
    Before,
    /// It is sent, and nobody waits for the answer.
    Sent,
    /// The server has answered, and the answer is lost.
    Answered,
}

/// Passes bytes on to the server until the client says COMMIT. The result is the port; it takes one connection.
fn proxy(server: &str, cut: Cut) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let (port, server) = (listener.local_addr().unwrap().port(), server.to_owned());
    std::thread::spawn(move || {
        let (mut client, _) = listener.accept().unwrap();
        drop(listener);
        let mut server = TcpStream::connect(server).unwrap();
        let (mut answers, mut answered) = (server.try_clone().unwrap(), client.try_clone().unwrap());
        let back = std::thread::spawn(move || _ = std::io::copy(&mut answers, &mut answered));
        let mut bytes = [0; 65536];
        loop {
            let n_bytes = client.read(&mut bytes).unwrap_or(0);
            if n_bytes == 0 {
                break;
            }
            if !bytes[..n_bytes].windows(6).any(|it| it == b"COMMIT") {
                server.write_all(&bytes[..n_bytes]).unwrap();
                continue;
            }
            match cut {
                Cut::Before => client.shutdown(Shutdown::Both).unwrap(),
                Cut::Sent => {
                    client.shutdown(Shutdown::Both).unwrap();
                    server.write_all(&bytes[..n_bytes]).unwrap();
                }
                Cut::Answered => {
                    // The answer finds nobody.
                    client.shutdown(Shutdown::Write).unwrap();
                    server.write_all(&bytes[..n_bytes]).unwrap();
                    back.join().unwrap();
                    client.shutdown(Shutdown::Both).unwrap();
                }
            }
            break;
        }
        let _ = server.shutdown(Shutdown::Write);
    });
    port
}

fn request(id: i64) -> Request<'static, RunJob, State> {
    Request::new(id, Step::direct(|job: &mut RunJob| job.transition_to(State::Claimed))).command(format!("claim-{id}"))
}

#[test]
fn an_unknown_outcome_is_resolved() {
    on_postgres(async |kit| {
        let jobs = kit.jobs();
        let url = kit.url();
        let server = |url: &str| url.split(' ').find_map(|it| it.strip_prefix("port=")).unwrap().to_owned();
        let port = server(&url);
        for (idx, cut) in [Cut::Before, Cut::Sent, Cut::Answered].into_iter().enumerate() {
            let (told, again) = (idx as i64 * 2, idx as i64 * 2 + 1);
            let mut database = kit.open().await;
            for id in [told, again] {
                let mut c = database.begin().await.unwrap();
                let _ = jobs.create(&mut c, id, Birth::new(RunJob::new()), None, None).await.unwrap();
                c.commit().await.unwrap();
            }
            let through = || url.replace(&format!("port={port}"), &format!("port={}", proxy(&format!("127.0.0.1:{port}"), cut)));

            // Nobody is there to ask: the program knows that it does not know.
            let mut first = Some(through());
            let connect_once = async || match first.take() {
                Some(url) => connect(&url).await,
                None => Err(Error::new(Class::Lost, "the server is away")),
            };
            let error = jobs.attempt(connect_once, || request(told)).await.unwrap_err();
            assert_eq!(error.class(), Class::Unknown, "{cut:?}: {error}");
            let mut c = database.begin().await.unwrap();
            let resolved = jobs.resolve(&mut c, &format!("claim-{told}")).await.unwrap();
            c.commit().await.unwrap();
            let found = {
                let mut c = database.begin().await.unwrap();
                jobs.load(&mut c, &told.into()).await.unwrap().unwrap()
            };
            match cut {
                Cut::Before => assert_eq!((resolved, found.version), (Resolved::Never, 1)),
                // The server may have got it, or found the connection ended before: the command and the row agree.
                Cut::Sent | Cut::Answered => {
                    assert_eq!(matches!(resolved, Resolved::Done(_)), found.version == 2, "{cut:?}");
                    assert!(matches!(cut, Cut::Sent) || found.version == 2, "it was answered");
                }
            }

            // The server is there again: the same command is done once.
            let mut first = Some(through());
            let connect_again = async || match first.take() {
                Some(url) => connect(&url).await,
                None => connect(&url).await,
            };
            let outcome = jobs.attempt(connect_again, || request(again)).await.unwrap();
            match (cut, &outcome) {
                (Cut::Before, Outcome::Applied(applied)) => assert_eq!(applied.found.version, 2),
                (Cut::Answered, Outcome::Repeated(recorded)) => assert_eq!(recorded.version, 2),
                (Cut::Sent, Outcome::Applied(_) | Outcome::Repeated(_)) => {}
                other => panic!("{other:?}"),
            }
            let mut c = database.begin().await.unwrap();
            assert_eq!(jobs.load(&mut c, &again.into()).await.unwrap().unwrap().version, 2, "{cut:?}: once");
        }
    });
}
