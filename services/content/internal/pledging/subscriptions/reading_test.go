//go:build unix

package subscriptions_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/oapi-codegen/runtime/types"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/pledging/supportlinks"
)

func TestBackers_OfAMonthlyCampaignAreItsSupporters(t *testing.T) {
	w := setup(t)
	w.supporter(0, "10", 0)
	w.Advance(24 * time.Hour)
	leena := w.Person("Leena")
	hidden := w.supporter(leena, "5", 0)
	w.Post("/v2/subscriptions/"+hidden.SubscriptionID+"/", `{"subscription_meta": {"anonymous": true}}`, leena)
	w.begins(0, body("3", 0)) // not paid
	gone := w.supporter(0, "4", 0)
	w.mustTell(w.told(gone, 2, internalapi.SubscriptionEventCausePaused, paused), taken)
	var a api.BackersAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/backers/", w.campaign), 0).JSON(&a)
	if len(a.Previews) != 2 || a.Total != 2 || !a.Previews[0].Anonymous || a.Previews[0].Name != "" || a.Previews[1].Name != "Leena H" ||
		int64(*a.Previews[1].Amount) != 10_00 {
		t.Errorf("%+v", a)
	}
}

// A goal is of people: who supports twice gives more and is one.
func TestTotals_CountPeople_HoweverOftenTheySupport(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	first, second := w.supporter(leena, "10", w.choir), w.supporter(leena, "12", w.choir)
	w.supporter(0, "5", 0)
	totals := func(want string) {
		t.Helper()
		if got := w.totals(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
		w.checkInvariants()
	}
	totals("2 of 27")
	var a api.BackersAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/backers/", w.campaign), 0).JSON(&a)
	if len(a.Previews) != 2 || a.Total != 2 || int64(*a.Previews[0].Amount)+int64(*a.Previews[1].Amount) != 27_00 {
		t.Errorf("%+v", a)
	}
	w.mustTell(w.told(first, 2, internalapi.SubscriptionEventCausePaused, paused), taken)
	totals("2 of 17")
	w.mustTell(w.told(second, 2, internalapi.SubscriptionEventCausePaused, paused), taken)
	totals("1 of 5")
}

func TestPosts_ForBackersAreReadWhileSupportIsPaid(t *testing.T) {
	w := setup(t)
	leena, stranger := w.Person("Leena"), w.Person("Muu")
	s := w.supporter(leena, "10", 0)
	w.Exec(`WITH p AS (INSERT INTO posts (campaign_id, author_id, status, level, language, created_at, published_at)
		SELECT ?, ?, 'published', level, 'fi', now(), now() FROM unnest(ARRAY[1, 10, 11]) AS level RETURNING id, level)
		INSERT INTO post_texts (post_id, language, title, html, story) SELECT id, 'fi', 'Taso ' || level, '<p>x</p>', '{}' FROM p`, w.campaign, w.creator)
	open := func(who int64) (titles string) {
		t.Helper()
		var a api.PostsAnswer
		w.Get(fmt.Sprintf("/campaigns/%d/posts/", w.campaign), who).JSON(&a)
		for _, p := range a.Posts {
			if !p.Restricted {
				titles += p.Title + "; "
			}
		}
		return titles
	}
	if got := open(leena); strings.Count(got, ";") != 2 || strings.Contains(got, "11") {
		t.Errorf("a supporter reads %s", got)
	}
	if got := open(stranger); got != "" {
		t.Errorf("a stranger reads %s", got)
	}
	over := w.told(s, 2, internalapi.SubscriptionEventCauseCanceled, canceled)
	until := types.Date{Time: w.Now().AddDate(0, 0, 10)}
	over.PaidUntil = &until
	w.mustTell(over, taken)
	if got := open(leena); strings.Count(got, ";") != 2 {
		t.Errorf("until what is paid has run out, they read %s", got)
	}
	w.Advance(11 * 24 * time.Hour)
	if got := open(leena); got != "" {
		t.Errorf("afterwards they read %s", got)
	}
}

func TestUnknownID_IsNotFoundByEveryCall(t *testing.T) {
	w := setup(t)
	for _, id := range []string{"00000000000000000000000001", "nobodys", strings.Repeat("z", 26)} {
		if got := w.Get("/v2/subscriptions/"+id+"/", 0).Status; got != 404 {
			t.Errorf("read %s: %d", id, got)
		}
		if got := w.Post("/v2/subscriptions/"+id+"/", `{"first_name": "A"}`, 0).Status; got != 404 {
			t.Errorf("correct %s: %d", id, got)
		}
		if _, err := w.Order(t.Context(), id); !errors.Is(err, subscriptions.ErrUnknown) {
			t.Errorf("order of %s: %v", id, err)
		}
		if _, err := w.Level(t.Context(), id, 5_00, nil); !errors.Is(err, subscriptions.ErrUnknown) {
			t.Errorf("level of %s: %v", id, err)
		}
	}
}

func TestReceipts_AreNumberedPastTheMillionth(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", 0)
	w.Exec(`SELECT setval('subscription_receipt_numbers', 999999)`)
	for period := 2; period <= 4; period++ {
		w.mustPay(w.paid(s, period), taken)
	}
	if n := w.number(`SELECT count(*) FROM subscription_charges WHERE receipt_number ~ '^TM-\d{4}-100000[012]$'`); n != 3 {
		t.Errorf("%d receipts have their numbers", n)
	}
}

func TestMerge_SupportGoesOnInTheOtherAccount(t *testing.T) {
	w := setup(t)
	before, after := w.Person("Leena"), w.Person("Leena")
	s := w.supporter(before, "10", 0)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		ids, err := subscriptions.Merge(ctx, tx, before, after)
		if len(ids) != 1 || ids[0] != s.SubscriptionID {
			t.Errorf("it says that %q have moved", ids)
		}
		return err
	})
	if n := w.number(`SELECT count(*) FROM subscriptions WHERE user_id = ?`, after); n != 1 {
		t.Errorf("%d subscriptions have come", n)
	}
	w.mustPay(w.paid(s, 2), taken)
}

func TestErase_EndsSupportAndKeepsItsReceipts(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s, waits := w.supporter(leena, "10", 0), w.begins(leena, body("5", 0))
	month := w.paid(s, 2)
	w.mustPay(month, taken)
	w.mustPay(of(month, internalapi.PaymentDisputed, 0), taken)
	erase := func(decided ...string) (e subscriptions.Erased, err error) {
		return e, dbx.InTx(t.Context(), w.DB, func(tx *gorm.DB) (err error) {
			held, err := w.Lock(t.Context(), tx, leena, "", decided)
			if err == nil {
				e, err = w.Erase(t.Context(), tx, held)
			}
			return err
		})
	}
	if _, err := erase(); !errors.Is(err, subscriptions.ErrUndecided) {
		t.Fatalf("while a bank decides: %v", err)
	}
	if k, err := w.KeptOf(t.Context(), leena, "", nil, "fi"); err != nil || k.Receipts != 2 || len(k.Undecided) != 1 || k.Until.Year() != 2032 {
		t.Errorf("%+v, %v", k, err)
	}
	if ids, err := w.Contested(t.Context(), leena, ""); err != nil || len(ids) != 1 || ids[0] != month.PaymentID {
		t.Errorf("banks have %q, %v", ids, err)
	}
	e, err := erase(month.PaymentID) // which its bank has decided to keep
	if err != nil || len(e.IDs) != 2 || e.Receipts != 2 {
		t.Fatalf("%+v, %v", e, err)
	}
	for id, want := range map[string]api.SubscriptionStatus{s.SubscriptionID: api.SubscriptionStatusCanceled, waits.SubscriptionID: api.SubscriptionStatusExpired} {
		if got := w.read(id); got.Status != want || got.FirstName != "" || got.Email != nil || *got.EndedBecause != "person_erased" || got.NameShown != api.Anonymous {
			t.Errorf("%+v", got)
		}
	}
	if sent := w.outbox("payment.close", "reason"); fmt.Sprint(sent) != "[person_erased person_erased]" {
		t.Errorf("closing messages %v", sent)
	}
	number := w.read(s.SubscriptionID).Charges[0].ReceiptNumber
	if k, err := subscriptions.ReadKeptReceipt(t.Context(), w.DB, number); err != nil || k.FirstName != "Leena" || k.KeepUntil.Format(time.DateOnly) != "2032-12-31" {
		t.Errorf("%+v, %v", k, err)
	}
	// Money that goes back in another year keeps the name for that year too; then it goes.
	w.Advance(50 * 24 * time.Hour)
	w.mustPay(of(month, internalapi.PaymentRefunded, 10_00), taken)
	if k, err := subscriptions.ReadKeptReceipt(t.Context(), w.DB, number); err != nil || k.KeepUntil.Year() != 2033 {
		t.Errorf("%+v, %v", k, err)
	}
	w.Advance(7 * 366 * 24 * time.Hour)
	if err := w.PruneReceipts(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n := w.number(`SELECT count(*) FROM kept_subscription_receipts`); n != 0 {
		t.Errorf("%d names are kept", n)
	}
	w.checkInvariants()
}

// Every mail that an event causes can be sent, and none to who has erased their account.
func TestMails_AreSentWithWhatTheEventSaid(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	failed := w.told(s, 2, internalapi.SubscriptionEventCauseChargeFailed, active)
	due, again := int64(10_00), types.Date{Time: w.Now().AddDate(0, 0, 2)}
	failed.DueAmountMinor, failed.NextTryOn, failed.Period, failed.PeriodDay = &due, &again, new(2), &types.Date{Time: w.Now()}
	w.mustTell(failed, taken)
	w.mustPay(of(w.paid(s, 1), internalapi.PaymentRefunded, 4_00), taken)
	sent := w.mailed()
	for i, want := range []string{"TM-2026-000001", "Kokeilemme samaa korttia uudelleen 22.11.2026", "4,00"} {
		if i >= len(sent) || !strings.Contains(sent[i].Text, want) ||
			strings.Contains(sent[i].Text+sent[i].HTML, s.SubscriptionID) || sent[i].SubscriptionID != s.SubscriptionID {
			t.Fatalf("mail %d of %+v", i, sent)
		}
	}
	// A forwarded mail has no key to the subscription, only links that do one thing each.
	linked := map[supportlinks.Act]int{}
	for _, token := range regexp.MustCompile(`#token=([A-Z2-7]+)`).FindAllStringSubmatch(sent[1].Text, -1) {
		link, err := supportlinks.Read(t.Context(), w.DB, token[1], w.Now())
		if err != nil || link.SubscriptionID != s.SubscriptionID {
			t.Errorf("%+v, %v", link, err)
		}
		linked[link.Act] = link.Period
		if _, err := supportlinks.Read(t.Context(), w.DB, token[1], w.Now().Add(46*24*time.Hour)); !errors.Is(err, supportlinks.ErrLink) {
			t.Errorf("after its time the link gives %v", err)
		}
	}
	if want := map[supportlinks.Act]int{supportlinks.Pay: 2, supportlinks.Skip: 2, supportlinks.Pause: 2, supportlinks.Cancel: 0}; !maps.Equal(linked, want) {
		t.Errorf("the mail links %v, want %v", linked, want)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE CAST(payload AS text) LIKE '%token%'`); n != 0 {
		t.Errorf("%d mails keep a token", n)
	}
	w.Exec(`UPDATE subscriptions SET email = ''`)
	if sent = w.mailed(); len(sent) != 0 {
		t.Errorf("%d mails to nobody", len(sent))
	}
}

// The link to a receipt shows that month alone, for its time; no other link shows it, and a person who is erased has none.
func TestLinkedReceipt_ShowsOneMonth(t *testing.T) {
	w := setup(t)
	s := w.supporter(0, "10", w.choir)
	token := func(act supportlinks.Act, period int) string {
		t.Helper()
		made, err := supportlinks.Issue(t.Context(), w.DB, supportlinks.Link{SubscriptionID: s.SubscriptionID, Act: act, Period: period}, w.Now())
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	receipt := token(supportlinks.Receipt, 1)
	for range 2 {
		if view, charge, err := w.LinkedReceipt(t.Context(), receipt, "sv"); err != nil || charge.ReceiptNumber != "TM-2026-000001" || len(view.Preview) == 0 {
			t.Fatalf("%+v, %v", charge, err)
		}
	}
	for _, foreign := range []string{token(supportlinks.Skip, 1), token(supportlinks.Receipt, 2), "KEKSITTY"} {
		if _, _, err := w.LinkedReceipt(t.Context(), foreign, "fi"); !errors.Is(err, supportlinks.ErrLink) {
			t.Errorf("%v", err)
		}
	}
	w.Advance(46 * 24 * time.Hour)
	if _, _, err := w.LinkedReceipt(t.Context(), receipt, "fi"); !errors.Is(err, supportlinks.ErrLink) {
		t.Errorf("too late: %v", err)
	}
	if err := supportlinks.Prune(t.Context(), w.DB, w.Now()); err != nil || w.number(`SELECT count(*) FROM subscription_links`) != 0 {
		t.Errorf("links are kept, %v", err)
	}
}
