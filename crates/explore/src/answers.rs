//! The answers of predicates: only those that a run asks for, so that each combination makes a difference.

use std::cell::RefCell;

/// The maximum number of combinations for one call; the report states when it is exceeded.
const MAX_ANSWERS: usize = 4_096;

/// Runs `run` once for each combination of answers that it asks for. Returns the predicates that hold in each run, and whether
/// all combinations were tried.
#[expect(clippy::type_complexity, reason = "named in the text above")]
pub(super) fn each_answer<P: Copy + PartialEq>(
    run: &mut dyn FnMut(&dyn Fn(P) -> bool) -> Result<(), String>,
) -> Result<(Vec<Vec<P>>, bool), String> {
    let mut all = Vec::new();
    let mut answers: Vec<(P, bool)> = Vec::new();
    loop {
        let asked = RefCell::new(answers);
        run(&|predicate| {
            let mut asked = asked.borrow_mut();
            if let Some((_, answer)) = asked.iter().find(|it| it.0 == predicate) {
                return *answer;
            }
            asked.push((predicate, false));
            false
        })?;
        answers = asked.into_inner();
        all.push(answers.iter().filter(|it| it.1).map(|it| it.0).collect());
        // The last question that was answered with no is answered with yes.
        while answers.last().is_some_and(|it| it.1) {
            answers.pop();
        }
        match answers.last_mut() {
            None => return Ok((all, true)),
            Some(_) if all.len() >= MAX_ANSWERS => return Ok((all, false)),
            Some(last) => last.1 = true,
        }
    }
}
