//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// rounds is how often our services and the other checkout's are measured in turn. With many short measurements both
// meet the same disturbances of the machine, and a single disturbed one does not move the median.
const rounds = 20

// compare measures pledge creation and webhook intake beside the services of another checkout. Both platforms run at
// once, each with its own databases, and are measured in turn, so that other load on the machine falls on both alike.
func compare(ctx context.Context, o options, all *table) (err error) {
	other, err := filepath.Abs(o.against)
	if err != nil {
		return fmt.Errorf("-against: %w", err)
	}
	var both [2]*bench
	defer func() {
		for _, b := range both {
			if b != nil {
				err = errors.Join(err, b.harness.Stop())
			}
		}
	}()
	for i, checkout := range []string{"", other} {
		b, err := start(ctx, o, o.sizes[len(o.sizes)-1], checkout)
		if err != nil {
			return err
		}
		both[i] = b
		// A checkout may be older than the payment service's own role, which the launcher uses. The payment workers
		// are stopped, so that they do not process the webhooks during the measurement.
		_, granted := b.harness.Payments.Exec(ctx, `GRANT ALL ON ALL TABLES IN SCHEMA public TO talkoot_payments`)
		if err := errors.Join(granted, b.harness.Proc("payments-work").Stop(ctx)); err != nil {
			return fmt.Errorf("prepare %q: %w", checkout, err)
		}
	}
	many := openCampaigns(hundred)
	for _, row := range []struct {
		name, unit string
		throughput func(*bench) throughput
	}{
		{"pledges, limited stock", "pledges/s", func(b *bench) throughput { return b.loadContent(ctx, pledging(many, 2)) }},
		{"webhook intake", "events/s", func(b *bench) throughput { return b.loadWebhooks(ctx) }},
	} {
		if !o.wants(row.name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "Measuring %s\n", row.name)
		if err := all.alternate(row.name, row.unit, max(o.seconds/5, lastSecond), row.throughput(both[0]),
			row.throughput(both[1])); err != nil {
			return fmt.Errorf("%s: %w", row.name, err)
		}
	}
	return nil
}

// alternate measures both in turn, each first as often as the other, and adds a row with their medians and the median
// of the rounds' ratios.
func (t *table) alternate(name, unit string, length time.Duration, ours, theirs throughput) error {
	var our, their, ratios []float64
	for n := range rounds + 1 {
		order := []throughput{ours, theirs}
		if n%2 == 1 {
			slices.Reverse(order)
		}
		var got [2]float64
		for i, run := range order {
			perSecond, err := run(length)
			if err != nil {
				return err
			}
			got[(i+n)%2] = perSecond
		}
		if n == 0 {
			continue // warm-up
		}
		our, their, ratios = append(our, got[0]), append(their, got[1]), append(ratios, got[0]/got[1])
	}
	t.lines = append(t.lines, line{name, fmt.Sprintf("%.0f %s", quantile(our, 0.5), unit),
		fmt.Sprintf("%.0f %s, the other checkout", quantile(their, 0.5), unit),
		fmt.Sprintf("%.2f (half of the turns %.2f to %.2f)", quantile(ratios, 0.5), quantile(ratios, 0.25),
			quantile(ratios, 0.75)), "–", "–"})
	return nil
}

// quantile is the element of a list below which a share of it lies, from 0 to 1.
func quantile(list []float64, share float64) float64 {
	return slices.Sorted(slices.Values(list))[int(share*float64(len(list)-1))]
}
