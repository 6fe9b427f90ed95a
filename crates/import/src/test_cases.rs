//! Tables of test cases by their cells, for headings in any language: a column that says which tests pass and which fail.

use super::cell::Cell;
use super::phrase::words;
use super::table::Table;

const FAILS: &[&str] =
    &["fail", "fails", "failed", "failure", "失败", "失敗", "不通过", "不合格", "실패", "échec", "fallo", "fallido", "провал"];

const PASSES: &[&str] = &["pass", "passes", "passed", "success", "succeeds", "通过", "合格", "成功", "성공", "succès", "éxito", "успех"];

/// The words that only the result of a test is told with: a step, too, can be one of success or failure.
const OF_TESTS: &[&str] = &["pass", "passes", "passed", "fail", "fails", "failed", "通过", "不通过", "合格", "不合格"];

impl Table {
    /// The heading of a column whose cells say which tests pass and which fail.
    pub(super) fn results(&self) -> Option<&str> {
        let is_of_results = |column: &usize| {
            let cells: Vec<&Cell> = self.rows.iter().filter_map(|it| it.get(*column)).filter(|it| !it.is_nothing()).collect();
            let says = |cell: &Cell, set: &[&str]| words(&cell.text).iter().any(|it| set.contains(&it.as_str()));
            let is_only = |cell: &&Cell| words(&cell.text).iter().all(|it| OF_TESTS.contains(&it.as_str()));
            let n_results = cells.iter().filter(|it| says(it, FAILS) || says(it, PASSES)).count();
            let has_both = cells.iter().any(|it| says(it, FAILS)) && cells.iter().any(|it| says(it, PASSES));
            has_both && (cells.iter().all(is_only) || (speaks_of_tests(&self.head[*column].text) && n_results * 2 > cells.len()))
        };
        (0..self.head.len()).find(is_of_results).map(|it| self.head[it].text.as_str())
    }
}

fn speaks_of_tests(heading: &str) -> bool {
    const STEMS: &[&str] = &["test", "テスト", "테스트", "测试", "測試", "prueba", "prüf", "тест"];
    let heading = heading.to_lowercase();
    STEMS.iter().any(|it| heading.contains(it))
}

/// `Expected result`
pub(super) fn tells_results(heading: &str) -> bool {
    let results = ["result", "results", "outcome", "behavior", "behaviour", "output", "response", "state", "status", "code", "http"];
    let words = words(heading);
    matches!(words.split_first(), Some((first, rest)) if first == "expected" && rest.iter().all(|it| results.contains(&it.as_str())))
}

/// `Test`, `Scenario`, `Case`. Behind the states, such a column names the test of a step.
pub(super) fn tells_cases(heading: &str) -> bool {
    let cases = ["test", "tests", "scenario", "scenarios", "case", "cases", "tc", "id", "no", "name", "number"];
    let words = words(heading);
    heading.to_lowercase().contains("test coverage")
        || words.first().is_some_and(|it| cases[..7].contains(&it.as_str())) && words.iter().all(|it| cases.contains(&it.as_str()))
}
