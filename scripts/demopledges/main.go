// Command demopledges makes the pledges of the demo content on a running platform, as browsers would: each is pledged
// over the public API, paid with a test card at the provider's stand-in, and confirmed by its webhook. Nothing is
// written past the rules, so totals, stock, receipts and ledger agree. Running it again goes on where it stopped:
// every pledge has an idempotency key of its own.
//
//	CONTENT_URL, PAYMENTS_URL, SANDBOX_URL   where the platform is
//	DEMO_DIR                                 the demo content (scripts/demo)
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/scripts/browser"
)

// backersAtOnce is how many backers pay side by side, over all campaigns.
const backersAtOnce = 12

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "demo pledges:", err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context) error {
	demo, err := readDemo(os.Getenv("DEMO_DIR"))
	if err != nil {
		return err
	}
	visit := &crowd{site: browser.NewSite(os.Getenv("CONTENT_URL"), os.Getenv("PAYMENTS_URL"), os.Getenv("SANDBOX_URL"), 2*backersAtOnce)}
	campaigns, err := visit.campaigns(ctx)
	if err != nil {
		return err
	}

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work sync.WaitGroup
	var made atomic.Int64
	slots := make(chan struct{}, backersAtOnce)
	for _, c := range demo.campaigns {
		found, ok := campaigns[c.Slug]
		if !ok || c.Pledges.Count == 0 {
			continue
		}
		work.Go(func() {
			if err := back(ctx, visit, demo, c, found, slots, &made); err != nil {
				cancel(fmt.Errorf("%s: %w", c.Slug, err))
			}
		})
	}
	work.Wait()
	if err := context.Cause(ctx); err != nil {
		return err
	}
	fmt.Printf("%d pledges paid\n", made.Load())
	return nil
}

// back makes the pledges of one campaign: most of them side by side, as slots allow, then the latest in their order.
func back(ctx context.Context, v *crowd, demo *demo, c demoCampaign, campaignID int64, slots chan struct{}, made *atomic.Int64) error {
	rewards, err := v.rewards(ctx, campaignID)
	if err != nil {
		return err
	}
	plan, err := demo.plan(c, rewards)
	if err != nil {
		return err
	}
	pay := func(ctx context.Context, n int) error {
		slots <- struct{}{}
		defer func() { <-slots }()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		plan[n].key = fmt.Sprintf("demo-%s-%d", c.Slug, n)
		if err := v.pledgeAndPay(ctx, campaignID, plan[n]); err != nil {
			return fmt.Errorf("pledge %d of %d: %w", n+1, len(plan), err)
		}
		made.Add(1)
		return nil
	}
	early := len(plan) - len(c.Pledges.Latest)
	sideBySide, sideCtx := errgroup.WithContext(ctx)
	for n := range early {
		sideBySide.Go(func() error { return pay(sideCtx, n) })
	}
	if err := sideBySide.Wait(); err != nil {
		return err
	}
	for n := early; n < len(plan); n++ {
		if err := pay(ctx, n); err != nil {
			return err
		}
	}
	return nil
}
