//! What the store promises, with each driver.

use statespec::{Duration, Timestamp};
use statespec_machines::{mysis, order, run_job};
use statespec_store::{
    Birth, Class, Connection, Created, Database, Engine, Found, Key, Outcome, Part, Request, Resolved, Step, create, emitted, raise,
};

use crate::faults::{a_database_that_only_reads_takes_no_writes, a_full_disk_takes_no_writes, an_older_schema_is_told};
use crate::kit::{Jobs, Kit, Orders, on_postgres, on_sqlite, on_sqlx_postgres, on_sqlx_sqlite};
use crate::regions::{machines_with_regions_live_in_rows, what_is_no_configuration_is_refused};
use crate::systems::missions::{a_command_of_a_system_is_done_once, a_mission_with_two_hops_lives, a_transaction_is_refused_whole};

macro_rules! each_driver {
    ($($test:ident),* $(,)?) => {
        mod sqlite {
            $(#[test] fn $test() { super::on_sqlite(super::$test) })*
        }
        mod postgresql {
            $(#[test] fn $test() { super::on_postgres(super::$test) })*
        }
        mod sqlx_sqlite {
            $(#[test] fn $test() { super::on_sqlx_sqlite(super::$test) })*
        }
        mod sqlx_postgresql {
            $(#[test] fn $test() { super::on_sqlx_postgres(super::$test) })*
        }
    };
}

/// Commits one operation of the store.
macro_rules! commit {
    ($kit:expr, |$c:ident| $operation:expr) => {{
        let mut database = $kit.open().await;
        let mut transaction = database.begin().await.unwrap();
        let $c = &mut transaction;
        let result = $operation.await.unwrap();
        commit_of(&$kit, transaction).await;
        result
    }};
}

mod effects;
mod journal;
mod machines;
mod memory;
mod requests;
mod time;

use self::effects::{
    a_plan_loses_against_a_faster_one, before_effects_have_no_transaction, effects_and_the_change_are_one_commit,
    the_outbox_is_in_order_and_acknowledged_once,
};
use self::journal::{a_replay_reads_pages, a_row_that_was_changed_by_hand_is_found, the_journal_has_events_and_actors_and_replays};
use self::machines::{a_machine_is_created_once, a_step_is_applied_or_refused, misfits_are_errors, the_guard_refuses_what_the_graph_lacks};
use self::memory::{a_step_leads_on_from_the_machine_in_memory, changes_kept_in_memory_are_not_stored};
use self::requests::{
    a_command_is_done_once, a_command_that_was_given_up_is_refused, a_fence_tells_who_was_faster, an_attempt_is_committed,
    contention_is_retryable,
};
use self::time::{
    a_lease_is_claimed_renewed_and_taken_over, a_timer_that_was_started_again_is_not_fired, claims_are_in_the_order_of_keys,
    timers_are_fired_once_and_when_due,
};

each_driver![
    a_machine_is_created_once,
    a_step_is_applied_or_refused,
    effects_and_the_change_are_one_commit,
    a_fence_tells_who_was_faster,
    a_command_is_done_once,
    a_command_that_was_given_up_is_refused,
    before_effects_have_no_transaction,
    a_plan_loses_against_a_faster_one,
    the_guard_refuses_what_the_graph_lacks,
    contention_is_retryable,
    timers_are_fired_once_and_when_due,
    a_timer_that_was_started_again_is_not_fired,
    a_lease_is_claimed_renewed_and_taken_over,
    claims_are_in_the_order_of_keys,
    the_outbox_is_in_order_and_acknowledged_once,
    the_journal_has_events_and_actors_and_replays,
    a_row_that_was_changed_by_hand_is_found,
    a_replay_reads_pages,
    misfits_are_errors,
    an_attempt_is_committed,
    changes_kept_in_memory_are_not_stored,
    a_step_leads_on_from_the_machine_in_memory,
    a_mission_with_two_hops_lives,
    a_transaction_is_refused_whole,
    a_command_of_a_system_is_done_once,
    machines_with_regions_live_in_rows,
    what_is_no_configuration_is_refused,
    a_database_that_only_reads_takes_no_writes,
    a_full_disk_takes_no_writes,
    an_older_schema_is_told,
];

type Job = run_job::RunJob;
type Mysis = mysis::Mysis<String>;

fn to(state: run_job::State) -> Step<'static, Job, run_job::State> {
    Step::direct(move |job: &mut Job| job.transition_to(state))
}

fn claim(lease: Duration) -> Step<'static, Job, run_job::State> {
    Step::at(move |now| Step::event(run_job::Event::Claim { until: now + lease }))
}

fn elapse() -> Step<'static, order::Order, order::State, order::Timers> {
    Step::elapse(&(), |machine, change, event: order::Recorded| emitted(change.effects_of(machine, event)))
}

fn new_mysis() -> Birth<Mysis, mysis::State> {
    create!(Mysis::create, mysis::Event::Create).unwrap().unwrap()
}

async fn commit_of<'c, K: Kit>(_: &K, transaction: <K::Database as Database>::Transaction<'c>)
where
    K::Database: 'c,
{
    K::Database::commit(transaction).await.unwrap();
}

async fn new_job<K: Kit>(kit: &K, jobs: &Jobs, id: i64) {
    let created = commit!(*kit, |c| jobs.create(c, id, Birth::new(Job::new()), None, None));
    assert!(matches!(created, Created::Created(_)));
}

async fn new_order<K: Kit>(kit: &K, orders: &Orders, key: &Key, window: Duration) {
    let _ = commit!(*kit, |c| orders.create(c, key.clone(), Birth::with_timers(order::Order::new()), None, None));
    let _ = commit!(*kit, |c| orders.apply(c, Request::new(key.clone(), raise!(order::Event::Place { window })))).applied().unwrap();
}

fn order_key(number: i64) -> Key {
    Key::from(vec![Part::Text("a".into()), Part::Integer(number)])
}
