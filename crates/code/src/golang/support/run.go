type testCase struct {
	At      json.RawMessage   `json:"at"`
	Call    Request           `json:"call"`
	Given   json.RawMessage   `json:"given"`
	Holds   Holds             `json:"holds"`
	OK      json.RawMessage   `json:"ok"`
	Refused json.RawMessage   `json:"refused"`
	Start   json.RawMessage   `json:"start"`
	Now     Timestamp         `json:"now"`
	Timers  json.RawMessage   `json:"timers"`
	Due     []json.RawMessage `json:"due"`
}

type data struct {
	Spec      string               `json:"spec"`
	Rows      []int                `json:"rows"`
	Start     json.RawMessage      `json:"start"`
	Cases     []testCase           `json:"cases"`
	Forbidden []testCase           `json:"forbidden"`
	Pairs     [][2]json.RawMessage `json:"pairs"`
	MayRaise  [][2]json.RawMessage `json:"may_raise"`
	Walks     []struct {
		Seed  int        `json:"seed"`
		Steps []testCase `json:"steps"`
	} `json:"walks"`
}

type run struct {
	data        data
	subject     Subject
	differences []string
	nCompared   int
}

// parsed is a JSON value in which numbers keep their digits.
func parsed(text []byte) (value any) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&value); err != nil {
		return "no JSON: " + err.Error()
	}
	return value
}

// lines are those of the spec that a case is about.
func (r *run) lines(it *testCase) string {
	var refused struct {
		Row *int `json:"row"`
	}
	var ok struct {
		Steps []struct {
			Rows []int `json:"rows"`
		} `json:"steps"`
	}
	_, _ = json.Unmarshal(it.Refused, &refused), json.Unmarshal(it.OK, &ok)
	var rows []int
	for _, step := range ok.Steps {
		rows = append(rows, step.Rows...)
	}
	if refused.Row != nil {
		rows = append(rows, *refused.Row)
	}
	lines := make([]string, len(rows))
	for idx, row := range rows {
		lines[idx] = fmt.Sprint(r.data.Rows[row])
	}
	return r.data.Spec + ":" + strings.Join(lines, ", ")
}

// same is whether something is as expected; a difference is kept if not.
func (r *run) same(it *testCase, what string, expected, found []byte, err error) bool {
	if err != nil {
		found, _ = json.Marshal("error: " + err.Error())
	}
	if reflect.DeepEqual(parsed(expected), parsed(found)) {
		return true
	}
	r.differences = append(r.differences, fmt.Sprintf("%s: %s\n  expected %s\n  found    %s", r.lines(it), what, expected, found))
	return false
}

// call compares a call; whether it is as expected.
func (r *run) call(what string, at []byte, it *testCase) bool {
	var expected []byte
	switch {
	case it.OK != nil:
		expected = []byte(`{"ok":` + string(it.OK) + `}`)
	case it.Refused != nil:
		expected = []byte(`{"refused":` + string(it.Refused) + `}`)
	default:
		return true
	}
	r.nCompared++
	if string(at) == "null" {
		at = nil
	}
	found, err := r.subject.Call(at, it.Call, it.Given, it.Holds)
	return r.same(it, fmt.Sprintf("%s: %s%s at %s", what, it.Call.Event, it.Call.To, at), expected, found, err)
}

// walk compares many calls one after the other, and the timers after each.
func (r *run) walk(seed int, steps []testCase) error {
	var at []byte
	for idx := range steps {
		it := &steps[idx]
		what := fmt.Sprintf("walk %d, step %d", seed, idx+1)
		if it.Start != nil {
			at = it.Start
			if err := r.subject.StartTimers(at, it.Now); err != nil {
				return err
			}
		} else {
			if !r.call(what, at, it) {
				return nil
			}
			if it.OK != nil {
				var ok struct {
					Machine json.RawMessage `json:"machine"`
				}
				if err := json.Unmarshal(it.OK, &ok); err != nil {
					return err
				}
				at = ok.Machine
				if err := r.subject.ObserveTimers(it.Now); err != nil {
					return err
				}
			} else if it.Due != nil {
				var timer string
				if err := json.Unmarshal(it.Due[0], &timer); err != nil {
					return err
				}
				r.subject.EndTimer(timer)
			}
		}
		if it.Timers == nil {
			continue
		}
		due, err := r.subject.Due(at)
		shown := [][2]any{}
		for _, it := range due {
			shown = append(shown, [2]any{it.Timer, it.At})
		}
		found, _ := json.Marshal(shown)
		if !r.same(it, what+": timers", it.Timers, found, err) {
			return nil
		}
	}
	return nil
}

// tables compares the first machine, the states that each state leads to, and the actors of each event.
func (r *run) tables() error {
	if string(r.data.Start) != "null" {
		found, err := r.subject.Start()
		r.same(&testCase{}, "the first machine", r.data.Start, found, err)
	}
	lists := []struct {
		what  string
		pairs [][2]json.RawMessage
		names func(string) []string
	}{{"the successors of ", r.data.Pairs, r.subject.Successors}, {"the actors of ", r.data.MayRaise, r.subject.MayRaise}}
	for _, it := range lists {
		for _, pair := range it.pairs {
			var name string
			if err := json.Unmarshal(pair[0], &name); err != nil {
				return err
			}
			found, err := json.Marshal(it.names(name))
			r.same(&testCase{}, it.what+name, pair[1], found, err)
		}
	}
	return nil
}

// Check compares a subject with the data of a file; it fails with the differences, each with the line of the spec.
func Check(t *testing.T, path string, subject Subject) {
	t.Helper()
	text, err := os.ReadFile(path)
	r := run{subject: subject}
	if err == nil {
		err = json.Unmarshal(text, &r.data)
	}
	if err == nil {
		err = r.tables()
	}
	for _, it := range []struct {
		what  string
		cases []testCase
	}{{"cases", r.data.Cases}, {"forbidden", r.data.Forbidden}} {
		for idx := range it.cases {
			r.call(it.what, it.cases[idx].At, &it.cases[idx])
		}
	}
	for _, it := range r.data.Walks {
		if err == nil {
			err = r.walk(it.Seed, it.Steps)
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	for idx, it := range r.differences {
		if idx < 10 {
			t.Error(it)
		}
	}
	if len(r.differences) > 0 {
		t.Errorf("%d of %d calls differ from the spec", len(r.differences), r.nCompared)
	}
	if r.nCompared == 0 && len(r.data.Cases) > 0 {
		t.Error("no call was compared")
	}
}

// CheckNumbers compares the operators at their limits with the data of a file.
func CheckNumbers(t *testing.T, path string) {
	t.Helper()
	var file struct {
		Vectors [][5]*string `json:"vectors"`
	}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	nDifferences := 0
	for _, it := range file.Vectors {
		// A division by zero is refused before anything divides.
		if it[4] == nil {
			continue
		}
		found, err := calculated(*it[0], *it[1], *it[2], *it[3])
		if err != nil {
			t.Fatal(err)
		}
		if found != *it[4] {
			if nDifferences++; nDifferences <= 20 {
				t.Errorf("%s %s %s is %s, not %s", *it[2], *it[1], *it[3], *it[4], found)
			}
		}
	}
	if nDifferences > 0 {
		t.Errorf("%d of %d operations differ", nDifferences, len(file.Vectors))
	}
}

func calculated(kind, sign, left, right string) (string, error) {
	if kind == "decimal" {
		a, err := statespec.ParseDecimal(left)
		if err != nil {
			return "", err
		}
		b, err := statespec.ParseDecimal(right)
		if err != nil {
			return "", err
		}
		return map[string]func(Decimal) Decimal{"+": a.Add, "-": a.Sub, "*": a.Mul, "/": a.Div, "%": a.Rem}[sign](b).String(), nil
	}
	var a, b int64
	if _, err := fmt.Sscan(left+" "+right, &a, &b); err != nil {
		return "", err
	}
	functions := map[string]func(a, b int64) int64{
		"+": statespec.Add[int64],
		"-": statespec.Sub[int64],
		"*": statespec.Mul[int64],
		"/": statespec.Div[int64],
		"%": statespec.Rem[int64],
	}
	return fmt.Sprint(functions[sign](a, b)), nil
}
