// Command demopledges makes the pledges and the first months of the monthly support of the demo content on a running
// platform, as browsers would: each is asked for over the public API, paid with a test card at the provider's stand-in, and
// confirmed by its webhook. Nothing is written past the rules, so totals, stock, receipts and ledger agree.
//
// It may be interrupted at any moment; the next run continues where it stopped and pays nothing twice. PAID_FILE lists
// who has paid. A pledge that was paid just before the interruption and is not listed yet is found again by its
// idempotency key, which the platform keeps for a day.
//
//	CONTENT_URL, PAYMENTS_URL, SANDBOX_URL   where the platform is
//	DEMO_DIR                                 the demo content (scripts/demo)
//	PAID_FILE                                made when it is missing; belongs to the platform's data
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/scripts/browser"
)

const (
	// backersAtOnce is how many backers pay concurrently, over all campaigns. More would not be faster on two
	// processors, and would slow down people who use the site meanwhile.
	backersAtOnce = 8
	// progressEvery is how often the number of those who have paid is printed.
	progressEvery = 10 * time.Second
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	site := browser.NewSite(os.Getenv("CONTENT_URL"), os.Getenv("PAYMENTS_URL"), os.Getenv("SANDBOX_URL"), 2*backersAtOnce)
	site.Web = os.Getenv("PUBLIC_URL")
	if err := run(ctx, site, os.Getenv("DEMO_DIR"), os.Getenv("PAID_FILE"), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "demo pledges:", err)
		os.Exit(1) //nolint:gocritic // stop only unregisters signals
	}
}

func run(ctx context.Context, site *browser.Site, demoDir, paidFile string, out io.Writer) (err error) {
	demo, err := readDemo(demoDir)
	if err != nil {
		return err
	}
	visit := &crowd{site: site}
	queues, err := visit.queues(ctx, demo)
	if err != nil {
		return err
	}
	count, err := openTally(paidFile, queues)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, count.close()) }()

	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var work sync.WaitGroup
	slots := make(chan struct{}, backersAtOnce)
	for _, q := range queues {
		work.Go(func() {
			if err := back(ctx, visit, q, slots, count); err != nil {
				cancel(fmt.Errorf("%s: %w", q.slug, err))
			}
		})
	}
	done := make(chan struct{})
	go func() {
		work.Wait()
		close(done)
	}()
	tick := time.NewTicker(progressEvery)
	defer tick.Stop()
	for told := false; !told; {
		_, _ = fmt.Fprintln(out, count) // a failure to print progress is ignored
		select {
		case <-tick.C:
		case <-done:
			told = true
		}
	}
	if err := context.Cause(ctx); err != nil {
		return err
	}
	_, _ = fmt.Fprintln(out, count)
	return goToProviderB(ctx, site, demo)
}

// queue is the backers of one campaign: most of them pay concurrently, the last ones in their order.
type queue struct {
	slug       string
	campaignID int64
	backers    []planned
	inOrder    int // this many at the end
}

// back makes the pledges of one campaign, as slots allow.
func back(ctx context.Context, v *crowd, q queue, slots chan struct{}, count *tally) error {
	pay := func(ctx context.Context, n int) error {
		p := q.backers[n]
		if count.has(p.key) {
			return nil
		}
		slots <- struct{}{}
		defer func() { <-slots }()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		err := v.pledgeAndPay(ctx, q.campaignID, p)
		if isTooLate(err) {
			count.leaveOut()
			return nil
		}
		if err != nil {
			return fmt.Errorf("pledge %d of %d: %w", n+1, len(q.backers), err)
		}
		return count.paid(p.key)
	}
	early := len(q.backers) - q.inOrder
	sideBySide, sideCtx := errgroup.WithContext(ctx)
	for n := range early {
		sideBySide.Go(func() error { return pay(sideCtx, n) })
	}
	if err := sideBySide.Wait(); err != nil {
		return err
	}
	for n := early; n < len(q.backers); n++ {
		if err := pay(ctx, n); err != nil {
			return err
		}
	}
	return nil
}
