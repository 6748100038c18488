// Package reconcile compares what we have with the provider's own lists, and finds what webhooks lost.
//
// Two passes: Intents walks the recent payment intents, refunds and disputes and lets package pledges take up every one
// that stands differently there; Ledger does so for the refunds and disputes of a longer time, and compares each movement
// of our balance at the provider with the book. What they cannot mend is kept as an anomaly and logged. They only look at
// what is there and may run at any time, any number of times.
package reconcile

import (
	"context"
	"log/slog"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/ledger"
	"talkoot.fi/payments/internal/pledges"
	"talkoot.fi/payments/internal/providers/stripe"
)

// lookup is how many intents are looked up in one statement.
const lookup = 100

// slack is how far the two clocks may be apart before a movement counts as missing.
const slack = 15 * time.Minute

// Intents is the pass over recent intents, every few minutes.
func Intents() jobs.Task[Pass] {
	return jobs.Define[Pass]("reconcile:intents", jobs.Options{Queue: jobs.Low, MaxRetry: jobs.NoRetry, Timeout: 10 * time.Minute})
}

// Ledger is the comparison of the book with the provider's balance, daily.
func Ledger() jobs.Task[Pass] {
	return jobs.Define[Pass]("reconcile:ledger", jobs.Options{Queue: jobs.Low, MaxRetry: 3, Timeout: 30 * time.Minute})
}

// Service runs the passes.
type Service struct {
	DB      *gorm.DB
	Pledges *pledges.Service
	Stripe  *stripe.Client
	Now     func() time.Time
	Log     *slog.Logger
}

// Intents takes up the intents made in the last d that stand differently at the provider, and returns how many.
func (s *Service) Intents(ctx context.Context, d time.Duration) (int, error) {
	found := 0
	var batch []stripe.Intent
	flush := func() error {
		n, err := s.takeUp(ctx, batch)
		found, batch = found+n, batch[:0]
		return err
	}
	err := s.Stripe.EachIntent(ctx, s.Now().Add(-d), func(in stripe.Intent) error {
		if batch = append(batch, in); len(batch) == lookup {
			return flush()
		}
		return nil
	})
	if err != nil {
		return found, err
	}
	return found, flush()
}

func (s *Service) takeUp(ctx context.Context, batch []stripe.Intent) (int, error) {
	ids := make([]string, len(batch))
	for i, in := range batch {
		ids[i] = in.ID
	}
	ours, err := s.Pledges.AttemptStatuses(ctx, ids)
	if err != nil {
		return 0, err
	}
	found := 0
	for _, in := range batch {
		if agrees(in.Status, ours[in.ID]) {
			continue
		}
		found++
		if err := s.Pledges.Adopt(ctx, in, pledges.SignalSweep); err != nil {
			s.Log.WarnContext(ctx, "intent not taken up", "intent_id", in.ID, "error", err)
		}
	}
	return found, nil
}

func agrees(theirs stripe.IntentStatus, ours pledges.AttemptStatus) bool {
	switch theirs {
	case stripe.IntentSucceeded:
		return ours == pledges.AttemptSucceeded || ours == pledges.AttemptHeld
	case stripe.IntentCanceled:
		return ours == pledges.AttemptCanceled || ours == pledges.AttemptAbandoned
	case stripe.IntentOpen, stripe.IntentRequiresAction, stripe.IntentProcessing:
	}
	return ours == pledges.AttemptOpen
}

// movement is one line of either side.
type movement struct {
	kind      ledger.Kind
	reference string
}

// Ledger compares the movements of [from, to) on both sides and returns how many differ. Each difference is kept as an
// anomaly and logged. A movement that is only minutes from an end of the window is not missed on the other side.
func (s *Service) Ledger(ctx context.Context, from, to time.Time) (int, error) {
	theirs := map[movement]int64{}
	differences := 0
	var references []string
	err := s.Stripe.EachBalanceLine(ctx, from.Add(-slack), to.Add(slack), func(line stripe.BalanceLine) error {
		inside := !line.At.Before(from) && line.At.Before(to)
		m, fee, known := movementOf(line)
		if !known {
			if !inside {
				return nil
			}
			differences++
			return s.differ(ctx, line.ID, map[string]string{"theirs": line.Type + " " + strconv.FormatInt(line.Amount.Minor, 10)})
		}
		theirs[m] = line.Amount.Minor
		if line.FeeMinor != 0 {
			theirs[movement{fee, m.reference}] = -line.FeeMinor
		}
		if inside {
			references = append(references, m.reference)
		}
		return nil
	})
	if err != nil {
		return differences, err
	}
	n, err := s.compare(ctx, theirs, references, from, to)
	return differences + n, err
}

func (s *Service) compare(ctx context.Context, theirs map[movement]int64, references []string, from, to time.Time) (int, error) {
	clearing := ledger.ProviderClearing(stripe.Name)
	ours := map[movement]int64{}
	for start := 0; start < len(references); start += lookup {
		posted, err := ledger.Find(ctx, s.DB, clearing, references[start:min(start+lookup, len(references))])
		if err != nil {
			return 0, err
		}
		for _, p := range posted {
			ours[movement{p.Kind, p.Reference}] = p.AmountMinor
		}
	}
	inWindow, err := ledger.Movements(ctx, s.DB, clearing, from.Add(slack), to.Add(-slack))
	if err != nil {
		return 0, err
	}
	for _, p := range inWindow {
		ours[movement{p.Kind, p.Reference}] = p.AmountMinor
	}
	wanted := map[movement]bool{}
	for m := range ours {
		wanted[m] = true
	}
	for _, r := range references {
		for _, kind := range ledger.Kinds() {
			if _, there := theirs[movement{kind, r}]; there {
				wanted[movement{kind, r}] = true
			}
		}
	}
	differences := 0
	for m := range wanted {
		if ours[m] == theirs[m] {
			continue
		}
		differences++
		if err := s.differ(ctx, string(m.kind)+":"+m.reference, map[string]string{
			"ours": strconv.FormatInt(ours[m], 10), "theirs": strconv.FormatInt(theirs[m], 10),
		}); err != nil {
			return differences, err
		}
	}
	return differences, nil
}

func (s *Service) differ(ctx context.Context, reference string, detail map[string]string) error {
	isNew, err := pledges.NoteAnomaly(ctx, s.DB, pledges.Anomaly{
		Kind: pledges.AnomalyLedgerDifference, Reference: reference, Detail: detail, At: s.Now().UTC(),
	})
	if isNew {
		s.Log.ErrorContext(ctx, "the book and the provider differ", "reference", reference, "ours", detail["ours"], "theirs", detail["theirs"])
	}
	return err
}

// movementOf maps the provider's types of movements to ours, and the kind of its fee
// (docs.stripe.com/reports/balance-transaction-types). A dispute moves our balance several times, so each of its
// movements goes by its own id.
func movementOf(line stripe.BalanceLine) (m movement, fee ledger.Kind, known bool) {
	switch line.Type {
	case "charge", "payment":
		return movement{ledger.Charge, line.SourceID}, ledger.ProviderFee, true
	case "refund", "payment_refund":
		return movement{ledger.Refund, line.SourceID}, ledger.ProviderFee, true
	case "refund_failure", "payment_failure_refund":
		return movement{ledger.RefundFailed, line.SourceID}, ledger.ProviderFee, true
	}
	if line.Category != "dispute" && line.Category != "dispute_reversal" {
		return m, "", false
	}
	m, fee = movement{ledger.Dispute, line.ID}, ledger.DisputeFee
	if line.Amount.Minor > 0 {
		m.kind = ledger.DisputeReversal
	}
	if line.FeeMinor < 0 {
		fee = ledger.DisputeFeeReversal
	}
	return m, fee, true
}
