package subscriptions

import (
	"context"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/charging/limits"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// keySlack is how long before a provider forgets a try's key the try is not repeated any more.
const keySlack = time.Hour

// dayBefore has the month wait when it would come above the backer's limit. Else it tells them of the coming charge when
// they want that or when it is another amount than the last. Either way of a card that will be of no use for the charge
// after it.
func (c *change) dayBefore(ctx context.Context) error {
	s := c.sub
	period := s.NextPeriod
	c.sub.NoticedPeriod = period
	if s.OnHold { // should it go on until tomorrow, its backer has been told the day
		return nil
	}
	amount := s.Level.AmountMinor
	if s.NextLevel != nil {
		amount = s.NextLevel.AmountMinor
	}
	var last int64
	err := c.tx.WithContext(ctx).Raw(`SELECT p.amount_minor FROM payments p JOIN subscription_periods m ON m.payment_id = p.id
		WHERE m.subscription_id = ? AND m.period = ?`, s.ID, s.PaidPeriod).Scan(&last).Error
	if err != nil {
		return fmt.Errorf("read what was charged last: %w", err)
	}
	isHeld, err := c.hold(ctx)
	if err != nil {
		return err
	}
	if !isHeld && (s.NotifyBefore || amount != last) && c.now.Before(chargeAt(s.day(period))) { // else its receipt comes as well
		if err := c.emit(ctx, causeChargeComing, func(e *contentclient.SubscriptionEvent) {
			e.Period, e.DueAmountMinor = &period, &amount
		}); err != nil {
			return err
		}
	}
	lastDay, known := s.Card.lastDay()
	isLast := known && lastDay.Before(s.day(period+1))
	if told := s.Card.Ref + " " + s.Card.Expires; isLast && s.Card.Warned != told {
		c.sub.Card.Warned = told
		return c.emit(ctx, causeCardExpiring, ofMonth(period))
	}
	return nil
}

// beginMonth begins the payment of the next month, at the level that counts from it.
func (c *change) beginMonth(ctx context.Context) error {
	period := c.sub.NextPeriod
	day := c.sub.day(period)
	if c.sub.Status == StatusPaused {
		if err := c.move(ctx, StatusActive, "the month has come", period); err != nil {
			return err
		}
		if err := c.emit(ctx, causeResumed, ofMonth(period)); err != nil {
			return err
		}
		if c.sub.isHeld() { // its backer was told that it waits for them: room that has come otherwise charges nothing
			return nil
		}
	}
	if isHeld, err := c.hold(ctx); err != nil || isHeld {
		return err
	}
	hasChanged := c.sub.NextLevel != nil
	if hasChanged {
		c.sub.Level, c.sub.NextLevel = *c.sub.NextLevel, nil
		if err := c.note(ctx, "level", period, fmt.Sprint(c.sub.Level.AmountMinor)); err != nil {
			return err
		}
	}
	if err := c.begin(ctx, period, &day, c.now.Add(monthLife), ""); err != nil {
		return err
	}
	if hasChanged {
		if err := c.emit(ctx, causeLevelChanged, ofMonth(period)); err != nil {
			return err
		}
	}
	if c.sub.Card.Ref == "" || c.sub.Card.Refused {
		return c.refused(ctx, "generic", provider.RemedyCard)
	}
	return nil
}

// begin writes a month and its payment; that of the first month is begun by setup, where network is.
func (c *change) begin(ctx context.Context, period int, day *time.Time, until time.Time, network string) error {
	s := c.sub
	amount, err := s.Level.amount()
	if err != nil {
		return err
	}
	p, err := c.svc.payments.BeginMonth(ctx, c.tx, payments.Month{
		Subject: subject(s.ID, period), Provider: s.Provider, Customer: s.Customer, Day: day, Amount: amount, Network: network,
		CampaignID: s.CampaignID, PayeeUserID: s.PayeeUserID, BackerUserID: s.BackerUserID, Description: s.Description,
		Title: s.Title, Language: s.Language, PayableUntil: until,
	})
	if err != nil {
		return err
	}
	c.told = true
	today := calendar.DayOf(c.now)
	m := month{Period: period, Day: day, PaymentID: p.ID, Status: monthOpen, AmountMinor: amount.Minor, WeighedOn: &today}
	if day != nil {
		m.NextTryAt = &c.now
		if day.Before(today) { // it has waited: its tries are reckoned from today
			day, m.Day = &today, &today
		}
	}
	err = c.tx.WithContext(ctx).Exec(`INSERT INTO subscription_periods (subscription_id, period, day, payment_id, status, next_try_at, weighed_on, begun_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, s.ID, period, day, m.PaymentID, m.Status, m.NextTryAt, m.WeighedOn, c.now).Error
	if err != nil {
		return fmt.Errorf("begin month %d: %w", period, err)
	}
	c.months.due = &m
	return nil
}

// tryCard charges the due month with the kept card: first there is an object at the provider, which can be made any
// number of times, then the try is written, then it is made.
func (s *Service) tryCard(ctx context.Context, sub Subscription, due month) error {
	hasCard := sub.Card.Ref != ""
	if hasCard { // else its payer may be gone as well
		if err := s.payments.MakeIntent(ctx, due.PaymentID); err != nil && !errors.Is(err, payments.ErrPaid) {
			return err
		}
	}
	var t *try
	_, err := s.change(ctx, sub.ID, func(c *change) error {
		t, c.leased = nil, true
		do, at := c.sub.plan(c.months)
		if do != tryCard || at.After(c.now) || c.months.due.Period != due.Period {
			return nil
		}
		if c.sub.Card.Ref == "" || c.sub.Card.Refused { // kept no longer, or its bank has said since that it is of no use
			return c.refused(ctx, "generic", provider.RemedyCard)
		}
		if !hasCard { // it was chosen just now
			return nil
		}
		if isHeld, err := c.holdTry(ctx); err != nil || isHeld {
			return err
		}
		var err error
		if c.sub.OnHold, err = holds.Lock(ctx, c.tx, c.sub.CampaignID); err != nil || c.sub.OnHold {
			return err
		}
		t = &try{CardRef: c.sub.Card.Ref, Outcome: unknown, BegunAt: c.svc.now()}
		err = c.tx.WithContext(ctx).Raw(`INSERT INTO subscription_tries (subscription_id, period, number, card_ref, begun_at)
			SELECT @id, @period, coalesce(max(number), 0) + 1, @card, @now FROM subscription_tries WHERE subscription_id = @id AND period = @period
			RETURNING number`, map[string]any{"id": sub.ID, "period": due.Period, "card": t.CardRef, "now": t.BegunAt}).Scan(&t.Number).Error
		if err != nil {
			return fmt.Errorf("write a try: %w", err)
		}
		c.months.due.Unknown = true
		return nil
	})
	if err != nil || t == nil {
		return err
	}
	return s.charge(ctx, sub, due, *t)
}

// settleTry learns what came of a try that was not answered: the provider is looked at first, and when nothing is seen
// there the same try is repeated, by its key, while the month is wanted and has still that card.
func (s *Service) settleTry(ctx context.Context, sub Subscription, due month) error {
	p, err := s.payments.Advance(ctx, due.PaymentID, payments.SignalCharge)
	if err != nil {
		return err
	}
	if !p.Status.IsOpen() || p.Status == payments.StatusProcessing {
		return nil // its success or end was followed
	}
	prov, err := s.provider(sub.Provider)
	if err != nil {
		return err
	}
	var again *try
	_, err = s.change(ctx, sub.ID, func(c *change) error {
		again, c.leased = nil, true
		if do, _ := c.sub.plan(c.months); do != settleTry || c.months.due.Period != due.Period {
			return nil // not wanted any more, or answered
		}
		tries, err := readTries(ctx, c.tx, sub.ID, due.Period)
		if err != nil {
			return err
		}
		last := tries[len(tries)-1]
		if c.sub.OnHold, err = holds.Lock(ctx, c.tx, c.sub.CampaignID); err != nil || c.sub.OnHold {
			return err
		}
		isSame := c.sub.Card.Ref == last.CardRef && !c.sub.Card.Refused && limits.SameMonth(calendar.DayOf(last.BegunAt), calendar.DayOf(c.now))
		if isSame && c.now.Before(last.BegunAt.Add(prov.Traits().KeyLife-keySlack)) {
			again = &last
			return nil
		}
		return c.lose(ctx, due.Period, last)
	})
	if err != nil || again == nil {
		return err
	}
	return s.charge(ctx, sub, due, *again)
}

// lose gives a try up of which the provider knows nothing; the month is tried anew.
func (s *Service) lose(ctx context.Context, id string, period int, t try) error {
	_, err := s.change(ctx, id, func(c *change) error {
		c.leased = true
		return c.lose(ctx, period, t)
	})
	return err
}

func (c *change) lose(ctx context.Context, period int, t try) error {
	if wasOpen, err := c.answer(ctx, period, t.Number, void, ""); err != nil || !wasOpen {
		return err
	}
	return c.note(ctx, "try lost", period, fmt.Sprint(t.Number))
}

// charge makes a try that is written, and writes what came of it. A success is followed in its payment's transaction.
func (s *Service) charge(ctx context.Context, sub Subscription, due month, t try) error {
	snap, err := s.payments.Charge(ctx, due.PaymentID, t.Number, t.CardRef)
	switch {
	case errors.Is(err, provider.ErrState), errors.Is(err, payments.ErrNotPayable):
		// Paid by the backer meanwhile, or ended.
		if _, err := s.payments.Advance(ctx, due.PaymentID, payments.SignalCharge); err != nil {
			return err
		}
		return errors.Join(s.lose(ctx, sub.ID, due.Period, t), s.stillDue(ctx, sub.ID, due.Period))
	case errors.Is(err, provider.ErrBurned):
		return errors.Join(s.lose(ctx, sub.ID, due.Period, t), errUnsettled)
	case errors.Is(err, provider.ErrInstrumentGone):
		return s.decline(ctx, sub.ID, due.Period, t, "generic", provider.RemedyCard)
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		// That is between the provider and us, and says nothing of the card.
		return errors.Join(s.lose(ctx, sub.ID, due.Period, t), err)
	case err != nil:
		return err
	}
	switch snap.State {
	case provider.Open, provider.NeedsPayer:
		remedy := snap.Remedy
		if snap.State == provider.NeedsPayer && remedy == provider.RemedyNone {
			remedy = provider.RemedyPayer
		}
		return s.decline(ctx, sub.ID, due.Period, t, snap.FailureCode, remedy)
	case provider.Ended:
		return s.lose(ctx, sub.ID, due.Period, t)
	case provider.Succeeded, provider.Processing:
	}
	return nil
}

// isRefused tells whether the provider takes no such call of ours, whatever card it is about.
func isRefused(fault error) bool {
	return errors.Is(fault, provider.ErrRefused) || errors.Is(fault, provider.ErrNotFound) || errors.Is(fault, apperr.New(apperr.ConfigurationError))
}

// orLast takes what a try of a month has come to. When the provider takes no such call of ours, the month is tried anew until
// somebody has mended that; once the time of its tries is over that was the last one, and a person sees why.
func (s *Service) orLast(ctx context.Context, sub Subscription, due month, fault error) error {
	if !isRefused(fault) {
		return fault
	}
	s.log.ErrorContext(ctx, "the provider refuses a charge", "payment_id", due.PaymentID, "error", fault)
	if _, at := sub.afterTries(due); at.After(s.now()) {
		return fault
	}
	// Not with the subscription locked, because it locks the payment.
	_, err := anomalies.Open(ctx, s.db, anomalies.Anomaly{
		Kind: anomalies.PaymentStuck, Provider: sub.Provider, Reference: due.PaymentID, PaymentID: &due.PaymentID,
		Detail: map[string]string{"status": string(payments.StatusCreated), "why": fault.Error()},
	}, s.now())
	if err != nil {
		return err
	}
	_, err = s.change(ctx, sub.ID, func(c *change) error {
		c.leased = true
		if do, _ := c.sub.plan(c.months); do != tryCard || c.months.due.Period != due.Period {
			return nil
		}
		if _, at := c.sub.afterTries(*c.months.due); at.After(c.now) {
			return nil
		}
		c.months.due.NextTryAt = nil
		return c.saveMonth(ctx, *c.months.due)
	})
	return err
}

// stillDue is an error while a month is open although the provider takes no try for it.
func (s *Service) stillDue(ctx context.Context, id string, period int) error {
	open, err := readOpen(ctx, s.db, id)
	if err == nil && open.due != nil && open.due.Period == period && !open.due.Processing {
		err = errUnsettled
	}
	return err
}

// decline writes that a try was refused.
func (s *Service) decline(ctx context.Context, id string, period int, t try, code string, remedy provider.Remedy) error {
	_, err := s.change(ctx, id, func(c *change) error {
		wasOpen, err := c.answer(ctx, period, t.Number, declined, code)
		if due := c.months.due; err != nil || !wasOpen || due == nil || due.Period != period {
			return err // answered, paid or given up meanwhile
		}
		if has, err := c.hasAnotherCard(ctx, t); err != nil || has {
			return errors.Join(err, c.tryAtOnce(ctx))
		}
		return c.refused(ctx, code, remedy)
	})
	return err
}
