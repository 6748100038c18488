package payments

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

const (
	// maxPageTries is one try and five retries.
	maxPageTries = 6
	// pageSlack is what a page lives longer than the provider's shortest life, so that a late retry of its job, which has
	// to name the same end, is still taken.
	pageSlack = 15 * time.Minute
	// pageSweepAfter is when the worker makes a page whose job the queue lost; the job's own retries end before.
	pageSweepAfter = 15 * time.Second
	// pagePoll is how often a waiting request looks whether its page is there.
	pagePoll = 50 * time.Millisecond
)

// Page gives the address of the hosted page of a subject, empty while it is being made. Asking again never makes a
// second page while one is open, and nobody is given a page of what is paid. of is the provider whose page is wanted, "" for that of
// whoever takes the campaign's pages. Errors as Setup, PaymentMethodUnsupported when another provider takes them, and PaymentPageFailed,
// told once for each page that could not be made.
func (s *Service) Page(ctx context.Context, sub Subject, network, of string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, s.callWait)
	defer cancel()
	p, order, err := s.prepare(ctx, sub, network)
	if err != nil {
		return "", err
	}
	if of != "" {
		taker, err := s.route(ctx, s.db, p, provider.MethodPage)
		if err == nil && taker != of {
			err = apperr.New(apperr.PaymentMethodUnsupported)
		}
		if err != nil {
			return "", err
		}
	}
	if failed, err := s.reportFailedPage(ctx, p.ID); err != nil || failed {
		return "", errors.Join(err, errPageFailed(failed))
	}
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, beginning{method: provider.MethodPage, prefill: plainEmail.MatchString(order.Email)})
		if err != nil {
			return "", err
		}
		if a.Status == AttemptCreating {
			return s.awaitPage(ctx, p, a)
		}
		// Where nothing else begins, what has begun goes on.
		if taker, err := s.route(ctx, s.db, p, provider.MethodPage); err == nil && taker != a.Provider {
			if err := s.leave(ctx, &p, a); err != nil {
				return "", err
			}
			continue
		}
		address, after, err := s.checkPage(ctx, p, a)
		if err != nil || address != "" {
			return address, err
		}
		p = after
	}
	return "", apperr.New(apperr.PaymentPageFailed)
}

// checkPage asks the provider whether an open page can still be paid, and gives its address then.
func (s *Service) checkPage(ctx context.Context, p Payment, a attempt) (string, Payment, error) {
	seen, err := s.look(ctx, a, SignalSetup)
	if err != nil {
		return "", p, err
	}
	if p, err = s.apply(ctx, p, SignalSetup, seen); err != nil {
		return "", p, err
	}
	if err := p.payable(s.now()); err != nil {
		return "", p, err
	}
	if seen.snap == nil {
		return "", p, nil
	}
	address := provider.AddressOf(seen.snap.Next)
	if address == "" && seen.snap.State == provider.Open { // submitted, and the bank has refused days later
		return "", p, s.end(ctx, p, a)
	}
	return address, p, nil
}

// awaitPage puts the job on the queue and waits briefly for the page. Without a queue the sweeper makes it.
func (s *Service) awaitPage(ctx context.Context, p Payment, a attempt) (string, error) {
	if a.Tries == 0 {
		err := MakePages().Enqueue(ctx, s.queue, PageJob{AttemptID: a.ID}, jobs.WithID(fmt.Sprintf("page:%d", a.ID)))
		if err != nil && !errors.Is(err, jobs.ErrDuplicate) {
			s.log.WarnContext(ctx, "page is left to the sweeper: the queue does not answer", "attempt_id", a.ID, "error", err)
			return "", nil
		}
	}
	waiting, cancel := context.WithTimeout(ctx, s.pageWait)
	defer cancel()
	tick := time.NewTicker(pagePoll)
	defer tick.Stop()
	for {
		select {
		case <-waiting.Done():
			return "", nil
		case <-tick.C:
		}
		newest, err := readAttempts(waiting, s.db, `WHERE payment_id = ? AND method = 'page' ORDER BY number DESC LIMIT 1`, p.ID)
		switch {
		case waiting.Err() != nil:
			return "", nil
		case err != nil:
			return "", err
		case newest[0].Status == AttemptAbandoned:
			reported, err := s.reportFailedPage(ctx, p.ID)
			return "", errors.Join(err, errPageFailed(reported))
		case newest[0].Status == AttemptOpen:
			if _, err = s.lookAtOthers(ctx, &p, provider.MethodPage); err != nil { // paid in the form meanwhile
				return "", err
			}
			address, _, err := s.checkPage(ctx, p, newest[0])
			return address, err
		}
		if p, err = s.Payment(ctx, p.ID); err != nil {
			return "", err
		}
		if err := p.payable(s.now()); err != nil { // the worker has heard that it was paid: no page comes any more
			return "", err
		}
	}
}

func errPageFailed(failed bool) error {
	if !failed {
		return nil
	}
	return apperr.New(apperr.PaymentPageFailed)
}

// reportFailedPage marks the newest page as told when it could not be made and nobody was told yet.
func (s *Service) reportFailedPage(ctx context.Context, paymentID string) (bool, error) {
	result := s.db.WithContext(ctx).Exec(`UPDATE attempts SET failure_reported = true WHERE payment_id = ? AND method = 'page'
		AND status = 'abandoned' AND NOT failure_reported`, paymentID)
	if result.Error != nil {
		return false, fmt.Errorf("report the failed page of payment %s: %w", paymentID, result.Error)
	}
	return result.RowsAffected > 0, nil
}

// MakePage makes the hosted page that an attempt's row promises; it is the job of the queue and of the sweeper. A
// second call while another works brings the same page, by the idempotency key.
func (s *Service) MakePage(ctx context.Context, attemptID int64) error {
	a, err := s.attemptByID(ctx, attemptID)
	if err != nil {
		return err
	}
	if a.Status != AttemptCreating {
		return nil
	}
	p, err := s.Payment(ctx, a.PaymentID)
	if err != nil {
		return err
	}
	if p.ClosingAt != nil || !p.Status.IsOpen() {
		return nil // the worker ends it
	}
	err = s.db.WithContext(ctx).Raw(`UPDATE attempts SET tries = tries + 1, next_check_at = ? WHERE id = ? AND status = 'creating' RETURNING tries`,
		s.now().Add(pageSweepAfter), a.ID).Scan(&a.Tries).Error
	if err != nil {
		return fmt.Errorf("count the tries of page %d: %w", a.ID, err)
	}
	err = s.createPage(ctx, p, a)
	switch {
	case err == nil:
		return nil
	case a.Prefilled && (errors.Is(err, provider.ErrRefused) ||
		a.Tries == 1 && errors.Is(err, apperr.New(apperr.Unavailable))):
		return s.makePlain(ctx, a)
	case errors.Is(err, provider.ErrBurned), errors.Is(err, provider.ErrRefused), a.Tries >= maxPageTries:
		return jobs.Permanent(errors.Join(err, s.abandon(ctx, a)))
	}
	return err
}

// createPage makes the page of an attempt, with the backer's address filled in when its row says so: a key has one
// body.
func (s *Service) createPage(ctx context.Context, p Payment, a attempt) error {
	prov, err := s.provider(a.Provider)
	if err != nil {
		return err
	}
	r, wantsPayer := prov.(registrar)
	var order contentclient.Order
	if a.Prefilled || wantsPayer {
		// Asked for each time, because we keep no personal data.
		if order, err = s.fetchOrder(ctx, p.Subject, knownOrderTimeout); err != nil {
			return err
		}
	}
	email, payer := "", p.Customer
	if a.Prefilled {
		email = order.Email
	}
	if wantsPayer {
		if payer, err = s.makePayer(ctx, r, p, order); err != nil {
			return err
		}
	}
	_, err = s.makeBy(ctx, &p, a, func(prov Provider, o provider.Order) (provider.Snapshot, error) {
		o.Email, o.Payer = email, payer
		return prov.Begin(ctx, o)
	})
	return err
}

// makePlain takes the next attempt, without the address, after the provider refused one with it, because it may not
// like the address, or when the address cannot be had and the provider was asked for nothing yet.
func (s *Service) makePlain(ctx context.Context, a attempt) error {
	var next attempt
	_, err := s.change(ctx, a.PaymentID, SignalSetup, func(c *change) (err error) {
		if err := c.abandon(ctx, a); err != nil {
			return err
		}
		next, err = c.beginAttempt(ctx, beginning{method: provider.MethodPage})
		if err != nil {
			return err
		}
		return c.tx.WithContext(ctx).Exec(`UPDATE attempts SET failure_reported = true WHERE id = ? AND status = 'abandoned'`, a.ID).Error // the next one may do
	})
	if errors.Is(err, ErrPaid) || errors.Is(err, ErrNotPayable) {
		return s.abandon(ctx, a)
	}
	if err != nil {
		return err
	}
	return s.MakePage(ctx, next.ID)
}

// plainEmail is what providers' own fields take (HTML's type=email), with a dot in the domain.
var plainEmail = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)+$")
