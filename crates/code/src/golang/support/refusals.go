// Reason is why a call was refused.
type Reason string

const (
	// ReasonNoTransition: no row is for it here.
	ReasonNoTransition Reason = "no_transition"
	// ReasonGuard: rows are for it, but no guard holds.
	ReasonGuard Reason = "guard"
	// ReasonText: the spec refuses it with a text.
	ReasonText Reason = "text"
	// ReasonUnsettled: it keeps firing, or the machine keeps reacting to it.
	ReasonUnsettled Reason = "unsettled"
	// ReasonActor: the actor may not raise the event.
	ReasonActor Reason = "actor"
	// ReasonDivisionByZero: a guard or an assignment divides by zero.
	ReasonDivisionByZero Reason = "division_by_zero"
	// ReasonUnknownState: the machine is in no state that this program knows.
	ReasonUnknownState Reason = "unknown_state"
)

// Commit is when the store is written. Several steps have the first of their orders.
type Commit string

const (
	// PersistFirst: before the machine changes. A failing store leaves everything as it was.
	PersistFirst Commit = "persist_first"
	// MemoryFirst: after the machine changed. A failing store is reported.
	MemoryFirst Commit = "memory_first"
	// MemoryOnly: never.
	MemoryOnly Commit = "memory_only"
)

// Phase is when an effect happens.
type Phase string

const (
	// Before: before any change. Its failure aborts the call.
	Before Phase = "before"
	// Exit: when a state is left.
	Exit Phase = "exit"
	// Entry: when a state is entered.
	Entry Phase = "entry"
	// Do: after the change.
	Do Phase = "do"
)

// Refused is why a call was refused; nothing changed.
type Refused[S, K ~string] struct {
	Machine string
	// States are the states, which are unchanged; none at creation.
	States []S
	// Event is the event; empty for a direct transition.
	Event K
	// To is the target of a direct transition.
	To     string
	Reason Reason
	// Message says it in words.
	Message string
	// Allowed are the events that some row accepts here, guards aside. If an actor was refused, those that it may raise.
	Allowed []K
	// Row is the row that refuses, by its position in the spec; -1 if none does.
	Row int
}

// Error is the message.
func (r *Refused[S, K]) Error() string {
	return r.Message
}

// MarshalJSON is the refusal for logs and answers.
func (r *Refused[S, K]) MarshalJSON() ([]byte, error) {
	null := func(out []byte, text string) []byte {
		return AppendNull(out, Null[string]{text, text != ""}, AppendText[string])
	}
	out := AppendText([]byte(`{"machine":`), r.Machine)
	out = null(append(out, `,"from":`...), strings.Join(textsOf(r.States), "+"))
	out = null(append(out, `,"event":`...), string(r.Event))
	out = null(append(out, `,"to":`...), r.To)
	out = AppendText(append(out, `,"reason":`...), r.Reason)
	out = AppendText(append(out, `,"message":`...), r.Message)
	out = appendTexts(append(out, `,"allowed":`...), r.Allowed)
	return append(out, '}'), nil
}
