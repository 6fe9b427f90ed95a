

_NO_TRANSITION: Final = Denied(Reason.NO_TRANSITION)
_GUARD: Final = Denied(Reason.GUARD)


class Chart(Tables[C, E, P, F, S, K]):
    """What one machine does, as data."""

    def plan(self, states: tuple[S, ...], context: C, cause: str, event: E | None, predicates: P) -> Plan[C, S, F] | Denied:
        """What a call changes; without states, a creation."""
        leaves = tuple(self._position[it] for it in states)
        at = states
        settles, reacts = cause in self.settling, self.reacts
        taken: list[tuple[Step[S], _Crossing[S], E | None]] = []
        waiting: deque[str] = deque()
        order = 2
        while True:
            now: tuple[str, E | None] = (cause, event)
            if not taken or settles:
                chosen = self._arms(leaves, at, context, cause, event, predicates)
                if isinstance(chosen, Denied):
                    if taken:
                        break
                    return chosen
            else:
                reaction = self._reaction(waiting, leaves, at, context, predicates)
                if reaction is None:
                    break
                if isinstance(reaction, Denied):
                    return reaction
                chosen, now = reaction[0], (reaction[1], None)
            rows = [self.rows[it.row] for it in chosen]
            if self._divide(rows, context, now[1], predicates, at):
                if settles and taken:
                    break
                return Denied(Reason.DIVISION_BY_ZERO)
            crossing = self._cross(chosen, leaves, self._targets(chosen, context, now[1]))
            after, stays = context, True
            for arm, row in zip(chosen, rows, strict=True):
                if row.put is not None:
                    after = row.put(context, now[1], predicates, at, after)
                if self._orders[arm.row] < order:
                    order = self._orders[arm.row]
                stays = stays and arm.stays
            if at and self._remembers and crossing.exited:
                after = self._remember(after, rows, at, crossing)
            repeats = settles and not stays and leaves == crossing.leaves and context == after
            if reacts:
                for row in rows:
                    waiting.extend(row.raises)
                waiting.extend(crossing.completed)
            numbers = tuple([it.row for it in chosen])
            step = Step(numbers, now[0], at, crossing.to, crossing.exited_names, crossing.entered_names)
            taken.append((step, crossing, now[1]))
            leaves, at, context = crossing.leaves, crossing.to, after
            if not reacts and (stays or not settles):
                break
            if settles:
                too_many = len(taken) > 1 and len(taken) > len(self.states)
            else:
                too_many = len(taken) > self.max_steps or len(waiting) > self.max_waiting
            if repeats or too_many:
                return Denied(Reason.UNSETTLED)
        calls = [call for it in taken for call in self._calls(context, *it)]
        return Plan(at, context, tuple([it[0] for it in taken]), tuple(calls), _ORDERS[order])

    def _divide(self, rows: list[Row[C, E, P, S]], context: C, event: E | None, predicates: P, at: tuple[S, ...]) -> bool:
        """Whether an assignment of some rows divides by zero."""
        for row in rows:
            if row.divides is not None and row.divides(context, event, predicates, at):
                return True
        return False

    def _reaction(
        self, waiting: deque[str], leaves: tuple[int, ...], at: tuple[S, ...], context: C, predicates: P
    ) -> tuple[list[_Arm[C, E, S]], str] | Denied | None:
        """The step that follows a step: an automatic one, else the first that a waiting cause takes."""
        cause = "*"
        while True:
            chosen = self._arms(leaves, at, context, cause, None, predicates)
            if not isinstance(chosen, Denied):
                return chosen, cause
            if chosen.reason in (Reason.TEXT, Reason.DIVISION_BY_ZERO):
                return chosen
            if not waiting:
                return None
            cause = waiting.popleft()

    def _arms(
        self, leaves: tuple[int, ...], at: tuple[S, ...], context: C, cause: str, event: E | None, predicates: P
    ) -> list[_Arm[C, E, S]] | Denied:
        """The arms that are taken at once."""
        cases = self._cases.get(cause)
        if cases is None or (cause.startswith("= ") and not self._is_done(leaves, self._position[cause[2:]])):
            return _NO_TRANSITION
        denied = _NO_TRANSITION
        chosen: list[_Arm[C, E, S]] = []
        refusing: list[_Arm[C, E, S]] = []
        for leaf in leaves or (-1,):
            arms = cases.get(leaf)
            if arms is None:
                continue
            for arm in arms:
                row = self.rows[arm.row]
                if row.guard_divides is not None and row.guard_divides(context, event, predicates, at):
                    return Denied(Reason.DIVISION_BY_ZERO)
                if row.guard is None or row.guard(context, event, predicates, at):
                    if arm.refuses:
                        refusing.append(arm)
                    elif not chosen or all((it.row, it.source) != (arm.row, arm.source) for it in chosen):
                        chosen.append(arm)
                    break
            else:
                denied = _GUARD
        for arm in refusing:
            if not any(self._is_inside(it.source, arm.source) for it in chosen):
                return Denied(Reason.TEXT, arm.row)
        if not chosen:
            return denied
        return chosen if len(chosen) == 1 else self._without_conflicts(chosen, leaves, context, event)

    def _is_inside(self, inner: int | None, outer: int | None) -> bool:
        """Whether one source lies inside another one; none is the whole machine."""
        return inner is not None and (outer is None or (inner != outer and self._is_in(inner, outer)))

    def _without_conflicts(
        self, chosen: list[_Arm[C, E, S]], leaves: tuple[int, ...], context: C, event: E | None
    ) -> list[_Arm[C, E, S]]:
        kept: list[tuple[_Arm[C, E, S], frozenset[int]]] = []
        for arm in chosen:
            left = self._left(arm, leaves, self._targets([arm], context, event)[0])
            if any(left & theirs and not self._is_inside(arm.source, it.source) for it, theirs in kept):
                continue
            kept = [it for it in kept if not left & it[1]]
            kept.append((arm, left))
        return [it for it, _ in kept]

    def _targets(self, chosen: list[_Arm[C, E, S]], context: C, event: E | None) -> tuple[tuple[int, ...], ...]:
        """The leaves to which each arm leads."""
        return tuple([self._fixed[it.number] or self._reached(it, context, event) for it in chosen])

    def _reached(self, arm: _Arm[C, E, S], context: C, event: E | None) -> tuple[int, ...]:
        return tuple([self._position[it(context, event) if callable(it) else it] for it in arm.to])

    def _left(self, arm: _Arm[C, E, S], leaves: tuple[int, ...], targets: tuple[int, ...]) -> frozenset[int]:
        """The active states that an arm leaves."""
        if arm.stays or not leaves:
            return frozenset()
        active = {it for leaf in leaves for it in self._around[leaf]}
        reenters = self.rows[arm.row].reenters
        domains: set[int | None] = set()
        if reenters is not None:
            around = self._around[self._position[reenters]][1:]
            plain = (it for it in around if not self.nodes[it].parallel and all(self._is_in(to, it) for to in targets))
            domains.add(next(plain, None))
        else:
            for to in targets:
                around = self._around[to][1:]
                plain = (it for it in around if it in active and not self.nodes[it].parallel and self._is_related(arm.source, it))
                domains.add(next(plain, None))
        return frozenset(it for it in active if any(self._is_inside(it, domain) for domain in domains))

    def _is_related(self, source: int | None, whole: int) -> bool:
        return source is None or self._is_in(source, whole) or self._is_in(whole, source)

    def _cross(self, chosen: list[_Arm[C, E, S]], leaves: tuple[int, ...], targets: tuple[tuple[int, ...], ...]) -> _Crossing[S]:
        key = (leaves, tuple(it.number for it in chosen), targets)
        found = self._crossings.get(key)
        if found is None:
            if len(self._crossings) >= _CROSSINGS:
                self._crossings.clear()
            found = self._crossings[key] = self._crossed(chosen, leaves, targets)
        return found

    def _crossed(self, chosen: list[_Arm[C, E, S]], leaves: tuple[int, ...], targets: tuple[tuple[int, ...], ...]) -> _Crossing[S]:
        """The states that some arms leave and enter, and the leaves after them."""
        exited = {it for arm, to in zip(chosen, targets, strict=True) for it in self._left(arm, leaves, to)}
        staying = {it for leaf in leaves for it in self._around[leaf]} - exited
        active = set(staying)
        if any(targets):
            active.update(it for to in targets for leaf in to for it in self._around[leaf])
            # States come before those inside them, so that one pass is enough.
            for region in self._regions:
                parent = self._parent[region]
                if (parent is None or parent in active) and region not in active:
                    active.update(it for leaf in self._starts(region) for it in self._around[leaf])
        after = tuple(sorted(it for it in active if self._leaf[it] is not None))
        left, entered = tuple(sorted(exited, reverse=True)), tuple(sorted(active - staying))
        name = self.nodes
        effects = [(Phase.EXIT, it) for idx in left for it in name[idx].exit]
        effects += [(Phase.ENTRY, it) for idx in entered for it in name[idx].entry]
        names = [tuple(name[it].name for it in states) for states in (left, entered)]
        completed = tuple(f"= {name[it].name}" for it in self._completed(after, entered))
        return _Crossing(after, self._states(after), left, entered, names[0], names[1], effects, completed)

    def _remember(self, context: C, rows: list[Row[C, E, P, S]], at: tuple[S, ...], crossing: _Crossing[S]) -> C:
        """Puts what is left into the context. What a row itself assigns takes precedence."""
        for idx in crossing.exited:
            for memory in self.nodes[idx].memories:
                if not any(memory.field in it.fields for it in rows):
                    context = memory.put(context, next(memory.leaves[it] for it in at if it in memory.leaves))
        return context

    def _is_done(self, leaves: tuple[int, ...], whole: int) -> bool:
        """Whether a composite is in a terminal child, or each of its regions is."""
        ended = {self._parent[it] for it in leaves if self.nodes[it].terminal}
        if self.nodes[whole].parallel:
            return all(it in ended for it in self._regions if self._parent[it] == whole)
        return whole in ended

    def _completed(self, leaves: tuple[int, ...], entered: tuple[int, ...]) -> list[int]:
        """The composites that are done once some states are entered."""
        done: list[int] = []
        for idx, it in enumerate(entered):
            node = self.nodes[it]
            if node.completes is not None:
                done.append(self._position[node.completes])
            whole = node.may_complete
            later = (self.nodes[other].may_complete for other in entered[idx + 1 :])
            if whole is not None and self._is_done(leaves, self._position[whole]) and whole not in later:
                done.append(self._position[whole])
        return done

    def _calls(self, context: C, step: Step[S], crossing: _Crossing[S], event: E | None) -> Iterable[Call[F]]:
        """The effects of one step, in the order in which they happen. They take the context as it is after the whole call."""
        before, to = (step.states[0] if step.states else None), step.to[0]
        names: list[tuple[Phase, str]] = []
        for row in step.rows:
            names += self._before[row]
        names += crossing.effects
        for row in step.rows:
            names += self._do[row]
        return [Call(phase, self.effects[it](context, event, before, to)) for phase, it in names]
