//go:build unix

package platform

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"
)

// seedStep is one part of the demo content. Each is done once per data folder.
type seedStep struct {
	name string // also of its marker and its log
	what string // for people
	args []string
	env  map[string]string
}

// seedSteps run in this order, on the running platform. Where real money moves there are none: the demo's people have a
// password that everybody knows.
func (p *Platform) seedSteps() []seedStep {
	if p.settings.common["SANDBOX"] != "1" {
		return nil
	}
	steps := []seedStep{
		{
			name: "seed-content", what: "demo content",
			args: []string{p.opts.bin("content"), "seed"}, env: p.settings.forContent(""),
		},
	}
	if p.settings.stripeSandbox { // backers pay with test cards
		steps = append(steps, seedStep{
			name: "seed-pledges", what: "demo backers (each pays for real at the sandbox; this takes a moment)",
			args: []string{p.opts.bin("demopledges")}, env: p.settings.forDemoPledges(),
		})
	}
	return append(steps, seedStep{
		name: "seed-finish", what: "demo campaigns' final stages",
		args: []string{p.opts.bin("content"), "seed", "--finish"}, env: p.settings.forContent(""),
	})
}

// seed does the steps that have no marker yet.
func (p *Platform) seed(ctx context.Context) error {
	for _, step := range p.seedSteps() {
		marker := p.opts.data("seeded", step.name)
		if _, err := os.Stat(marker); err == nil {
			continue
		}
		p.say("Filling in the %s", step.what)
		if err := p.runToEnd(ctx, step.name, step.args, step.env); err != nil {
			return fmt.Errorf("fill in the %s: %w", step.what, err)
		}
		done := time.Now().UTC().Format(time.RFC3339) // a note for people
		err := errors.Join(os.MkdirAll(p.opts.data("seeded"), 0o750), os.WriteFile(marker, []byte(done+"\n"), 0o600))
		if err != nil {
			return fmt.Errorf("note that the %s is there: %w", step.what, err)
		}
	}
	return nil
}
