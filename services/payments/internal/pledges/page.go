package pledges

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/jobs"
	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	// maxPageTries is one try and five retries.
	maxPageTries = 6
	// pageLife is how long a hosted page can be paid: the provider's shortest life, and time for a late retry of the job.
	pageLife = stripe.MinSessionLife + 15*time.Minute
	// pageSweepAfter is when the worker makes a page whose job the queue lost; the job's own retries end before.
	pageSweepAfter = 15 * time.Second
	// pagePoll is how often a waiting request looks whether its page is there.
	pagePoll = 50 * time.Millisecond
)

// Page gives the address of the hosted page of a pledge, empty while it is being made. Asking again never makes a
// second page while one is open. Errors as Setup, and PaymentPageFailed, told once for each page that could not be made.
func (s *Service) Page(ctx context.Context, pledgeID string) (string, error) {
	if !s.Stripe.Enabled() {
		return "", errProviderOff()
	}
	ctx, cancel := context.WithTimeout(ctx, s.CallWait)
	defer cancel()
	p, err := s.ensure(ctx, pledgeID)
	if err != nil {
		return "", err
	}
	if failed, err := s.reportFailedPage(ctx, p.ID); err != nil || failed {
		return "", errors.Join(err, errPageFailed(failed))
	}
	for range maxRounds {
		a, err := s.currentAttempt(ctx, &p, KindSession)
		if err != nil {
			return "", err
		}
		if a.Status == AttemptCreating {
			return s.awaitPage(ctx, a)
		}
		usable, after, err := s.checkPage(ctx, p, a)
		if err != nil {
			return "", err
		}
		if usable {
			return a.PageURL, nil
		}
		p = after
	}
	return "", apperr.New(apperr.PaymentPageFailed)
}

// checkPage asks the provider whether an open page can still be paid. When the provider does not answer it may.
func (s *Service) checkPage(ctx context.Context, p Payment, a attempt) (bool, Payment, error) {
	seen, err := s.look(ctx, a)
	if err == nil {
		err = s.lookAtRefunds(ctx, &seen, SignalSetup)
	}
	if errors.Is(err, apperr.New(apperr.ProviderUnavailable)) {
		return true, p, nil
	}
	if err != nil {
		return false, p, err
	}
	p, err = s.apply(ctx, p, SignalSetup, []sighting{seen})
	if err != nil {
		return false, p, err
	}
	if err := p.payable(s.clock()); err != nil {
		return false, p, err
	}
	return seen.session != nil && seen.session.Status == stripe.SessionOpen, p, nil
}

// awaitPage puts the job on the queue and waits briefly for the row to change. Without a queue the sweeper makes it.
func (s *Service) awaitPage(ctx context.Context, a attempt) (string, error) {
	if a.Tries == 0 {
		err := MakePages().Enqueue(ctx, s.Queue, PageJob{AttemptID: a.ID}, jobs.WithID(fmt.Sprintf("page:%d", a.ID)))
		if err != nil && !errors.Is(err, jobs.ErrDuplicate) {
			s.Log.WarnContext(ctx, "page is left to the sweeper: the queue does not answer", "attempt_id", a.ID, "error", err)
			return "", nil
		}
	}
	ctx, cancel := context.WithTimeout(ctx, s.PageWait)
	defer cancel()
	tick := time.NewTicker(pagePoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", nil
		case <-tick.C:
		}
		now, err := s.attemptByID(ctx, a.ID)
		switch {
		case ctx.Err() != nil:
			return "", nil
		case err != nil:
			return "", err
		case now.Status == AttemptAbandoned:
			reported, err := s.reportFailedPage(ctx, a.PaymentID)
			return "", errors.Join(err, errPageFailed(reported))
		case now.PageURL != "":
			return now.PageURL, nil
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
	result := s.DB.WithContext(ctx).Exec(`UPDATE attempts SET failure_reported = true WHERE payment_id = ? AND kind = 'session'
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
	err = s.DB.WithContext(ctx).Raw(`UPDATE attempts SET tries = tries + 1, next_check_at = ? WHERE id = ? RETURNING tries`,
		s.clock().Add(pageSweepAfter), a.ID).Scan(&a.Tries).Error
	if err != nil {
		return fmt.Errorf("count the tries of page %d: %w", a.ID, err)
	}
	err = s.createPage(ctx, p, a)
	final := errors.Is(err, stripe.ErrBurned) || errors.Is(err, stripe.ErrRefused) || a.Tries >= maxPageTries
	switch {
	case err == nil:
		return nil
	case final:
		return jobs.Permanent(errors.Join(err, s.abandon(ctx, a)))
	}
	return err
}

// createPage makes the page with the backer's address filled in. It is made without when the provider refuses it so: it
// may not take the address, or the key's first call had none because the content service was away.
func (s *Service) createPage(ctx context.Context, p Payment, a attempt) error {
	page := stripe.NewSession{
		Key: a.IdempotencyKey, Amount: p.Amount(), Title: p.CampaignTitle, Description: p.Description, Language: p.Language,
		Email: s.backersEmail(ctx, p), SuccessURL: s.returnURL(p, false), CancelURL: s.returnURL(p, true), ExpiresAt: *a.PageExpiresAt,
		TransferGroup: transferGroup(p), Metadata: metadata(p, a),
	}
	made, err := s.Stripe.CreateSession(ctx, page)
	if errors.Is(err, stripe.ErrRefused) && page.Email != "" {
		page.Email = ""
		made, err = s.Stripe.CreateSession(ctx, page)
	}
	if err != nil {
		return err
	}
	return s.saveMade(ctx, a, made.ID, made.URL)
}

// plainEmail is what the provider's own field takes (HTML's type=email), with a dot in the domain.
var plainEmail = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9-]+(\\.[a-zA-Z0-9-]+)+$")

// backersEmail asks the content service each time, because we keep no personal data; empty when it does not answer.
func (s *Service) backersEmail(ctx context.Context, p Payment) string {
	order, err := s.fetchOrder(ctx, p.PledgeID, knownOrderTimeout)
	if err != nil {
		s.Log.WarnContext(ctx, "made a page that asks for the address", "payment_id", p.ID, "error", err)
		return ""
	}
	if !plainEmail.MatchString(order.Email) {
		return ""
	}
	return order.Email
}

// returnURL is the page of the web app that a backer comes back to, in the order's language; Finnish has no prefix.
func (s *Service) returnURL(p Payment, canceled bool) string {
	prefix := ""
	if p.Language != apperr.Finnish {
		prefix = p.Language + "/"
	}
	query := "?pledge=" + url.QueryEscape(p.PledgeID)
	if canceled {
		query += "&canceled=1"
	}
	return s.PublicURL + "/" + prefix + "payment-return/" + query
}
