package mails

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
)

// Kinds of mail about monthly support.
const (
	KindMonthlyReceipt = "mail.monthly_receipt" // a month is paid
	KindMonthlyRefund  = "mail.monthly_refund"  // money of a month was refunded
	KindSubscription   = "mail.subscription"    // what the cause says has happened, or is to happen
)

// SubscriptionMail is the payload of every mail about a subscription; what is not needed is left out. Days are YYYY-MM-DD,
// amounts minor units.
type SubscriptionMail struct {
	SubscriptionID string   `json:"subscription_id"`
	Period         int      `json:"period,omitempty"`   // the month that it is about
	Refund         *Refund  `json:"refund,omitempty"`   // of KindMonthlyRefund
	Cause          string   `json:"cause,omitempty"`    // of KindSubscription: that of the internal contract, or FirstMonthRefused
	Sequence       int64    `json:"sequence,omitempty"` // of its event
	AmountMinor    int64    `json:"amount_minor,omitempty"`
	NextMinor      int64    `json:"next_minor,omitempty"` // of a level that was chosen
	DueMinor       int64    `json:"due_minor,omitempty"`  // what is tried, or will be
	NextChargeOn   string   `json:"next_charge_on,omitempty"`
	PeriodDay      string   `json:"period_day,omitempty"` // of Period
	DayAfter       string   `json:"day_after,omitempty"`  // of the month that is charged after it
	NextTryOn      string   `json:"next_try_on,omitempty"`
	TriesOn        []string `json:"tries_on,omitempty"` // from NextTryOn on
	GivesUpOn      string   `json:"gives_up_on,omitempty"`
	EndsOn         string   `json:"ends_on,omitempty"`
	CardExpires    string   `json:"card_expires,omitempty"` // YYYY-MM
	Method         string   `json:"method,omitempty"`
	EndedBecause   string   `json:"ended_because,omitempty"` // that of the internal contract, or CardsRefused

	LimitMinor      int64 `json:"limit_minor,omitempty"`       // of limit_reached: the spending limit
	LimitTotalMinor int64 `json:"limit_total_minor,omitempty"` // of limit_reached: what the calendar month would come to
	IsUnanswered    bool  `json:"is_unanswered,omitempty"`     // of skipped: the limit had held the month, and nobody answered
}

// CardsRefused is why a subscription ended when the cards of a month's form were refused: the internal contract's unpaid has it
// together with what is not paid in its time.
const CardsRefused = "cards_refused"

// FirstMonthRefused is the cause of the mail that tells of a first month which its bank had for a while: its supporter waits for a receipt.
const FirstMonthRefused = "first_month_refused"

// Subscription is the data of mails about a subscription. Days that are not known are zero.
type Subscription struct {
	Language, FirstName, Email string
	CampaignTitle, CampaignURL string
	Creator                    string
	ReplyTo                    string `gorm:"-"` // see replyTo
	URL                        string // the person's own list, for who signs in
	CalendarURL                string // their money calendar, for who signs in
	OverBecause                string // why it has ended, in the words of package subscriptions; empty while it goes on
	// Links are secret, and each does one thing; by supportlinks.Act.
	Links  map[string]string `gorm:"-"`
	IsLive bool              `gorm:"-"`
	// Running are the monthly supports of the campaign that go on with this address, this one too, and what they come to.
	Running                   int
	RunningMinor              int64
	IsChanging                bool // it ends, or costs another amount, after what is paid
	IsBlocked                 bool `gorm:"-"` // the person cannot sign in any more
	SubscriptionMail          `gorm:"-"`
	Charge                    Charge    `gorm:"-"`
	NextCharge, NextTry, Ends time.Time `gorm:"-"`
	// Month is the one that Links leave out, or pay; After is the charge after it.
	Month, After, GivesUp time.Time   `gorm:"-"`
	HasCome               bool        `gorm:"-"` // the day of Month
	Tries                 []time.Time `gorm:"-"`
	Expires               time.Time   `gorm:"-"` // the last month of the card
}

// Charge is a month that is paid.
type Charge struct {
	Period                int
	PaidAt                time.Time
	Title, TitleLanguage  string // of the reward; empty without one, and where the language is not known
	AmountMinor, VATMinor int64
	VATTenths             int64
	ReceiptNumber, Method string
}

// bought is the name of the reward as the month's receipt has it, and that name's language.
func (s Subscription) bought() (name, language string) { return s.Charge.Title, s.Charge.TitleLanguage }

// deliverSubscription sends one mail about a subscription.
func (s *Sender) deliverSubscription(ctx context.Context, m outbox.Message) error {
	var payload SubscriptionMail
	if err := json.Unmarshal(m.Payload, &payload); err != nil {
		return fmt.Errorf("decode mail %d: %w", m.ID, err)
	}
	about, err := s.subscription(ctx, payload)
	if err != nil {
		return err
	}
	if about.Email == "" { // the supporter has erased their account
		return nil
	}
	if about.Links, err = s.links(ctx, m.Kind, about); err != nil {
		return err
	}
	rendered, err := s.renderer.renderSubscription(m.Kind, about)
	if err != nil {
		return err
	}
	rendered.SubscriptionID, rendered.ReplyTo = payload.SubscriptionID, about.ReplyTo
	return s.send(ctx, m, rendered)
}

// renderSubscription makes the mail of a kind. Names and titles are written so that mail readers make no link of them.
func (r *renderer) renderSubscription(kind string, about Subscription) (Mail, error) {
	about.FirstName, about.Creator = oneLine(profiles.WithoutLinks(about.FirstName)), oneLine(profiles.WithoutLinks(about.Creator))
	about.CampaignTitle = oneLine(profiles.WithoutLinks(about.CampaignTitle))
	return r.fill(kind, about.Language, about.Email, about)
}

// subscription reads what a mail about a subscription says besides its payload.
func (s *Sender) subscription(ctx context.Context, m SubscriptionMail) (Subscription, error) {
	var row struct {
		Subscription
		CampaignID   int64
		Slug, Status string
	}
	db := s.o.DB.WithContext(ctx)
	err := db.Raw(`
		SELECT s.language, s.first_name, s.email, s.status, s.ended_because AS over_because,
		       s.ends_on IS NOT NULL OR s.next_amount_minor IS NOT NULL AS is_changing, v.preview ->> 'title' AS campaign_title,
		       v.preview -> 'creator' ->> 'name' AS creator, c.id AS campaign_id, c.slug, o.running, o.running_minor
		FROM subscriptions s
		CROSS JOIN LATERAL (
			SELECT count(*) AS running, coalesce(sum(amount_minor), 0)::bigint AS running_minor FROM subscriptions
			WHERE campaign_id = s.campaign_id AND lower(email) = lower(s.email) AND currency = s.currency AND status IN ('active', 'past_due', 'paused')) o
		JOIN campaigns c ON c.id = s.campaign_id
		JOIN campaign_previews v ON v.campaign_id = c.id AND v.language = s.language
		WHERE s.id = ?`, m.SubscriptionID).Take(&row).Error
	if err != nil {
		return Subscription{}, fmt.Errorf("read subscription for its mail: %w", err)
	}
	about := row.Subscription
	about.SubscriptionMail = m
	about.IsLive = row.Status != "canceled" && row.Status != "expired"
	about.IsBlocked = about.OverBecause == "person_blocked"
	if about.ReplyTo, err = s.replyTo(ctx, row.CampaignID); err != nil {
		return Subscription{}, err
	}
	about.CampaignURL = fmt.Sprintf("%s%s%d/%s/", s.o.PublicURL, languages.Prefix(about.Language), row.CampaignID, row.Slug)
	about.URL = s.o.PublicURL + languages.Prefix(about.Language) + "profile/me/subscriptions/"
	about.CalendarURL = s.o.PublicURL + languages.Prefix(about.Language) + "profile/me/calendar/"
	about.Tries = make([]time.Time, len(m.TriesOn))
	days := map[*string]*time.Time{&m.NextChargeOn: &about.NextCharge, &m.NextTryOn: &about.NextTry, &m.EndsOn: &about.Ends,
		&m.PeriodDay: &about.Month, &m.DayAfter: &about.After, &m.GivesUpOn: &about.GivesUp}
	for i := range m.TriesOn {
		days[&m.TriesOn[i]] = &about.Tries[i]
	}
	for text, day := range days {
		if err := parse(time.DateOnly, *text, day); err != nil {
			return Subscription{}, err
		}
	}
	if err := parse("2006-01", m.CardExpires, &about.Expires); err != nil {
		return Subscription{}, err
	}
	now := s.o.Now().In(s.o.Zone)
	about.HasCome = hasCome(about.Month, now)
	if today := now.Format(time.DateOnly); m.NextChargeOn < today { // that charge is under way, or has come to nothing meanwhile
		about.NextCharge = time.Time{}
	}
	if m.Period > 0 && m.Cause == "" {
		about.Charge, err = s.charge(ctx, m)
		if !about.Month.IsZero() { // its links are about the month after the one that is paid
			about.Month = monthAfter(about.Month, s.o.Now().In(s.o.Zone))
		}
	}
	return about, err
}

// monthAfter is the day of the month after one that is paid, as early as it can be; zero if that has come. A month may be
// paid so late that the one after it is left out, and then nothing is to be chosen of it.
func monthAfter(paid, now time.Time) time.Time {
	first := time.Date(paid.Year(), paid.Month()+1, 1, 0, 0, 0, 0, time.UTC)
	after := first.AddDate(0, 0, min(paid.Day(), first.AddDate(0, 1, -1).Day())-1)
	if hasCome(after, now) {
		return time.Time{}
	}
	return after
}

// hasCome reports whether a day, midnight UTC, is one that now is in, or has passed; one that is not known has not.
func hasCome(day, now time.Time) bool {
	return !day.IsZero() && !day.After(time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, time.UTC))
}

// charge reads a paid month; money that was not accepted has none.
func (s *Sender) charge(ctx context.Context, m SubscriptionMail) (Charge, error) {
	var c Charge
	err := s.o.DB.WithContext(ctx).Raw(`
		SELECT period, paid_at, title, title_language, amount_minor, vat_minor, vat_tenths, receipt_number, payment_method AS method
		FROM subscription_charges WHERE subscription_id = ? AND period = ?`, m.SubscriptionID, m.Period).Take(&c).Error
	if err != nil && !errors.Is(err, gorm.ErrRecordNotFound) {
		return Charge{}, fmt.Errorf("read a paid month for its mail: %w", err)
	}
	c.PaidAt = c.PaidAt.In(s.o.Zone)
	return c, nil
}

func parse(layout, text string, into *time.Time) (err error) {
	if text == "" {
		return nil
	}
	if *into, err = time.Parse(layout, text); err != nil {
		return fmt.Errorf("read the day of a mail: %w", err)
	}
	return nil
}
