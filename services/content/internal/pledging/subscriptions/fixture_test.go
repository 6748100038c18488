//go:build unix

package subscriptions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"sync/atomic"
	"testing"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/pledging/supportlinks"
	"talkoot.fi/content/internal/writing/changes"
)

// world is a campaign that takes monthly support, with rewards.
type world struct {
	*contenttest.World
	*subscriptions.Service
	t        *testing.T
	creator  int64
	campaign int64
	choir    int64 // 7 euros, 25.5 % tax
	patron   int64 // 20 euros
	closed   int64
}

func setup(t *testing.T) *world {
	t.Helper()
	w := &world{World: contenttest.New(t), t: t}
	w.Service = w.Subscriptions
	w.creator = w.Person("Reijo")
	category := w.Category("yhteiso")
	w.campaign = w.Campaign(campaigns.New{Slug: "kuoro", Language: "fi", CategoryID: category, TeamUserIDs: []int64{w.creator},
		Texts: map[string]campaigns.Text{"fi": {Title: "Kuoro"}, "en": {Title: "Choir"}}}, campaigns.StageRecurring)
	vat := 255
	for _, r := range []struct {
		into *int64
		new  rewards.New
	}{
		{&w.choir, rewards.New{AmountMinor: 7_00, Active: true, VATTenths: &vat, Texts: map[string]rewards.Text{
			"fi": {Title: "Eturivi", Description: "Paikka"}, "en": {Title: "Front row"}}}},
		{&w.patron, rewards.New{AmountMinor: 20_00, Active: true, Texts: map[string]rewards.Text{"fi": {Title: "Mesenaatti"}}}},
		{&w.closed, rewards.New{AmountMinor: 5_00, Texts: map[string]rewards.Text{"fi": {Title: "Suljettu"}}}},
	} {
		r.new.CampaignID = w.campaign
		w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
			*r.into, err = rewards.Create(ctx, tx, r.new, w.Now())
			return err
		})
	}
	return w
}

func (w *world) path() string { return fmt.Sprintf("/campaigns/%d/subscriptions/", w.campaign) }

// body is a new supporter's, who asks for a reward, or for support without one when it is 0.
func body(amount string, reward int64) string {
	of := "null"
	if reward != 0 {
		of = fmt.Sprint(reward)
	}
	return fmt.Sprintf(`{"amount": %s, "reward_id": %s, "email": "leena%d@example.fi", "first_name": "Leena", "last_name": "H"}`, amount, of, sequence.Add(1))
}

var sequence atomic.Int64

// begins makes a subscription over the public call, 0 for nobody's.
func (w *world) begins(as int64, content string, headers ...string) api.Subscription {
	w.t.Helper()
	answer := w.Post(w.path(), content, as, headers...)
	if answer.Status != 201 {
		w.t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	var a api.SubscriptionAnswer
	if err := json.Unmarshal(answer.Body, &a); err != nil {
		w.t.Fatal(err)
	}
	return a.Subscription
}

func (w *world) read(id string) api.Subscription {
	w.t.Helper()
	var a api.SubscriptionAnswer
	w.Get("/v2/subscriptions/"+id+"/?language=fi", 0).JSON(&a)
	return a.Subscription
}

// paid is the event of a month's payment; the first day is the world's.
func (w *world) paid(s api.Subscription, period int) internalapi.PaymentEvent {
	n := sequence.Add(1)
	day := types.Date{Time: w.Now().AddDate(0, period-1, 0)}
	method := "Visa ···· 4242"
	return internalapi.PaymentEvent{EventID: fmt.Sprint("event-", n), Sequence: n, Type: internalapi.PaymentSucceeded, SubjectKind: internalapi.Subscription,
		SubjectID: s.SubscriptionID, PaymentID: fmt.Sprintf("pay-%s-%d", s.SubscriptionID, period), AmountMinor: int64(s.Amount), Currency: "EUR",
		Period: &period, PeriodDay: &day, Method: &method, Provider: "stripe", OccurredAt: w.Now()}
}

// of is another event of the same payment.
func of(e internalapi.PaymentEvent, kind internalapi.PaymentEventType, refundedMinor int64) internalapi.PaymentEvent {
	n := sequence.Add(1)
	e.EventID, e.Sequence, e.Type = fmt.Sprint("event-", n), n, kind
	if kind == internalapi.PaymentRefunded {
		reason := internalapi.PaymentEventRefundReasonRequested
		e.AmountRefundedMinor, e.RefundReason = &refundedMinor, &reason
	}
	return e
}

// told is an event of a subscription, whose sequence is the n-th.
func (w *world) told(s api.Subscription, n int64, cause internalapi.SubscriptionEventCause, status internalapi.SubscriptionEventStatus) internalapi.SubscriptionEvent {
	next := types.Date{Time: w.Now().AddDate(0, 1, 0)}
	e := internalapi.SubscriptionEvent{EventID: fmt.Sprintf("told-%s-%d", s.SubscriptionID, n), Sequence: n, Cause: cause, SubscriptionID: s.SubscriptionID,
		Status: status, AmountMinor: int64(s.Amount), RewardID: s.RewardID, Currency: "EUR", NextChargeOn: &next, PaidUntil: &next, OccurredAt: w.Now()}
	if cause == internalapi.SubscriptionEventCauseActivated {
		e.Period = new(1)
	}
	return e
}

// toldPaid is the event of a subscription that has taken a month's money.
func (w *world) toldPaid(s api.Subscription, n int64, period int) internalapi.SubscriptionEvent {
	e := w.told(s, n, internalapi.SubscriptionEventCauseRenewed, internalapi.SubscriptionEventStatusActive)
	e.Period = &period
	return e
}

func (w *world) mustPay(e internalapi.PaymentEvent, want internalapi.EventOutcomeOutcome) {
	w.t.Helper()
	if got, err := w.ApplyPayment(w.t.Context(), e); err != nil || got != want {
		w.t.Fatalf("%s: %q, %v; want %q", e.Type, got, err, want)
	}
}

func (w *world) mustTell(e internalapi.SubscriptionEvent, want internalapi.EventOutcomeOutcome) {
	w.t.Helper()
	if got, err := w.ApplyChange(w.t.Context(), e); err != nil || got != want {
		w.t.Fatalf("%s: %q, %v; want %q", e.Cause, got, err, want)
	}
}

// mailed are the mails that wait in the outbox, as they would be sent now; they go on waiting.
func (w *world) mailed() (sent []mails.Mail) {
	w.t.Helper()
	sender, err := mails.NewSender(mails.Options{DB: w.DB, PublicURL: "https://talkoot.test", Zone: w.Zone, Links: w.Links, Now: w.Now,
		Send: func(_ context.Context, m mails.Mail) error {
			sent = append(sent, m)
			return nil
		}})
	if err != nil {
		w.t.Fatal(err)
	}
	var list []outbox.Message
	if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind LIKE 'mail.%' ORDER BY id`).Scan(&list).Error; err != nil {
		w.t.Fatal(err)
	}
	for _, m := range list {
		if err := sender.Handlers()[m.Kind](w.t.Context(), m); err != nil {
			w.t.Fatalf("%s: %v", m.Kind, err)
		}
	}
	return sent
}

// linksIn are the links in a mail, by what each does.
func (w *world) linksIn(m mails.Mail) map[supportlinks.Act]supportlinks.Link {
	w.t.Helper()
	links := map[supportlinks.Act]supportlinks.Link{}
	for _, token := range regexp.MustCompile(`#token=([A-Z2-7]+)`).FindAllStringSubmatch(m.Text, -1) {
		link, err := supportlinks.Read(w.t.Context(), w.DB, token[1], w.Now())
		if err != nil {
			w.t.Fatal(err)
		}
		links[link.Act] = link
	}
	return links
}

// supporter is one whose first month is paid.
func (w *world) supporter(as int64, amount string, reward int64) api.Subscription {
	w.t.Helper()
	s := w.begins(as, body(amount, reward))
	w.mustPay(w.paid(s, 1), internalapi.EventOutcomeOutcomeApplied)
	w.mustTell(w.told(s, 1, internalapi.SubscriptionEventCauseActivated, internalapi.SubscriptionEventStatusActive), internalapi.EventOutcomeOutcomeApplied)
	return s
}

func (w *world) number(query string, args ...any) (n int64) {
	w.t.Helper()
	if err := w.DB.Raw(query, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) moveStage(to campaigns.Stage) {
	w.t.Helper()
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, w.campaign, to, changes.Actor{Name: "test"}, w.Now())
	})
}

func (w *world) endDue(want int) {
	w.t.Helper()
	if n, err := w.EndDue(w.t.Context()); err != nil || n != want {
		w.t.Fatalf("%d ended, %v; want %d", n, err, want)
	}
}

// totals are what lists show of the campaign.
func (w *world) totals() string {
	w.t.Helper()
	var text string
	err := w.DB.Raw(`SELECT (preview #>> '{subscriptions,subscriptions_subscribers_count}') || ' of ' || (preview #>> '{subscriptions,subscriptions_amount_total}')
		FROM campaign_previews WHERE campaign_id = ? AND language = 'sv'`, w.campaign).Scan(&text).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

// outbox lists the messages of a kind, their payload's field.
func (w *world) outbox(kind, field string) (list []string) {
	w.t.Helper()
	if err := w.DB.Raw(`SELECT coalesce(payload ->> ?, '') FROM outbox WHERE kind = ? ORDER BY id`, field, kind).Scan(&list).Error; err != nil {
		w.t.Fatal(err)
	}
	return list
}

// checkInvariants fails when totals, rewards' supporters or histories are not what the subscriptions say.
func (w *world) checkInvariants() {
	w.t.Helper()
	ctx := context.WithoutCancel(w.t.Context())
	drifts, err := campaigns.Recompute(ctx, w.DB)
	if err != nil || len(drifts) > 0 {
		w.t.Fatalf("totals: %+v, %v", drifts, err)
	}
	stale, err := campaigns.RecomputePreviews(ctx, w.DB)
	if err != nil || len(stale) > 0 {
		w.t.Fatalf("read model: %+v, %v", stale, err)
	}
	for what, query := range map[string]string{
		"supporters of rewards that are not there": `SELECT count(*) FROM rewards r WHERE backers <> (SELECT count(DISTINCT coalesce(user_id::text, nullif(lower(email), ''), erased_with, id)) FROM subscriptions s
			WHERE s.reward_id = r.id AND s.status = 'active')`,
		"histories that end elsewhere": `SELECT count(*) FROM subscriptions s WHERE (status, amount_minor) <>
			(SELECT to_status, amount_minor FROM subscription_transitions x WHERE x.subscription_id = s.id ORDER BY id DESC LIMIT 1)`,
		"histories with a gap": `SELECT count(*) FROM (SELECT from_status, lag(to_status, 1, '') OVER (PARTITION BY subscription_id ORDER BY id) AS before
			FROM subscription_transitions) x WHERE from_status <> before`,
	} {
		if n := w.number(query); n != 0 {
			w.t.Fatalf("%s: %d", what, n)
		}
	}
}
