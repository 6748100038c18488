//go:build unix

package platform

import (
	"context"
	"fmt"
	"os"
	"time"
)

// seedStep is one part of filling in the demo. Each is done once per data folder; one that was interrupted is run
// again, and continues where it stopped.
type seedStep struct {
	name string // also of its marker and its log
	what string // for people
	args []string
	env  map[string]string
	told bool // its standard output is shown to the user
}

// seedSteps are what Start does, and what the backers do on the running platform. Where real money moves there are
// none: the demo's people have a password that everybody knows.
func (p *Platform) seedSteps() (content, backers []seedStep) {
	if p.settings.common["SANDBOX"] != "1" {
		return nil, nil
	}
	content = []seedStep{{
		name: "seed-content", what: "demo content",
		args: []string{p.opts.bin("content"), "seed"}, env: p.settings.forContent(""),
	}}
	if p.settings.stripeSandbox { // backers pay with test cards
		backers = append(backers, seedStep{
			name: "seed-pledges", what: "demo backers, behind the running site",
			args: []string{p.opts.bin("demopledges")}, env: p.settings.forDemoPledges(p.opts), told: true,
		})
	}
	return content, append(backers, seedStep{
		name: "seed-finish", what: "demo campaigns' final stages",
		args: []string{p.opts.bin("content"), "seed", "--finish"}, env: p.settings.forContent(""),
	})
}

// SeedBackers completes what Options.Seed begins: some nine hundred demo backers and as many monthly supporters pay,
// each for real at the sandbox, and then the campaigns that the demo has closed get their final stages. It returns when
// that is done, after a minute or two in a new data folder and at once later. The site can be used meanwhile. When it is
// interrupted, the next call continues where it stopped, also after a restart. The number of those who have paid is
// printed to Options.Out.
func (p *Platform) SeedBackers(ctx context.Context) error {
	_, backers := p.seedSteps()
	return p.fillIn(ctx, backers)
}

// fillIn does the steps that have no marker yet.
func (p *Platform) fillIn(ctx context.Context, steps []seedStep) error {
	for _, step := range steps {
		marker := p.opts.data("seeded", step.name)
		if _, err := os.Stat(marker); err == nil {
			continue
		}
		p.say("Filling in the %s", step.what)
		command := p.command(step.name, step.args, step.env)
		if step.told {
			command.stdout = p.opts.Out
		}
		if err := p.starter.runToEnd(ctx, p.guard, command); err != nil {
			return fmt.Errorf("fill in the %s: %w", step.what, err)
		}
		done := time.Now().UTC().Format(time.RFC3339) // a note for people
		if err := os.WriteFile(marker, []byte(done+"\n"), 0o600); err != nil {
			return fmt.Errorf("note that the %s is there: %w", step.what, err)
		}
	}
	return nil
}
