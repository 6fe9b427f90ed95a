//! Loops: over the entries of a list that is known, and others, which are followed once.

use super::*;

impl Eval<'_, '_> {
    /// A loop: what it changes is open behind it, and a state that it sets is not followed.
    pub(super) fn loop_(&mut self, expr: &Expr, head: Option<&Expr>, pattern: Option<&Pattern>, body: &Expr, path: Path) -> Vec<Path> {
        let paths = match head {
            Some(head) if pattern.is_some() => self.eval(head, path),
            _ => path.next(Value::Unit),
        };
        self.then(paths, |eval, mut path, value| {
            if let (Value::List(all), Some(pattern)) = (&value, pattern)
                && all.len() <= MAX_ENTRIES
            {
                return eval.entries(all, pattern, body, path);
            }
            eval.changed_in(body, &mut path);
            head.iter().filter(|_| pattern.is_none()).for_each(|it| eval.changed_in(it, &mut path));
            let before = path.clone();
            let mut rounds = match (head, pattern) {
                (Some(head), None) => eval.condition(head, path).into_iter().filter(|it| it.1 != Some(false)).map(|it| it.0).collect(),
                (_, Some(pattern)) => {
                    let item = Value::open("");
                    eval.bind(pattern, &item, &mut path);
                    vec![path]
                }
                (None, None) => vec![path],
            };
            rounds = eval.then(rounds, |eval, path, _| eval.eval(body, path));
            let is_changed = |it: &Path| eval.state_of(it) != eval.state_of(&before) || matches!(it.flow, Flow::Lost(_));
            let is_end = |it: &Path| matches!(it.flow, Flow::Return(_) | Flow::Never | Flow::Lost(_));
            let ends: Vec<&Path> = rounds.iter().filter(|it| is_end(it)).collect();
            let sets_at_end = ends.iter().any(|it| is_changed(it));
            let sets = rounds.iter().any(|it| !is_end(it) && is_changed(it));
            let mut path = before.clone();
            if sets {
                eval.seen.killed.insert(expr.at);
                eval.lose(expr.at, &mut path);
            }
            if ends.is_empty() {
                let value = eval.unknown(expr, &path, false);
                return path.next(value);
            }
            let (line, _) = eval.line_and_column(expr.at.0);
            let does = Open::new(format!("the loop of line {line} does not leave the function"), None);
            let end = if sets_at_end { Flow::Lost(expr.at) } else { Flow::Return(Value::open("")) };
            let split = eval.split(path, &does);
            split.into_iter().flat_map(|(path, holds)| if holds { path.next(Value::Unit) } else { path.end(end.clone()) }).collect()
        })
    }

    /// A loop over the entries of a list that is known.
    pub(super) fn entries(&mut self, all: &[Value], pattern: &Pattern, body: &Expr, path: Path) -> Vec<Path> {
        let (mut open, mut done) = (path.next(Value::Unit), Vec::new());
        for entry in all {
            let rounds = self.then(open, |eval, path, _| {
                let bound = eval.fits(pattern, entry, body, path).into_iter().filter(|it| it.1).map(|it| it.0).collect();
                eval.then(bound, |eval, path, _| eval.eval(body, path))
            });
            open = Vec::new();
            for path in self.merged(rounds, body.at) {
                match path.flow {
                    Flow::Next(_) | Flow::Continue => open.extend(path.next(Value::Unit)),
                    Flow::Break(_) => done.extend(path.next(Value::Unit)),
                    _ => done.push(path),
                }
            }
        }
        done.into_iter().chain(open).collect()
    }
}
