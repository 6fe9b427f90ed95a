// The job by statespec.
package main

import (
	"fmt"
	"time"

	"example.com/job"
)

const (
	events = 50_000
	passes = 50
)

func main() {
	all := make([]job.Event, events)
	for idx, seed := 0, 1; idx < events; idx++ {
		seed = seed * 48271 % 2147483647
		all[idx] = []job.Event{job.Start{}, job.Finish{}, job.Fail{}}[seed%3]
	}
	best, accepted := time.Hour, 0
	var machine job.Job
	for pass := 0; pass < passes; pass++ {
		machine, accepted = job.New(job.NewContext()), 0
		start := time.Now()
		for _, event := range all {
			if change, err := machine.Apply(event); err == nil {
				machine = change.Machine
				accepted++
			}
		}
		if took := time.Since(start); took < best {
			best = took
		}
	}
	fmt.Printf("{\"name\": \"statespec\", \"ns\": %d, \"result\": \"%d %s\"}\n", best.Nanoseconds()/events, accepted, machine.State)
}
