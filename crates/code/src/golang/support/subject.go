// Types of values, for tests that import nothing else.
type (
	// Timestamp is a moment.
	Timestamp = statespec.Timestamp
	// Decimal is a decimal.
	Decimal = statespec.Decimal
	// Reference is the key of an object outside the machine.
	Reference = statespec.Reference
)

// Holds are the names of the predicates that hold.
type Holds []string

// Has is whether a predicate holds.
func (h Holds) Has(name string) bool {
	return statespec.In(name, h)
}

// Due is a running timer and the moment at which it is due.
type Due struct {
	Timer string
	At    Timestamp
}

// Request is an event in JSON, or the target of a direct transition.
type Request struct {
	Event json.RawMessage `json:"event"`
	To    string          `json:"to"`
}

// Subject is an implementation of a machine, in JSON.
type Subject interface {
	// Start is a new machine.
	Start() ([]byte, error)
	// Call is a call in a machine (nil: creation) where these predicates hold: {"ok": …} or {"refused": …}.
	Call(at []byte, request Request, given []byte, holds Holds) ([]byte, error)
	// Successors are the states that a row leads to from a state.
	Successors(state string) []string
	// MayRaise are the actors that may raise an event.
	MayRaise(event string) []string
	// StartTimers starts the timers of a new machine.
	StartTimers(machine []byte, now Timestamp) error
	// ObserveTimers starts and ends timers after the last call.
	ObserveTimers(now Timestamp) error
	// EndTimer ends a timer, because it was refused.
	EndTimer(timer string)
	// Due are the running timers with the moments at which they are due.
	Due(machine []byte) ([]Due, error)
}

// Emitted is an emitted package. The functions of timers are nil if there are none.
type Emitted[M, E, F json.Marshaler, S, K ~string] struct {
	New           func() M
	Decode        func([]byte) (M, error)
	DecodeEvent   func([]byte) (E, error)
	DecodeEffect  func([]byte) (F, error)
	MessageOf     func(F) (string, bool)
	Event         func(machine *M, event E, given []byte, holds Holds) (statespec.Change[M, S, F], error)
	Timer         func(machine *M, timer string, given []byte, holds Holds) (statespec.Change[M, S, F], error)
	Direct        func(machine *M, to string, given []byte, holds Holds) (statespec.Change[M, S, F], error)
	MarshalStates func([]S) ([]byte, error)
	Next          func(S) []S
	Actors        func(event K) []string
	Timers        []string
	Begin         func(machine M, now Timestamp)
	Observe       func(change statespec.Change[M, S, F], now Timestamp) error
	End           func(timer string)
	Running       func(machine M) []Due
	change        statespec.Change[M, S, F]
}

// Given puts values into the context of a new machine.
func Given(context interface {
	json.Marshaler
	json.Unmarshaler
}, given []byte) error {
	if len(given) == 0 {
		return nil
	}
	base, err := context.MarshalJSON()
	members := map[string]json.RawMessage{}
	for _, it := range [][]byte{base, given} {
		if err == nil {
			err = json.Unmarshal(it, &members)
		}
	}
	if err == nil {
		base, err = json.Marshal(members)
	}
	if err == nil {
		err = context.UnmarshalJSON(base)
	}
	return err
}

// Start is a new machine.
func (s *Emitted[M, E, F, S, K]) Start() ([]byte, error) {
	return s.New().MarshalJSON()
}

// Call is a call in a machine.
func (s *Emitted[M, E, F, S, K]) Call(at []byte, request Request, given []byte, holds Holds) ([]byte, error) {
	var machine *M
	if at != nil {
		found, err := s.Decode(at)
		if err != nil {
			return nil, err
		}
		machine = &found
	}
	change, err := s.attempt(machine, request, given, holds)
	var refused *statespec.Refused[S, K]
	switch {
	case errors.As(err, &refused):
		shown := map[string]any{"reason": refused.Reason, "message": refused.Error(), "allowed": refused.Allowed}
		if refused.Row >= 0 {
			shown["row"] = refused.Row
		}
		return json.Marshal(map[string]any{"refused": shown})
	case err != nil:
		return nil, err
	}
	s.change = change
	steps, effects := []any{}, []any{}
	for _, it := range change.Steps {
		to, err := s.MarshalStates(it.To)
		if err != nil {
			return nil, err
		}
		step := map[string]any{"rows": it.Rows, "from": nil, "to": json.RawMessage(to)}
		if len(it.From) > 0 {
			from, err := s.MarshalStates(it.From)
			if err != nil {
				return nil, err
			}
			step["from"] = json.RawMessage(from)
		}
		step["exited"], step["entered"] = append([]string{}, it.Exited...), append([]string{}, it.Entered...)
		steps = append(steps, step)
	}
	for _, it := range change.Calls {
		if err := again[F](it.Effect, s.DecodeEffect); err != nil {
			return nil, err
		}
		effect := []any{it.Phase, it.Effect, nil}
		if message, is := s.MessageOf(it.Effect); is {
			effect[2] = message
		}
		effects = append(effects, effect)
	}
	ok := map[string]any{"machine": change.Machine, "steps": steps, "effects": effects, "commit": change.Commit}
	return json.Marshal(map[string]any{"ok": ok})
}

func (s *Emitted[M, E, F, S, K]) attempt(machine *M, request Request, given []byte, holds Holds) (statespec.Change[M, S, F], error) {
	if request.To != "" {
		return s.Direct(machine, request.To, given, holds)
	}
	var timer string
	if json.Unmarshal(request.Event, &timer) == nil && statespec.In(timer, s.Timers) {
		return s.Timer(machine, timer, given, holds)
	}
	event, err := s.DecodeEvent(request.Event)
	if err == nil {
		err = again(event, s.DecodeEvent)
	}
	if err != nil {
		return statespec.Change[M, S, F]{}, err
	}
	return s.Event(machine, event, given, holds)
}

// again is an error unless a value is read as it is written.
func again[T json.Marshaler](value T, decode func([]byte) (T, error)) error {
	text, err := value.MarshalJSON()
	if err != nil {
		return err
	}
	found, err := decode(text)
	if err == nil && !reflect.DeepEqual(value, found) {
		err = fmt.Errorf("%s is not read as it is written", text)
	}
	return err
}

// Successors are the states that a row leads to from a state.
func (s *Emitted[M, E, F, S, K]) Successors(state string) []string {
	names := []string{}
	for _, it := range s.Next(S(state)) {
		names = append(names, string(it))
	}
	return names
}

// MayRaise are the actors that may raise an event.
func (s *Emitted[M, E, F, S, K]) MayRaise(event string) []string {
	return append([]string{}, s.Actors(K(event))...)
}

// StartTimers starts the timers of a new machine.
func (s *Emitted[M, E, F, S, K]) StartTimers(machine []byte, now Timestamp) error {
	found, err := s.Decode(machine)
	if err == nil && s.Begin != nil {
		s.Begin(found, now)
	}
	return err
}

// ObserveTimers starts and ends timers after the last call.
func (s *Emitted[M, E, F, S, K]) ObserveTimers(now Timestamp) error {
	if s.Observe == nil {
		return nil
	}
	return s.Observe(s.change, now)
}

// EndTimer ends a timer, because it was refused.
func (s *Emitted[M, E, F, S, K]) EndTimer(timer string) {
	if s.End != nil {
		s.End(timer)
	}
}

// Due are the running timers with the moments at which they are due.
func (s *Emitted[M, E, F, S, K]) Due(machine []byte) ([]Due, error) {
	found, err := s.Decode(machine)
	if err != nil || s.Running == nil {
		return nil, err
	}
	return s.Running(found), nil
}

// Marshal is a value in JSON.
func Marshal(value any) ([]byte, error) {
	return json.Marshal(value)
}
