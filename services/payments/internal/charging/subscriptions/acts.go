package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/idem"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/contentclient"
)

// mostPaused is how many months after the next one a pause may last.
const mostPaused = 12

// act runs a backer's act on a subscription that goes on. Errors: NotFound, SubscriptionEnded, SubscriptionNotBegun,
// SpendingLimitExceeded.
func (s *Service) act(ctx context.Context, id string, fn func(c *change) error) error {
	_, err := s.change(ctx, id, func(c *change) error {
		return c.act(ctx, func() error { return fn(c) })
	})
	return err
}

// goesOn is no error while a backer may act. Errors: SubscriptionEnded, SubscriptionNotBegun.
func (c *change) goesOn() error {
	switch {
	case c.sub.Status.IsOver():
		return apperr.New(apperr.SubscriptionEnded)
	case c.sub.Status == StatusCreated:
		return apperr.New(apperr.SubscriptionNotBegun)
	}
	return nil
}

func gone() error { return apperr.New(apperr.SubscriptionMonthGone) }

// Ending is how a subscription is to end.
type Ending struct {
	Now        bool // else when what is paid has run out
	OnlyUnpaid bool // only while its first month is not paid
}

// Cancel ends a subscription: at once, or when what is paid has run out; without a paid month both are the same. It gives the answer
// as once does. Errors: NotFound, idem.ErrMismatch, PledgeAlreadyPaid and PledgeSettling (of OnlyUnpaid).
func (s *Service) Cancel(ctx context.Context, id string, how Ending, key idem.Key) (answer []byte, err error) {
	return s.once(ctx, id, key, func(c *change) error {
		if how.OnlyUnpaid {
			if err := c.isUnpaid(); err != nil {
				return err
			}
		}
		return c.cancel(ctx, how.Now)
	})
}

// isUnpaid is no error while the first month is not paid. Errors: PledgeAlreadyPaid, PledgeSettling.
func (c *change) isUnpaid() error {
	switch due := c.months.due; {
	case c.sub.AnchorDay != nil:
		return apperr.New(apperr.PledgeAlreadyPaid)
	case due != nil && due.Processing:
		return apperr.New(apperr.PledgeSettling)
	}
	return nil
}

func (c *change) cancel(ctx context.Context, now bool) error {
	until := c.sub.paidUntil()
	switch {
	case c.sub.Status.IsOver() || !now && c.sub.EndsOn != nil:
		return nil
	case now || c.months.due != nil || until == nil || calendar.DayOf(c.now).After(*until):
		return c.end(ctx, Asked)
	}
	c.sub.EndsOn = until
	if err := c.note(ctx, "cancel", 0, until.Format(time.DateOnly)); err != nil {
		return err
	}
	return c.emit(ctx, causeEnding, nil)
}

// Skip leaves one month out: the next one, or the one whose charge has failed. Errors: as act, SubscriptionMonthGone,
// SubscriptionCardNeeded.
func (s *Service) Skip(ctx context.Context, id string, period int) error {
	return s.act(ctx, id, func(c *change) error { return c.skip(ctx, period) })
}

func (c *change) skip(ctx context.Context, period int) error {
	due := c.months.due
	switch {
	case due != nil && period == due.Period:
		if err := c.skipDue(ctx, "skip"); err != nil {
			return err
		}
	case period < c.sub.NextPeriod:
		return c.wasLeftOut(ctx, period)
	case due != nil || period != c.sub.NextPeriod || c.sub.EndsOn != nil ||
		c.sub.day(period).After(calendar.DayOf(c.now).AddDate(1, 1, 0)):
		return gone()
	default:
		c.sub.NextPeriod++
		if err := c.note(ctx, "skip", period, ""); err != nil {
			return err
		}
	}
	return c.emit(ctx, causeSkipped, ofMonth(period))
}

// skipDue leaves out the month that was to be paid; money of a charge that is on its way goes back.
func (c *change) skipDue(ctx context.Context, cause string) error {
	period := c.months.due.Period
	if c.sub.Status == StatusPastDue {
		if c.sub.Card.Refused || c.sub.Card.Ref == "" {
			return apperr.New(apperr.SubscriptionCardNeeded)
		}
		if err := c.move(ctx, StatusActive, cause, period); err != nil {
			return err
		}
	} else if err := c.note(ctx, cause, period, ""); err != nil {
		return err
	}
	c.sub.NextPeriod = c.sub.after(period, c.now)
	return c.settle(ctx, monthSkipped)
}

// wasLeftOut is no error when a month before the next one was left out. Error: SubscriptionMonthGone.
func (c *change) wasLeftOut(ctx context.Context, period int) error {
	list, err := readMonths(ctx, c.tx, `WHERE m.subscription_id = ? AND m.period = ?`, c.sub.ID, period)
	if err != nil || len(list) == 0 || list[0].Status == monthSkipped {
		return err
	}
	return gone()
}

// Pause has nothing charged until a month. Errors: as act, SubscriptionMonthGone, SubscriptionCardNeeded (past_due).
func (s *Service) Pause(ctx context.Context, id string, until int) error {
	return s.act(ctx, id, func(c *change) error { return c.pause(ctx, until) })
}

func (c *change) pause(ctx context.Context, until int) error {
	if c.sub.Status == StatusPaused && c.sub.NextPeriod == until {
		return nil
	}
	if c.sub.Status == StatusPastDue {
		return apperr.New(apperr.SubscriptionCardNeeded)
	}
	next := c.sub.coming(c.months.due, c.now)
	if c.sub.Status == StatusPaused {
		var err error
		if next, err = c.firstPossible(ctx); err != nil {
			return err
		}
	}
	if until <= next || until > next+mostPaused || c.sub.EndsOn != nil {
		return gone()
	}
	if c.months.due != nil {
		if err := c.skipDue(ctx, "skip"); err != nil {
			return err
		}
	}
	c.sub.NextPeriod = until
	if c.sub.Status == StatusPaused {
		if err := c.note(ctx, "pause", until, ""); err != nil {
			return err
		}
	} else if err := c.move(ctx, StatusPaused, "pause", until); err != nil {
		return err
	}
	return c.emit(ctx, causePaused, ofMonth(until))
}

// firstPossible is the first month after those that have begun whose charge lies ahead.
func (c *change) firstPossible(ctx context.Context) (period int, err error) {
	err = c.tx.WithContext(ctx).Raw(`SELECT max(period) + 1 FROM subscription_periods WHERE subscription_id = ?`, c.sub.ID).Scan(&period).Error
	if err != nil {
		return 0, fmt.Errorf("read the last month of a subscription: %w", err)
	}
	for !chargeAt(c.sub.day(period)).After(c.now) {
		period++
	}
	return period, nil
}

// Resume takes back a pause, months that were left out and have not come, or an end that has not come. Errors: as act.
func (s *Service) Resume(ctx context.Context, id string) error {
	return s.act(ctx, id, func(c *change) error { return c.resume(ctx) })
}

func (c *change) resume(ctx context.Context) error {
	if c.months.due != nil {
		return nil
	}
	first, err := c.firstPossible(ctx)
	if err != nil {
		return err
	}
	ending, paused := c.sub.EndsOn != nil, c.sub.Status == StatusPaused
	if !ending && !paused && first >= c.sub.NextPeriod {
		return nil
	}
	c.sub.EndsOn, c.sub.NextPeriod = nil, min(first, c.sub.NextPeriod)
	if paused {
		err = c.move(ctx, StatusActive, "resume", c.sub.NextPeriod)
	} else {
		err = c.note(ctx, "resume", c.sub.NextPeriod, "")
	}
	if err != nil {
		return err
	}
	return c.emit(ctx, causeResumed, ofMonth(c.sub.NextPeriod))
}

// SetNotices says whether the backer is told the day before each charge. Errors: as act.
func (s *Service) SetNotices(ctx context.Context, id string, before bool) error {
	return s.act(ctx, id, func(c *change) error {
		if c.sub.NotifyBefore == before {
			return nil
		}
		c.sub.NotifyBefore = before
		return c.note(ctx, "notices", 0, fmt.Sprint(before))
	})
}

// Refusal is the content service's answer to a level that may not be, for whoever asked for it.
type Refusal struct {
	Status int
	Body   []byte // an ApiError
}

func (r *Refusal) Error() string {
	return fmt.Sprintf("content refuses the level: %d %s", r.Status, r.Body)
}

// Wish is the level that somebody asks for.
type Wish struct {
	AmountMinor int64
	RewardID    *int64
	// HasConfirmed: they have just shown that it is them, so that they may raise it by any sum.
	HasConfirmed bool
}

// A raise that is large wants more than a session, which may have been left open: by anyRaise a month more than now, or to more
// than the double and by more than doubledRaise. Minor units, in any currency.
const (
	anyRaise     = 50_00
	doubledRaise = 20_00
)

// isLargeRaise says whether a level raises what is charged now by much.
func isLargeRaise(now, wish Level) bool {
	raise := wish.AmountMinor - now.AmountMinor
	return raise >= anyRaise || raise > doubledRaise && wish.AmountMinor > 2*now.AmountMinor
}

// ChooseLevel is another amount or reward from the next month whose payment has not begun; the content service says
// whether it may be, unless this is a repeat. accept is the caller's Accept-Language. It gives the answer as once does. Errors: as act,
// *Refusal, Unavailable, ConfirmationRequired, idem.ErrMismatch.
func (s *Service) ChooseLevel(ctx context.Context, id string, of Wish, accept string, key idem.Key) (answer []byte, err error) {
	if before, isRepeated, err := idem.Find(ctx, s.db, key); err != nil || isRepeated {
		return []byte(before), err
	}
	sub, err := byID(ctx, s.db, id)
	if err != nil {
		return nil, err
	}
	wish := Level{AmountMinor: of.AmountMinor, RewardID: of.RewardID}
	if !sub.Status.IsOver() && sub.Status != StatusCreated && !wish.Is(sub.Level) {
		if wish, err = s.askLevel(ctx, sub, wish, accept); err != nil {
			return nil, err
		}
	}
	return s.once(ctx, id, key, func(c *change) error {
		return c.act(ctx, func() error {
			if isLargeRaise(c.sub.Level, wish) && !of.HasConfirmed {
				return apperr.New(apperr.ConfirmationRequired)
			}
			return c.chooseLevel(ctx, wish)
		})
	})
}

func (c *change) chooseLevel(ctx context.Context, wish Level) error {
	if wish.Is(c.sub.Level) {
		if c.sub.NextLevel == nil {
			return nil
		}
		c.sub.NextLevel = nil
	} else {
		if wish.Currency != c.sub.Level.Currency { // the level has changed since it was asked for
			return apperr.New(apperr.Unavailable).RetryAfter(time.Second)
		}
		if c.sub.NextLevel != nil && wish.Is(*c.sub.NextLevel) {
			return nil
		}
		c.sub.NextLevel = &wish
	}
	if err := c.note(ctx, "modify-level", 0, fmt.Sprint(wish.AmountMinor)); err != nil {
		return err
	}
	if err := c.letGo(ctx); err != nil {
		return err
	}
	return c.emit(ctx, causeLevelChosen, ofMonth(c.sub.coming(c.months.due, c.now)))
}

const (
	contentTimeout  = 5 * time.Second
	maxContentBytes = 64 << 10
)

// unavailable is a question that the content service did not answer.
func unavailable(what string, err error) error {
	if call, ok := errors.AsType[*url.Error](err); ok { // its text contains the id, which belongs into no log
		err = call.Err
	}
	return apperr.New(apperr.Unavailable).RetryAfter(2 * time.Second).Wrap(fmt.Errorf("%s: %w", what, err))
}

// askLevel asks the content service whether a subscription may have a level, which it puts into words.
func (s *Service) askLevel(ctx context.Context, sub Subscription, wish Level, accept string) (level Level, err error) {
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	const what = "ask for a level"
	response, err := s.content.SubscriptionLevel(ctx, sub.ID, contentclient.LevelQuestion{
		AmountMinor: wish.AmountMinor, RewardID: wish.RewardID,
	}, func(_ context.Context, r *http.Request) error {
		r.Header.Set("Accept-Language", accept)
		return nil
	})
	if err != nil {
		return level, unavailable(what, err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxContentBytes))
	if err != nil {
		return level, unavailable(what, err)
	}
	if response.StatusCode >= http.StatusBadRequest && response.StatusCode < http.StatusInternalServerError &&
		response.StatusCode != http.StatusUnauthorized {
		return level, &Refusal{Status: response.StatusCode, Body: body}
	}
	if response.StatusCode != http.StatusOK {
		return level, unavailable(what, fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.Unmarshal(body, &level); err != nil {
		return level, unavailable(what, err)
	}
	if !level.Is(wish) || level.Currency != sub.Level.Currency {
		return level, unavailable(what, errors.New("the answer is another level"))
	}
	return level, nil
}
