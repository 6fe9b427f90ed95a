// Timers: which of them run, and since when.

// Due is a running timer and the moment at which it is due.
type Due[T ~string] struct {
	Timer T
	At    Timestamp
}

// Timed is the part of a machine that knows its timers.
type Timed[C any, S ~string] interface {
	timer(idx int) (name string, states []int)
	nTimers() int
	isActive(states []S, whole int) bool
	duration(idx int, context *C) Duration
	position(name string) int
}

func (t *Chart[C, E, P, F, S, K]) nTimers() int {
	return len(t.timers)
}

func (t *Chart[C, E, P, F, S, K]) timer(idx int) (name string, states []int) {
	return t.parts.Events[t.timers[idx].event].Name, t.timers[idx].states
}

func (t *Chart[C, E, P, F, S, K]) duration(idx int, context *C) Duration {
	return t.parts.Durations[idx](context)
}

func (t *Chart[C, E, P, F, S, K]) position(name string) int {
	return t.positions[name]
}

// TimerPosition is the position of a timer among the events.
func (t *Chart[C, E, P, F, S, K]) TimerPosition(name string) (int, bool) {
	for _, it := range t.timers {
		if t.parts.Events[it.event].Name == name {
			return it.event, true
		}
	}
	return 0, false
}

func runs[C any, S ~string](of Timed[C, S], idx int, states []S) bool {
	_, wholes := of.timer(idx)
	for _, it := range wholes {
		if of.isActive(states, it) {
			return true
		}
	}
	return false
}

// Durations are the timers of some states, each with the time after which it elapses.
func Durations[C any, T, S ~string](of Timed[C, S], states []S, context *C) map[T]Duration {
	found := map[T]Duration{}
	for idx := 0; idx < of.nTimers(); idx++ {
		if name, _ := of.timer(idx); runs(of, idx, states) {
			found[T(name)] = of.duration(idx, context)
		}
	}
	return found
}

// StartTimers are the timers that start when a machine is in these states from now on, however it came there.
func StartTimers[C any, T, S ~string](of Timed[C, S], states []S, now Timestamp) map[T]Timestamp {
	found := map[T]Timestamp{}
	for idx := 0; idx < of.nTimers(); idx++ {
		if name, _ := of.timer(idx); runs(of, idx, states) {
			found[T(name)] = now
		}
	}
	return found
}

// ObserveTimers are the timers after some steps, which end and start them.
func ObserveTimers[C any, T, S ~string](of Timed[C, S], started map[T]Timestamp, steps []Step[S], now Timestamp) map[T]Timestamp {
	next := map[T]Timestamp{}
	for idx := 0; idx < of.nTimers(); idx++ {
		name, states := of.timer(idx)
		since, isRunning := started[T(name)]
		has := func(names []string) bool {
			for _, it := range names {
				if In(of.position(it), states) {
					return true
				}
			}
			return false
		}
		for _, step := range steps {
			if step.Cause == name || has(step.Exited) {
				isRunning = false
			}
			if has(step.Entered) {
				since, isRunning = now, true
			}
		}
		if isRunning {
			next[T(name)] = since
		}
	}
	return next
}

// DueTimers are the running timers with the moments at which they are due, in the order of the spec.
func DueTimers[C any, T, S ~string](of Timed[C, S], started map[T]Timestamp, states []S, context *C) []Due[T] {
	var found []Due[T]
	for idx := 0; idx < of.nTimers(); idx++ {
		name, _ := of.timer(idx)
		if since, is := started[T(name)]; is && runs(of, idx, states) {
			found = append(found, Due[T]{T(name), Later(since, of.duration(idx, context))})
		}
	}
	return found
}

// NextDue is the timer that is due first, the first in the spec of several.
func NextDue[T ~string](due []Due[T]) (first Due[T], is bool) {
	for _, it := range due {
		if !is || it.At < first.At {
			first, is = it, true
		}
	}
	return first, is
}

// WithoutTimer are the timers without one that has elapsed and was refused.
func WithoutTimer[T ~string](started map[T]Timestamp, ended T) map[T]Timestamp {
	next := map[T]Timestamp{}
	for timer, since := range started {
		if timer != ended {
			next[timer] = since
		}
	}
	return next
}

// DecodeTimers reads stored timers; one that the machine no longer has is ignored.
func DecodeTimers[T ~string](data []byte, timers []T) (map[T]Timestamp, error) {
	value, err := Parse(data)
	if err != nil {
		return nil, err
	}
	found := map[T]Timestamp{}
	fields := Object(value, "timers")
	for _, it := range timers {
		if _, is := fields.members[string(it)]; is {
			found[it] = Read(fields, string(it), ReadInt[Timestamp])
		}
	}
	return found, fields.Err()
}
