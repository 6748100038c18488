package subscriptions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/provider"
)

// linkPause is how many months a link in a mail pauses for.
const linkPause = 3

// errLooked takes back what an act of a link has written, once it is known what it would do.
var errLooked = errors.New("only looked")

// readLink asks the content service, which mailed it, what the link of a token allows. Errors: EmailLinkExpired,
// Unavailable.
func (s *Service) readLink(ctx context.Context, token string) (link contentclient.SubscriptionLink, err error) {
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	response, err := s.content.SubscriptionLink(ctx, contentclient.LinkQuestion{Token: token})
	if err != nil {
		return link, unavailable("read a link", err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxContentBytes))
	switch {
	case err != nil:
		return link, unavailable("read a link", err)
	case response.StatusCode == http.StatusGone:
		return link, apperr.New(apperr.EmailLinkExpired)
	case response.StatusCode != http.StatusOK:
		return link, unavailable("read a link", fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.Unmarshal(body, &link); err != nil {
		return link, unavailable("read a link", err)
	}
	if link.Act == contentclient.Receipt { // the content service shows it itself
		return link, apperr.New(apperr.EmailLinkExpired)
	}
	return link, nil
}

// LookAtLink says what a link would do now, and does nothing. The provider is asked first about a month that is to be
// paid. Errors: NotFound, SpendingLimitExceeded.
func (s *Service) LookAtLink(ctx context.Context, l contentclient.SubscriptionLink) (api.SubscriptionLink, error) {
	if l.Act == contentclient.Pay {
		if err := s.AdvanceDue(ctx, l.SubscriptionID); err != nil {
			return api.SubscriptionLink{}, err
		}
	}
	return s.runLink(ctx, l, false)
}

// UseLink does what a link allows, and says how things stand then; a repeat changes nothing. setup is what has kept the
// card, of the act card. Errors: NotFound, SpendingLimitExceeded; those of ChangeCard.
func (s *Service) UseLink(ctx context.Context, l contentclient.SubscriptionLink, setup string) (api.SubscriptionLink, error) {
	switch l.Act {
	case contentclient.Pay:
		return s.LookAtLink(ctx, l)
	case contentclient.Card:
		if setup == "" {
			return api.SubscriptionLink{}, apperr.New(apperr.InvalidFields).WithField("setup_intent", apperr.RuleRequired)
		}
		if out, err := s.runLink(ctx, l, false); err != nil || out.State != api.SubscriptionLinkStateOpen {
			return out, err
		}
		ctx, cancel := context.WithTimeout(ctx, payments.CallWait)
		defer cancel()
		if err := s.ChangeCard(ctx, l.SubscriptionID, setup, nil); err != nil {
			return api.SubscriptionLink{}, err
		}
		out, err := s.runLink(ctx, l, false)
		out.State = api.SubscriptionLinkStateDone
		return out, err
	case contentclient.Skip, contentclient.Pause, contentclient.Resume, contentclient.Cancel, contentclient.Receipt:
	}
	return s.runLink(ctx, l, true)
}

// SetupLink is what the provider's form needs for a link that pays a month or changes the card: a client secret and its
// intent. Errors: NotFound, payments.ErrNotPayable (also of another month, and of a link for something else), those of
// Setup and SetupCard.
func (s *Service) SetupLink(ctx context.Context, l contentclient.SubscriptionLink, network string) (api.SubscriptionLinkSetup, error) {
	if l.Act == contentclient.Card {
		ctx, cancel := context.WithTimeout(ctx, payments.CallWait)
		defer cancel()
		setup, err := s.SetupCard(ctx, l.SubscriptionID)
		if err != nil {
			return api.SubscriptionLinkSetup{}, err
		}
		return linkSetup(setup.Ref, setup.Next)
	}
	open, err := readOpen(ctx, s.db, l.SubscriptionID)
	if err == nil && (l.Act != contentclient.Pay || open.due == nil || open.due.Period != l.Period) {
		err = payments.ErrNotPayable
	}
	if err != nil {
		return api.SubscriptionLinkSetup{}, err
	}
	intent, err := s.Setup(ctx, l.SubscriptionID, network)
	if err != nil {
		return api.SubscriptionLinkSetup{}, err
	}
	return linkSetup(intent.ID, intent.Next)
}

func linkSetup(ref string, next provider.Next) (api.SubscriptionLinkSetup, error) {
	secret, err := provider.SecretOf(next)
	return api.SubscriptionLinkSetup{IntentID: ref, ClientSecret: secret}, err
}

// runLink does what a link allows, in a transaction that is kept or taken back: what would happen is told by doing it, so
// that the page promises nothing else than the button does.
func (s *Service) runLink(ctx context.Context, l contentclient.SubscriptionLink, keep bool) (out api.SubscriptionLink, err error) {
	_, err = s.change(ctx, l.SubscriptionID, func(c *change) error {
		out = c.describeLink(l)
		was := c.sub.EventSequence
		state, err := c.followLink(ctx, l)
		if err != nil {
			return err
		}
		isDoing := c.sub.EventSequence != was
		if isDoing && l.Act == contentclient.Resume && was != l.Sequence { // something was asked for after the mail
			out.State = api.SubscriptionLinkStateGone
			return errLooked
		}
		switch {
		case state != "":
			out.State = state
		case isDoing && !keep:
			out.State = api.SubscriptionLinkStateOpen
		default:
			out.State = api.SubscriptionLinkStateDone
		}
		out.EndsOn = date(c.sub.EndsOn)
		if day := c.sub.nextChargeOn(c.months.due); day != nil {
			out.NextCharge = &api.NextCharge{Period: c.sub.NextPeriod, Day: *date(day), AmountMinor: c.sub.nextLevel().AmountMinor}
		}
		if isDoing && keep {
			return nil
		}
		return errLooked
	})
	if errors.Is(err, errLooked) {
		err = nil
	}
	return out, err
}

// describeLink is what a link is about, before anything is done.
func (c *change) describeLink(l contentclient.SubscriptionLink) api.SubscriptionLink {
	out := api.SubscriptionLink{Act: api.SubscriptionLinkAct(l.Act), CampaignTitle: c.sub.Title, Currency: c.sub.Level.Currency}
	amount := c.sub.nextLevel().AmountMinor
	if due := c.months.due; due != nil && due.Period == l.Period {
		amount = due.AmountMinor
	}
	out.AmountMinor = &amount
	if l.Period > 0 && c.sub.AnchorDay != nil {
		day := c.sub.day(l.Period)
		out.Day = date(&day)
	}
	if label := c.sub.Card.Label; label != "" && (l.Act == contentclient.Pay || l.Act == contentclient.Card) {
		out.Card = &label
	}
	if l.Act == contentclient.Card {
		triesAtOnce := c.months.due != nil && c.months.due.takesCard()
		out.TriesAtOnce = &triesAtOnce
	}
	return out
}

// followLink does what a link allows. A state says that nothing was done, and why. Error: SpendingLimitExceeded.
func (c *change) followLink(ctx context.Context, l contentclient.SubscriptionLink) (api.SubscriptionLinkState, error) {
	if l.Act == contentclient.Cancel && c.sub.Status == StatusCreated { // its bank may have the first month for days
		return "", c.cancel(ctx, false)
	}
	state := api.SubscriptionLinkState("")
	err := c.act(ctx, func() (err error) {
		switch l.Act {
		case contentclient.Skip:
			err = c.skip(ctx, l.Period)
		case contentclient.Pause:
			if c.sub.Status != StatusPaused {
				err = c.pause(ctx, l.Period+linkPause)
			}
		case contentclient.Resume:
			err = c.resume(ctx)
		case contentclient.Cancel:
			err = c.cancel(ctx, false)
		case contentclient.Pay:
			state, err = c.payable(ctx, l.Period)
		case contentclient.Card:
			state = api.SubscriptionLinkStateOpen
		case contentclient.Receipt:
			err = gone()
		}
		return err
	})
	switch {
	case errors.Is(err, apperr.New(apperr.SubscriptionEnded)):
		return api.SubscriptionLinkStateEnded, nil
	case errors.Is(err, apperr.New(apperr.SubscriptionMonthGone)), errors.Is(err, apperr.New(apperr.SubscriptionCardNeeded)),
		errors.Is(err, apperr.New(apperr.SubscriptionNotBegun)):
		return api.SubscriptionLinkStateGone, nil
	}
	return state, err
}

// payable says how the payment of a month stands.
func (c *change) payable(ctx context.Context, period int) (api.SubscriptionLinkState, error) {
	if due := c.months.due; due != nil && due.Period == period {
		if due.Processing {
			return api.SubscriptionLinkStateProcessing, nil
		}
		return api.SubscriptionLinkStateOpen, c.allowForm(ctx)
	}
	list, err := readMonths(ctx, c.tx, `WHERE m.subscription_id = ? AND m.period = ?`, c.sub.ID, period)
	if err == nil && len(list) == 1 && list[0].Status == monthPaid {
		return api.SubscriptionLinkStateDone, nil
	}
	return api.SubscriptionLinkStateGone, err
}
