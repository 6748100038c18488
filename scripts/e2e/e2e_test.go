//go:build unix

// Package e2e tests pledges end to end on the real platform, over HTTP as browsers would: from the form to the paid
// pledge with its totals, backers, stock, receipt and ledger, and with faults on the way. One platform serves all
// tests; each has campaigns of its own, and each ends with an audit.
package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/kit/tracing/tracingtest"
	"talkoot.fi/scripts/browser"
	"talkoot.fi/scripts/dataset"
	"talkoot.fi/scripts/harness"
)

const (
	startLimit = 3 * time.Minute  // building the programs included
	settles    = 20 * time.Second // the most that webhook, worker, ledger and outbox take on a busy machine
)

// world is the one platform of this test process; TestMain makes it.
var world *harness.Harness

// collector is where the platform sends its traces.
var collector *tracingtest.Receiver

// began is when this process started.
var began = time.Now()

// auditLimit is how long the platform may take after a test until an audit finds nothing.
var auditLimit = 30 * time.Second

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	collector = tracingtest.New()
	defer collector.Close()
	traced := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": collector.URL, "OTEL_TRACES_SAMPLER": "parentbased_always_on"}
	if world, err = harness.Start(ctx, harness.Options{Env: traced}); err != nil {
		return 1, err
	}
	code = m.Run()
	if code != 0 {
		tellLogs()
	}
	return code, world.Stop()
}

// tellLogs prints the end of each process's log, because the data folder is removed.
func tellLogs() {
	logs, err := filepath.Glob(filepath.Join(world.DataDir, "log", "*.log"))
	if err != nil {
		return
	}
	for _, file := range logs {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		fmt.Fprintf(os.Stderr, "--- the end of %s\n%s\n", filepath.Base(file),
			strings.Join(lines[max(0, len(lines)-15):], "\n"))
	}
}

// scene is one test on the shared platform.
type scene struct {
	*testing.T
	ctx context.Context
}

func begin(t *testing.T) scene {
	t.Helper()
	s := scene{t, t.Context()}
	t.Cleanup(func() { // the test's own context has ended by then
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		defer cancel()
		if err := world.Calm(ctx); err != nil {
			t.Error(err)
		}
		if _, err := world.AwaitAudit(ctx, auditLimit); err != nil {
			t.Error(err)
			auditLimit = time.Second // the fault stays, so the tests after this one need not wait for it again
		}
	})
	return s
}

// must ends the test at an error.
func (s scene) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s scene) campaign(rewards ...dataset.Reward) dataset.Added {
	s.Helper()
	made, err := world.AddCampaign(s.ctx, dataset.Campaign{Title: s.Name(), Rewards: rewards})
	s.must(err)
	return made
}

var people atomic.Int64 // numbers the test's people, so that no two have the same address

// addressOf is the IP address of the n-th visitor. Each has its own, because one network may reserve only a part of a
// limited reward.
func addressOf(n int64) string { return fmt.Sprintf("10.%d.%d.%d", n>>16&255, n>>8&255, n&255) }

// stranger is a visitor without an account, and a filled-in pledge form.
func stranger(language string) (*browser.Visitor, browser.NewPledge) {
	n := people.Add(1)
	return &browser.Visitor{Site: world.Site, Language: language, Address: addressOf(n)},
		browser.NewPledge{Amount: "25", Meta: browser.PledgeMeta{
			Email: fmt.Sprintf("backer%d@posti.example", n), FirstName: "Aino", LastName: "Korhonen",
		}}
}

func forReward(p browser.NewPledge, id int64, euros string) browser.NewPledge {
	p.RewardID, p.Amount = &id, json.Number(euros)
	return p
}

func newKey() string { return fmt.Sprintf("e2e-key-%d", people.Add(1)) }

// pledge sends the form.
func (s scene) pledge(v *browser.Visitor, campaignID int64, form browser.NewPledge) browser.Pledge {
	s.Helper()
	made, err := v.Pledge(s.ctx, campaignID, newKey(), form)
	s.must(err)
	return made
}

// pay pays a pledge with the good card.
func (s scene) pay(v *browser.Visitor, pledgeID string) {
	s.Helper()
	intent, err := v.Setup(s.ctx, pledgeID)
	s.must(err)
	paid, err := v.Confirm(s.ctx, intent, browser.GoodCard)
	s.must(err)
	if paid.Status != "succeeded" {
		s.Fatalf("the provider says %q to a good card", paid.Status)
	}
}

func (s scene) await(v *browser.Visitor, pledgeID string, status ...string) browser.Pledge {
	s.Helper()
	p, err := v.AwaitStatus(s.ctx, pledgeID, settles, status...)
	s.must(err)
	return p
}

// reward reads one reward as a visitor sees it.
func (s scene) reward(campaignID, rewardID int64) browser.Reward {
	s.Helper()
	v, _ := stranger("fi")
	list, err := v.Rewards(s.ctx, campaignID)
	s.must(err)
	for _, r := range list {
		if r.RewardID == rewardID {
			return r
		}
	}
	s.Fatalf("reward %d is not shown", rewardID)
	return browser.Reward{}
}

// paymentsNumber queries one number from the payments database.
func (s scene) paymentsNumber(sql string, args ...any) int64 {
	s.Helper()
	n, err := harness.Number(s.ctx, world.Payments, sql, args...)
	s.must(err)
	return n
}

// refused checks that an error is the given one of the error catalogue.
func (s scene) refused(err error, httpStatus int, status string) {
	s.Helper()
	var p *browser.Problem
	if !errors.As(err, &p) || p.HTTPStatus != httpStatus || p.Status != status {
		s.Errorf("got %v, want %d %s", err, httpStatus, status)
	}
}

// mail waits for a mail to an address whose subject holds a text.
func (s scene) mail(to, subject string) browser.Mail {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.ctx, settles)
	defer cancel()
	v, _ := stranger("fi")
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		mails, err := v.Mails(ctx, to)
		if err == nil {
			for _, m := range mails {
				if strings.Contains(m.Subject, subject) {
					return m
				}
			}
		}
		select {
		case <-ctx.Done():
			s.Fatalf("no mail with %q to %s: %v %v", subject, to, mails, err)
		case <-tick.C:
		}
	}
}
