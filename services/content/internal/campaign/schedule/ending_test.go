package schedule_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/paymentsclient"
	"talkoot.fi/content/internal/pledging/closing"
)

// world has campaigns of one creator, whose last day is 2026-11-30, and a payment service that says how they stand.
type world struct {
	*contenttest.World
	t        *testing.T
	creator  int64
	category int64
	payments *paymentsclient.Client
	standing atomic.Value // what the payment service answers
	pledges  int
}

const quiet = `{"is_open": false, "is_processing": false, "is_untold": false}`

// over is an hour after the last second of the campaigns' last day in Helsinki.
var over = time.Date(2026, 11, 30, 23, 0, 1, 0, time.UTC)

func setup(t *testing.T) *world {
	w := &world{World: contenttest.New(t), t: t}
	w.standing.Store(quiet)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, _ *http.Request) {
		_, _ = rw.Write([]byte(w.standing.Load().(string)))
	}))
	t.Cleanup(server.Close)
	var err error
	w.payments, err = closing.NewClient(closing.ClientConfig{URL: server.URL, Secret: []byte("a secret of at least thirty-two bytes"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	w.creator, w.category = w.Person("Pekka"), w.Category("yhteiso")
	return w
}

// campaign makes one with a goal of 100 € that takes pledges.
func (w *world) campaign(rule campaigns.FundingRule) int64 {
	w.pledges++
	return w.Campaign(campaigns.New{Slug: fmt.Sprintf("katto-%d", w.pledges), Language: "fi", CategoryID: w.category, TeamUserIDs: []int64{w.creator},
		TargetGoalMinor: 200_00, MinGoalMinor: 100_00, FundingRule: rule, FirstDay: "2026-11-01", LastDay: "2026-11-30",
		Texts: map[string]campaigns.Text{"fi": {Title: "Katto"}}}, campaigns.StageFunding)
}

// pledge writes one of a status as it is kept, with the campaign's totals.
func (w *world) pledge(campaignID int64, status string, minor, refundedMinor int64) {
	w.pledges++
	id := fmt.Sprintf("01JD%022d", w.pledges)
	w.Exec(`INSERT INTO pledges (id, campaign_id, status, amount_minor, amount_refunded_minor, currency, quantity, lines, email, first_name, last_name,
			language, reserved_until, created_at, updated_at, paid_at, receipt_number)
		SELECT @id, @campaign, CAST(@status AS text), @minor, @refunded, 'EUR', 1, '[]', 'a@example.fi', 'A', 'B', 'fi', @at, @at, @at, paid.at, paid.receipt
		FROM (SELECT) one LEFT JOIN (SELECT CAST(@at AS timestamptz) AS at, @id AS receipt) paid ON @status IN ('paid', 'partly_refunded', 'disputed', 'refunded')`,
		map[string]any{"id": id, "campaign": campaignID, "status": status, "minor": minor, "refunded": refundedMinor, "at": over.Add(-time.Hour)})
	w.Exec(`UPDATE campaign_totals SET
			funding_reached_minor = (SELECT coalesce(sum(amount_minor - amount_refunded_minor), 0) FROM pledges WHERE campaign_id = @id AND status IN ('paid', 'partly_refunded')),
			funding_settling_minor = (SELECT coalesce(sum(amount_minor), 0) FROM pledges WHERE campaign_id = @id AND status = 'processing')
		WHERE campaign_id = @id`, map[string]any{"id": campaignID})
}

func (w *world) endDue(now time.Time) int {
	w.t.Helper()
	n, err := schedule.EndDue(w.t.Context(), w.DB, w.payments, now)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

// text is how a campaign stands: its stage and, when it has ended, how.
func (w *world) text(campaignID int64) (text string) {
	w.t.Helper()
	err := w.DB.Raw(`SELECT concat_ws(' ', c.stage, e.outcome, e.goes_to, e.accepted, e.accepted_minor) FROM campaigns c
		LEFT JOIN campaign_endings e ON e.campaign_id = c.id WHERE c.id = ?`, campaignID).Scan(&text).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func TestEndDue_EndsByTheRuleAndCountsWhatIsUncontested(t *testing.T) {
	w := setup(t)
	want := map[int64]string{}
	for _, c := range []struct {
		rule    campaigns.FundingRule
		pledges map[string]int64 // by status
		want    string
	}{
		{campaigns.AllOrNothing, map[string]int64{"paid": 100_00}, "3 reached creator 1 10000"},
		{campaigns.AllOrNothing, map[string]int64{"paid": 99_99}, "4 not_reached backers 1 9999"},
		{campaigns.AllOrNothing, map[string]int64{"paid": 99_99, "disputed": 50_00, "expired": 20_00, "failed": 20_00}, "4 not_reached backers 1 9999"},
		{campaigns.KeepWhatIsRaised, map[string]int64{"paid": 10_00}, "4 not_reached creator 1 1000"},
		{campaigns.KeepWhatIsRaised, map[string]int64{"paid": 100_00, "refunded": 30_00}, "3 reached creator 1 10000"},
		{campaigns.AllOrNothing, nil, "4 not_reached backers 0 0"},
	} {
		id := w.campaign(c.rule)
		for status, minor := range c.pledges {
			w.pledge(id, status, minor, map[string]int64{"refunded": minor}[status])
		}
		want[id] = c.want
	}
	parts := w.campaign(campaigns.AllOrNothing)
	w.pledge(parts, "partly_refunded", 110_00, 10_00)
	want[parts] = "3 reached creator 1 10000"

	if n := w.endDue(over.Add(-2 * time.Second)); n != 0 {
		t.Errorf("%d end in their last hour", n)
	}
	if n := w.endDue(over); n != len(want) {
		t.Errorf("%d of %d end", n, len(want))
	}
	if n := w.endDue(over); n != 0 {
		t.Errorf("%d end twice", n)
	}
	for id, want := range want {
		if got := w.text(id); got != want {
			t.Errorf("campaign %d: %s, want %s", id, got, want)
		}
	}
	var mails, told int
	if err := w.DB.Raw(`SELECT count(*) FILTER (WHERE kind = 'mail.campaign_ended'), count(*) FILTER (WHERE kind = 'campaign.ending') FROM outbox`).Row().Scan(
		&mails, &told); err != nil || mails != len(want) || told != len(want) {
		t.Errorf("%d mails and %d words of %d campaigns, %v", mails, told, len(want), err)
	}
}

func TestEndDue_WaitsUntilNothingCanCome(t *testing.T) {
	w := setup(t)
	id := w.campaign(campaigns.AllOrNothing)
	for standing, isAnswer := range map[string]bool{
		`{"is_open": true, "is_processing": false, "is_untold": false}`: true,
		`{"is_open": false, "is_processing": false, "is_untold": true}`: true,
		`{"is_open": false, "is_processing": true, "is_untold": false}`: true, // which has not come to be heard of here
		`{"is_open": false}`: false, `null`: false, `<html>`: false,
	} {
		w.standing.Store(standing)
		n, err := schedule.EndDue(t.Context(), w.DB, w.payments, over)
		if isAnswer != (err == nil) || n != 0 || w.text(id) != "2" {
			t.Errorf("%s: %d end, it is %s, %v", standing, n, w.text(id), err)
		}
	}
	w.standing.Store(quiet)
	if n := w.endDue(over); n != 1 {
		t.Errorf("%d end when nothing can come", n)
	}

	held, processing := w.campaign(campaigns.AllOrNothing), w.campaign(campaigns.AllOrNothing)
	w.Exec(`UPDATE campaigns SET hold = 'on_hold' WHERE id = ?`, held)
	w.pledge(processing, "paid", 90_00, 0)
	w.pledge(processing, "processing", 20_00, 0)
	reserved := w.campaign(campaigns.AllOrNothing)
	w.pledge(reserved, "created", 20_00, 0)
	w.Exec(`UPDATE pledges SET reserved_until = ? WHERE campaign_id = ?`, over, reserved)
	if n := w.endDue(over); n != 0 {
		t.Errorf("%d end while they are undecided or on hold", n)
	}
	if n := w.endDue(over.Add(time.Second)); n != 1 || w.text(reserved) != "4 not_reached backers 0 0" {
		t.Errorf("%d end when the reservation has lapsed: %s", n, w.text(reserved))
	}
	// Banks are waited for two weeks from the last day.
	if n := w.endDue(over.AddDate(0, 0, 13)); n != 0 {
		t.Errorf("%d end while a bank is confirming", n)
	}
	w.standing.Store(`{"is_open": false, "is_processing": true, "is_untold": false}`)
	if n := w.endDue(over.AddDate(0, 0, 14)); n != 1 || w.text(processing) != "4 not_reached backers 1 9000" || w.text(held) != "2" {
		t.Errorf("%d end after two weeks: %s, on hold: %s", n, w.text(processing), w.text(held))
	}
}

func TestEndDue_GoesOnAfterOneThatCannotBeAskedAbout(t *testing.T) {
	w := setup(t)
	first, second := w.campaign(campaigns.AllOrNothing), w.campaign(campaigns.AllOrNothing)
	w.Exec(`UPDATE campaigns SET funding_deadline = funding_deadline - interval '1 hour' WHERE id = ?`, first)
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if r.URL.Path == fmt.Sprintf("/internal/campaigns/%d/standing", first) {
			rw.WriteHeader(http.StatusServiceUnavailable)
		}
		_, _ = rw.Write([]byte(quiet))
	}))
	defer server.Close()
	client, err := closing.NewClient(closing.ClientConfig{URL: server.URL, Secret: []byte("a secret of at least thirty-two bytes"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	n, err := schedule.EndDue(t.Context(), w.DB, client, over)
	if n != 1 || err == nil || w.text(first) != "2" || w.text(second) == "2" {
		t.Errorf("%d end, %v; %s and %s", n, err, w.text(first), w.text(second))
	}
}

func TestEndDue_OfManyWorkersEndsEachOnce(t *testing.T) {
	w := setup(t)
	for range 8 {
		w.campaign(campaigns.AllOrNothing)
	}
	var all sync.WaitGroup
	var n atomic.Int64
	for range 4 {
		all.Go(func() {
			one, err := schedule.EndDue(t.Context(), w.DB, w.payments, over)
			if err != nil {
				t.Error(err)
			}
			n.Add(int64(one))
		})
	}
	all.Wait()
	n.Add(int64(w.endDue(over)))
	var moves, mails int
	if err := w.DB.Raw(`SELECT (SELECT count(*) FROM campaign_endings), (SELECT count(*) FROM outbox WHERE kind = 'mail.campaign_ended')`).Row().Scan(&moves, &mails); err != nil {
		t.Fatal(err)
	}
	if n.Load() != 8 || moves != 8 || mails != 8 {
		t.Errorf("%d ended, %d endings, %d mails of 8 campaigns", n.Load(), moves, mails)
	}
}
