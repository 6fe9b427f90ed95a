func (t *Chart[C, E, P, F, S, K]) node(at int) *Node {
	return &t.parts.Nodes[at]
}

// isIn is whether a state is another one or lies inside it.
func (t *Chart[C, E, P, F, S, K]) isIn(at, whole int) bool {
	for ; at != none; at = t.node(at).parent {
		if at == whole {
			return true
		}
	}
	return false
}

func (t *Chart[C, E, P, F, S, K]) spot(leaves []int) *spot[S] {
	it := &spot[S]{leaves, make([]S, len(leaves)), make([]bool, len(t.parts.Nodes))}
	for idx, leaf := range leaves {
		it.states[idx] = S(t.node(leaf).Name)
		for _, state := range t.node(leaf).around {
			it.active[state] = true
		}
	}
	return it
}

// at is the spot of some states; nil if this is nowhere in the machine.
func (t *Chart[C, E, P, F, S, K]) at(states []S) *spot[S] {
	if !t.hasRegion {
		if len(states) != 1 {
			return nil
		}
		at, is := t.positions[string(states[0])]
		if !is || at == none || !t.node(at).Leaf {
			return nil
		}
		return t.spots[at]
	}
	var buffer [64]byte
	key := buffer[:0]
	for _, it := range states {
		at, is := t.positions[string(it)]
		if !is || at == none || !t.node(at).Leaf {
			return nil
		}
		key = append(key, byte(at), byte(at>>8))
	}
	t.lock.RLock()
	found := t.known[string(key)]
	t.lock.RUnlock()
	if found != nil {
		return found
	}
	var leaves []int
	for _, it := range states {
		leaves = append(leaves, t.positions[string(it)])
	}
	if found = t.spot(leaves); !t.isWhole(found) {
		return nil
	}
	return keep(t, t.known, string(key), found)
}

func keep[V any, C, E, P, F any, S, K ~string](t *Chart[C, E, P, F, S, K], cache map[string]V, key string, value V) V {
	t.lock.Lock()
	defer t.lock.Unlock()
	if len(cache) < maxKnown {
		cache[key] = value
	}
	return value
}

// isWhole is whether leaves are in the order of the spec, and are active together: one in each region.
func (t *Chart[C, E, P, F, S, K]) isWhole(at *spot[S]) bool {
	for idx, it := range at.leaves {
		if idx > 0 && it <= at.leaves[idx-1] {
			return false
		}
	}
	wholes := func(inside []int, parallel bool) bool {
		count := 0
		for _, it := range inside {
			if at.active[it] {
				count++
			}
		}
		return count == 1 && !parallel || count == len(inside) && parallel
	}
	if !wholes(t.top, t.parts.Parallel) {
		return false
	}
	for idx := range t.parts.Nodes {
		if it := t.node(idx); at.active[idx] && !it.Leaf && !wholes(it.inside, it.Parallel) {
			return false
		}
	}
	return true
}

// isActive is whether one of these leaves is a state or lies inside it.
func (t *Chart[C, E, P, F, S, K]) isActive(states []S, whole int) bool {
	for _, it := range states {
		if at, is := t.positions[string(it)]; is && t.isIn(at, whole) {
			return true
		}
	}
	return false
}

// IsIn is whether one of these leaves is a state or lies inside it.
func (t *Chart[C, E, P, F, S, K]) IsIn(states []S, whole string) bool {
	at, is := t.positions[whole]
	return is && at != none && t.isActive(states, at)
}

// Successors are the leaves that a row leads to from a state, guards aside.
func (t *Chart[C, E, P, F, S, K]) Successors(state S) []S {
	at, is := t.positions[string(state)]
	if !is || at == none {
		return nil
	}
	return kinds[S](t.node(at).Successors)
}

// Knows is whether some states are a state of the machine.
func (t *Chart[C, E, P, F, S, K]) Knows(states []S) bool {
	return t.at(states) != nil
}

// Allowed are the events that some row accepts, guards and timers aside; without states, at creation.
func (t *Chart[C, E, P, F, S, K]) Allowed(states ...S) []K {
	return append([]K{}, t.allowed(states, nil)...)
}

func (t *Chart[C, E, P, F, S, K]) allowed(states []S, actor *string) []K {
	lists := [][]K{t.created}
	if len(states) > 0 {
		lists = nil
		for _, it := range states {
			if at, is := t.positions[string(it)]; is && at != none {
				lists = append(lists, t.accepted[at])
			}
		}
	}
	if len(lists) == 1 && actor == nil {
		return lists[0]
	}
	var found []K
	for idx, it := range t.parts.Events {
		kind := K(it.Name)
		for _, list := range lists {
			if In(kind, list) {
				if actor == nil || t.mayRaise(*actor, idx) {
					found = append(found, kind)
				}
				break
			}
		}
	}
	return found
}

// MayRaise is whether an actor may raise an event. Nobody raises a timer.
func (t *Chart[C, E, P, F, S, K]) MayRaise(actor string, event K) bool {
	idx, is := t.events[string(event)]
	return is && t.mayRaise(actor, idx)
}

func (t *Chart[C, E, P, F, S, K]) mayRaise(actor string, event int) bool {
	it := &t.parts.Events[event]
	return it.Timer == nil && (len(it.By) == 0 || In(actor, it.By))
}
