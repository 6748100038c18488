//go:build unix

package personaldata_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/person/people"
	"talkoot.fi/content/internal/person/personaldata"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/pledging/subscriptions"
)

// marks are words that only Aamu's data have, each in all its forms.
var marks = []string{"aamunkoi", "tuulenpes", "kaarnakuja", "vasarasalaisuus", "lumikkojen", "5011122", "puukengät", "aamu-kuva"}

const address = "aamu@tuulenpesa.example"

// world has Aamu, who has done all that somebody can do.
type world struct {
	*contenttest.World
	*personaldata.Service
	t        *testing.T
	accounts *sessions.Service
	support  *pledges.Service
	// open is a campaign in funding of somebody else's; draft and experiment are Aamu's alone, shared and laboratory
	// those of two.
	aamu, other                    int64
	open, draft, over, shared      int64
	experiment, laboratory, reward int64
	post                           int64
	sent                           int // pictures
	receipt                        string
	limits, tax                    string // of Aamu, as the payment service answers; when empty it does not
	decided                        []string
	isAway                         bool // the payment service, of disputes
	payments                       *paymentsclient.Client
}

// RoundTrip answers for the payment service.
func (w *world) RoundTrip(r *http.Request) (*http.Response, error) {
	answerWith := func(text string) (*http.Response, error) {
		return &http.Response{StatusCode: http.StatusOK, Body: io.NopCloser(strings.NewReader(text)), Request: r}, nil
	}
	if id, isTax := strings.CutPrefix(r.URL.Path, "/internal/tax-data/"); isTax && w.tax != "" {
		if id == jsonOf(w.aamu) {
			return answerWith(w.tax)
		}
		return answerWith(`{"reported": []}`)
	}
	if r.URL.Path == "/internal/disputes/decided" && !w.isAway {
		var question paymentsclient.DecidedDisputes
		if err := json.NewDecoder(r.Body).Decode(&question); err != nil {
			return nil, err
		}
		return answerWith(jsonOf(paymentsclient.DecidedDisputes{PaymentIds: slices.DeleteFunc(question.PaymentIds, func(id string) bool {
			return !slices.Contains(w.decided, id)
		})}))
	}
	id, found := strings.CutPrefix(r.URL.Path, "/internal/spending-limits/")
	if !found || w.limits == "" {
		return nil, fmt.Errorf("nobody answers %s", r.URL)
	}
	answer := `{"spending_limits": []}`
	if id == jsonOf(w.aamu) {
		answer = w.limits
	}
	return answerWith(answer)
}

func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{World: contenttest.New(t), t: t,
		limits: `{"spending_limits": [{"currency": "EUR", "amount_minor": 4050, "counts_pledges": true}]}`,
		tax:    `{"said": {"kind": "person", "first_name": "Aamunkoi", "tin": {"country": "FI", "number": "131052-308T"}}, "reported": [{"year": 2026, "quarters": []}]}`}
	_, key, err := ed25519.GenerateKey(nil)
	if err != nil {
		t.Fatal(err)
	}
	signer := session.NewSigner(key, w.Now)
	steps, err := secondstep.New(secondstep.Options{DB: w.DB, Now: w.Now, Keys: sessions.SealsOf(signer), PublicURL: "https://talkoot.test"})
	if err != nil {
		t.Fatal(err)
	}
	w.accounts = sessions.New(w.DB, signer, steps, people.Empty, w.Now)
	w.support = pledges.New(pledges.Options{DB: w.DB, Log: slog.New(slog.DiscardHandler), Now: w.Now, Zone: w.Zone, Hold: 30 * time.Minute,
		FirstHold: 5 * time.Minute, VisitorHasher: w.VisitorHasher})
	payments, err := closing.NewClient(closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(strings.Repeat("s", 32)),
		Now: w.Now, Transport: w})
	if err != nil {
		t.Fatal(err)
	}
	w.payments = payments
	w.Service = personaldata.New(personaldata.Options{DB: w.DB, Now: w.Now, Pledges: w.support, Monthly: w.Subscriptions,
		Sessions: w.accounts, Payments: payments})
	return w
}

// register makes an account through the front door.
func (w *world) register(email string) int64 {
	w.t.Helper()
	p, err := w.accounts.Register(w.t.Context(), sessions.Registration{Email: email, Password: "seitsemän harmaata kiveä",
		FirstName: "Aamunkoitto", LastName: "Tuulenpesä", Language: "fi"}, sessions.Origin{Agent: "Aamunkoin selain"})
	if err != nil {
		w.t.Fatal(err)
	}
	return p.ID
}

// withAamu makes Aamu and everything of hers.
func withAamu(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	category, tag := w.Category("kyla"), w.Tag("tag")
	w.other = w.Person("Reijo")
	w.aamu = w.register(address)
	w.Exec(`UPDATE users SET verified = true, short_description = 'Lumikkojen ystävä', long_description = 'Lumikkojen', phone = '+358 5011122 33',
		image = 'aamu-kuva.jpg', links = '[{"url": "https://tuulenpesa.example", "title": "Lumikkojen koti"}]', skills = '{puukengät}' WHERE id = ?`, w.aamu)
	texts := func(title string) map[string]campaigns.Text {
		return map[string]campaigns.Text{"fi": {Title: title, AboutCreator: "Lumikkojen kylästä"}}
	}
	campaign := func(slug string, stage campaigns.Stage, team ...int64) int64 {
		return w.Campaign(campaigns.New{Slug: slug, Language: "fi", CategoryID: category, TeamUserIDs: team, TargetGoalMinor: 24_000_00,
			FirstDay: "2026-11-01", LastDay: "2026-11-30", Texts: texts(slug)}, stage)
	}
	w.open = campaign("hoyry", campaigns.StageFunding, w.other)
	monthly := campaign("kuoro", campaigns.StageRecurring, w.other)
	w.draft = campaign("luonnos", campaigns.StageDraft, w.aamu)
	w.over = campaign("ohi", campaigns.StageNotReached, w.aamu)
	w.shared = campaign("yhteinen", campaigns.StageDraft, w.aamu, w.other)
	w.Exec(`UPDATE campaigns SET contact_email = ?, legal_creator = 'Aamunkoitto Tuulenpesä', creator_pic = 'aamu-kuva2.jpg',
		external_link_1 = 'https://tuulenpesa.example', payment_account_id = 'acct_tuulenpesa' WHERE id IN ?`, address, []int64{w.over, w.draft})
	w.Exec(`UPDATE campaigns SET contact_email = ?, external_link_1 = 'https://tuulenpesa.example' WHERE id = ?`, address, w.shared)
	w.Exec(`UPDATE campaign_texts SET about_creator = '' WHERE campaign_id IN ?`, []int64{w.open, monthly}) // others' words
	w.Exec(`UPDATE reviewed_parts SET parts = campaign_parts(campaign_id) WHERE campaign_id IN ?`, []int64{w.open, monthly})
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		for _, id := range []int64{w.open, w.over, w.shared, monthly} {
			if err := campaigns.RefreshPreviews(ctx, tx, id); err != nil {
				return err
			}
		}
		for into, team := range map[*int64][]int64{&w.experiment: {w.aamu}, &w.laboratory: {w.aamu, w.other}} {
			*into, err = experiments.Create(ctx, tx, experiments.New{Slug: "koe", Language: "fi", TeamUserIDs: team, ShowIn: map[string]bool{"index": true},
				Texts: map[string]experiments.Text{"fi": {Title: "Koe"}}}, w.Now())
			if err != nil {
				return err
			}
		}
		w.reward, err = rewards.Create(ctx, tx, rewards.New{CampaignID: w.open, AmountMinor: 45_00, Stock: 100, Active: true,
			Texts: map[string]rewards.Text{"fi": {Title: "Iltavuoro", Questions: rewards.QuestionTexts{"ask_for_address", "Nimi kauhaan?"}}}}, w.Now())
		return err
	})
	w.Exec(`INSERT INTO experiment_tags SELECT ?, ?`, w.experiment, tag)
	w.Exec(`INSERT INTO user_tags SELECT ?, ?`, w.aamu, tag)
	w.Exec(`INSERT INTO passkeys (user_id, credential_id, credential, name, added_at) VALUES (?, 'x', '{}', 'Aamunkoin puhelin', now())`, w.aamu)
	w.Exec(`INSERT INTO backup_codes VALUES (?, 'x')`, w.aamu)
	w.Exec(`INSERT INTO email_verifications VALUES ('x', ?, ?, now(), now() + interval '1 day')`, w.aamu, address)
	w.Exec(`INSERT INTO password_resets VALUES ('x', ?, ?, now(), now() + interval '1 day')`, w.aamu, address)
	w.Exec(`INSERT INTO upload_totals VALUES (?, now(), 5)`, w.aamu)
	w.Exec(`INSERT INTO calendar_feeds VALUES (?)`, w.aamu)
	w.Exec(`INSERT INTO payout_accounts VALUES (?, 'stripe', 'acct_tuulenpesa')`, w.aamu)
	w.Exec(`INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at) VALUES (?, ?, ?, now(), now() + interval '9 days')`, w.open, address, w.other)
	w.Exec(`INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at) VALUES (?, 'kuka@example.fi', ?, now(), now() + interval '9 days')`, w.shared, w.aamu)
	w.Exec(`INSERT INTO experiment_invitations (experiment_id, user_id, as_owner, invited_by, invited_at, expires_at) VALUES (?, ?, true, ?, now(), now() + interval '9 days')`, w.laboratory, w.other, w.aamu)
	w.Exec(`INSERT INTO outbox (kind, payload) VALUES ('mail.password_reset', jsonb_build_object('email', CAST(? AS text)))`, address)
	w.Exec(`INSERT INTO payment_reminders (campaign_id, email, language, created_at) VALUES (?, ?, 'fi', now())`, w.open, address)
	w.Exec(`INSERT INTO reminder_refusals SELECT ?, sha256(convert_to(?, 'UTF8')), now()`, w.open, address)
	w.postOf(w.shared)
	w.like()
	w.receipt = w.pay(w.pledge(w.aamu, address))
	w.Exec(`INSERT INTO claims (id, reference, pledge_id, campaign_id, kind, state, waits_from, created_at, updated_at)
		SELECT '01JDCLA1M00000000000000000', 'H-1', id, campaign_id, 'other', 'agreed', now(), now(), now() FROM pledges WHERE receipt_number = ?`, w.receipt)
	w.Exec(`INSERT INTO claim_messages (claim_id, at, role, act, from_state, to_state, text, user_id) VALUES
		('01JDCLA1M00000000000000000', now(), 'backer', 'make', '', 'open', 'Kaarnakujalle ei tullut mitään', NULL),
		('01JDCLA1M00000000000000000', now(), 'creator', 'message', 'open', 'open', 'Terveisin Aamunkoitto', ?)`, w.aamu)
	w.Exec(`INSERT INTO agreed_refunds (id, pledge_id, campaign_id, reason, amount_minor, currency, user_id, note, created_at)
		SELECT id, id, campaign_id, 'by_creator', 100, 'EUR', ?, 'Kaarnakujan postikulut', now() FROM pledges WHERE receipt_number = ?`, w.aamu, w.receipt)
	w.pay(w.pledge(0, address))
	w.pledge(w.aamu, "aamunkoitto@toinen.example") // waits for its payment
	w.subscribe(monthly)
	w.Exec(`INSERT INTO subscription_links SELECT 'x', id, 'cancel', 0, now(), now() + interval '45 days' FROM subscriptions WHERE user_id = ?`, w.aamu)
	if answer := w.Patch("/users/me/profile", `{"first_name": "Aamunkoitto-Ilona", "meta": {"phone": "+358 5011122 34"}}`, w.aamu); answer.Status != 200 {
		t.Fatal(answer.Status)
	}
	link := `{"external_link_1": "https://tuulenpesa.example/luonnos"}`
	if answer := w.Patch(fmt.Sprintf("/campaigns/%d/meta/", w.draft), link, w.aamu); answer.Status != 200 {
		t.Fatal(answer.Status, string(answer.Body))
	}
	return w
}

func (w *world) postOf(campaign int64) {
	w.t.Helper()
	w.post = w.number(`INSERT INTO posts (campaign_id, author_id, language, created_at, status, published_at) VALUES (?, ?, 'fi', now(), 'published', now()) RETURNING id`,
		campaign, w.aamu)
	w.Exec(`INSERT INTO post_texts (post_id, language, title, story, html) VALUES (?, 'fi', 'Kuulumisia', '{}', '<p>Sauna lämpiää</p>')`, w.post)
}

func (w *world) like() {
	w.t.Helper()
	if _, err := campaigns.Likes().Like(w.t.Context(), w.DB, w.open, w.aamu, w.Now()); err != nil {
		w.t.Fatal(err)
	}
	if _, err := experiments.Likes().Like(w.t.Context(), w.DB, w.laboratory, w.aamu, w.Now()); err != nil {
		w.t.Fatal(err)
	}
}

// pledge makes one with an address and an answer; without a person when userID is 0.
func (w *world) pledge(userID int64, email string) pledges.View {
	w.t.Helper()
	in := pledges.Input{CampaignID: w.open, RewardID: &w.reward, Amount: json.Number("45"), Language: "fi", OnceMore: true, Visitor: fmt.Sprintf("visitor-%d", userID),
		Meta: pledges.Meta{Email: email, FirstName: "Aamunkoitto", LastName: "Tuulenpesä", Street: "Kaarnakuja 7", Postcode: "33100",
			City: "Tampere", Country: "FI", Phone: "+358 5011122 33", Answers: map[string]string{"custom_question_2": "Vasarasalaisuus"}}}
	if userID != 0 {
		in.UserID = &userID
	}
	view, err := w.support.Create(w.t.Context(), in)
	if err != nil {
		w.t.Fatal(err)
	}
	return view
}

// subscribe makes monthly support whose first month is paid.
func (w *world) subscribe(campaign int64) {
	w.t.Helper()
	made, err := w.Subscriptions.Create(w.t.Context(), subscriptions.Input{CampaignID: campaign, UserID: &w.aamu, Amount: "7", Visitor: "visitor-monthly",
		Person: subscriptions.Person{Email: address, FirstName: "Aamunkoitto", LastName: "Tuulenpesä", Language: "fi"}})
	if err != nil {
		w.t.Fatal(err)
	}
	period, day := 1, types.Date{Time: w.Now()}
	outcome, err := w.Subscriptions.ApplyPayment(w.t.Context(), internalapi.PaymentEvent{EventID: "month 1", Sequence: 1, Type: internalapi.PaymentSucceeded,
		SubjectKind: internalapi.Subscription, SubjectID: made.ID, PaymentID: "pay-month-1", AmountMinor: 7_00, Currency: "EUR", Period: &period, PeriodDay: &day,
		OccurredAt: w.Now()})
	if err == nil && outcome == internalapi.EventOutcomeOutcomeApplied {
		outcome, err = w.Subscriptions.ApplyChange(w.t.Context(), internalapi.SubscriptionEvent{EventID: "told 1", Sequence: 1, SubscriptionID: made.ID,
			Cause: internalapi.SubscriptionEventCauseActivated, Status: internalapi.SubscriptionEventStatusActive, AmountMinor: 7_00, Currency: "EUR",
			Period: &period, PeriodDay: &day, OccurredAt: w.Now()})
	}
	if err != nil || outcome != internalapi.EventOutcomeOutcomeApplied {
		w.t.Fatal(outcome, err)
	}
}

// pay pays a pledge and returns its receipt's number.
func (w *world) pay(p pledges.View) string {
	w.t.Helper()
	w.apply(p, pledges.PaymentSucceeded)
	paid, err := w.support.View(w.t.Context(), p.ID, "fi")
	if err != nil || paid.ReceiptNumber == "" {
		w.t.Fatal(paid.Status, err)
	}
	return paid.ReceiptNumber
}

func (w *world) apply(p pledges.View, kind pledges.EventType) {
	w.t.Helper()
	e := pledges.Event{ID: fmt.Sprintf("%s %s", kind, p.ID), Sequence: w.number(`SELECT count(*) + 1 FROM payment_events`), Type: kind, PledgeID: p.ID,
		PaymentID: "pay-" + p.ID, Amount: p.Amount, Method: "Visa ···· 4242", Body: []byte(`{}`)}
	if kind == pledges.PaymentRefunded {
		e.RefundMinor, e.RefundedMinor, e.RefundReason = p.Amount.Minor, p.Amount.Minor, "requested"
	}
	if outcome, err := w.support.Apply(w.t.Context(), e); err != nil || outcome != pledges.Applied {
		w.t.Fatal(kind, outcome, err)
	}
}

func (w *world) number(query string, args ...any) (n int64) {
	w.t.Helper()
	if err := w.DB.Raw(query, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

// rows are all rows of the database as text, by table.
func (w *world) rows() map[string][]string {
	w.t.Helper()
	var tables []string
	if err := w.DB.Raw(`SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`).Scan(&tables).Error; err != nil {
		w.t.Fatal(err)
	}
	all := map[string][]string{}
	for _, table := range tables {
		var rows []string
		if err := w.DB.Raw(`SELECT CAST(to_jsonb(x) AS text) AS row FROM ` + table + ` x ORDER BY 1`).Scan(&rows).Error; err != nil {
			w.t.Fatal(err)
		}
		all[table] = rows
	}
	return all
}

// named are the tables with a row in which a mark occurs, with the first such row.
func (w *world) named(marks ...string) map[string]string {
	found := map[string]string{}
	for table, rows := range w.rows() {
		for _, row := range rows {
			for _, mark := range marks {
				if strings.Contains(strings.ToLower(row), mark) {
					found[table] = mark + ": " + row
				}
			}
		}
	}
	return found
}

// export is Aamu's file.
func (w *world) export() string {
	w.t.Helper()
	file, err := w.Export(w.t.Context(), w.aamu, "fi")
	if err != nil {
		w.t.Fatal(err)
	}
	answer := httptest.NewRecorder()
	if err := file.VisitOwnDataResponse(answer); err != nil {
		w.t.Fatal(err)
	}
	return answer.Body.String()
}
