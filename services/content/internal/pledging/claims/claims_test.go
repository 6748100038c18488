//go:build unix

package claims_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/closing"
	"talkoot.fi/content/internal/pledging/pledges"
)

// world has a campaign that has ended well, of one creator.
type world struct {
	*contenttest.World
	*claims.Service
	t                        *testing.T
	campaign, creator, admin int64
	reward                   int64
	made                     int
}

func setup(t *testing.T) *world {
	w := &world{World: contenttest.New(t), t: t}
	w.Service = claims.New(w.DB, w.Now, w.Zone)
	w.creator, w.admin = w.Person("Aava"), w.Person("Henna", "view", "edit", "admin")
	w.campaign = w.Campaign(campaigns.New{Slug: "kantele", Language: "fi", CategoryID: w.Category("musiikki"), TeamUserIDs: []int64{w.creator},
		TargetGoalMinor: 100_00, FirstDay: "2026-11-01", LastDay: "2026-11-18", Texts: map[string]campaigns.Text{"fi": {Title: "Kantele joka kouluun"}}},
		campaigns.StageFunding)
	w.Exec(`INSERT INTO campaign_endings (campaign_id, outcome, goes_to, ended_at, accepted, accepted_minor, currency) VALUES (?, 'reached', 'creator', ?, 1, 4500, 'EUR')`,
		w.campaign, contenttest.Start.Add(-time.Hour))
	if err := w.DB.Raw(`INSERT INTO rewards (campaign_id, amount_minor, active, created_at) VALUES (?, 4500, 1, now()) RETURNING id`, w.campaign).Scan(&w.reward).Error; err != nil {
		t.Fatal(err)
	}
	return w
}

// pledge writes one of 45.00 € with a reward that was promised for a month, "" for none.
func (w *world) pledge(status pledges.Status, delivery string) string {
	w.made++
	id := fmt.Sprintf("01JD%022d", w.made)
	refunded := map[pledges.Status]int{pledges.PartlyRefunded: 5_00, pledges.Refunded: 45_00}[status]
	w.Exec(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, amount_refunded_minor, currency, quantity, lines, email, first_name, last_name,
			language, reserved_until, created_at, updated_at, paid_at, receipt_number, bought)
		VALUES (@id, @campaign, @reward, @status, 4500, @refunded, 'EUR', 1, '[]', 'leena@example.fi', 'Leena', 'H', 'fi', @at, @at, @at, @at, @receipt,
			json_build_object('title', 'Levy', 'delivery', CAST(@delivery AS text)))`,
		map[string]any{"id": id, "campaign": w.campaign, "reward": w.reward, "status": string(status), "refunded": refunded, "at": w.Now().Add(-30 * 24 * time.Hour),
			"receipt": fmt.Sprintf("TK-2026-%06d", w.made), "delivery": delivery})
	return id
}

var backer = claims.By{Role: claims.Backer}

func (w *world) team() claims.By  { return claims.By{Role: claims.Creator, UserID: w.creator} }
func (w *world) staff() claims.By { return claims.By{Role: claims.Staff, UserID: w.admin} }

// act takes a step from the version there is; the error is the test's.
func (w *world) act(pledge string, by claims.By, wish claims.Wish) error {
	if wish.Version == 0 && wish.Act != claims.Make {
		wish.Version = w.number(`SELECT version FROM claims WHERE pledge_id = ? ORDER BY created_at DESC LIMIT 1`, pledge)
	}
	if wish.Key == "" {
		w.made++
		wish.Key = fmt.Sprintf("key-%05d", w.made)
	}
	if wish.Text == "" {
		wish.Text = "Levyn piti tulla lokakuussa."
	}
	_, err := w.Act(w.t.Context(), pledge, "", by, wish)
	return err
}

func (w *world) must(pledge string, by claims.By, wishes ...claims.Wish) {
	w.t.Helper()
	for _, wish := range wishes {
		if err := w.act(pledge, by, wish); err != nil {
			w.t.Fatalf("%s: %v", wish.Act, err)
		}
	}
}

var newClaim = claims.Wish{Act: claims.Make, Kind: claims.NotDelivered}

func (w *world) number(query string, args ...any) (n int64) {
	w.t.Helper()
	if err := w.DB.Raw(query, args...).Scan(&n).Error; err != nil {
		w.t.Fatal(err)
	}
	return n
}

// stands is a pledge's latest claim, what goes back by all of them, and the messages about that.
func (w *world) stands(pledge string) (text string) {
	w.t.Helper()
	err := w.DB.Raw(`SELECT concat_ws(' ', (SELECT state FROM claims WHERE pledge_id = @id ORDER BY created_at DESC, id DESC LIMIT 1),
		(SELECT sum(amount_minor) FROM agreed_refunds WHERE pledge_id = @id),
		(SELECT count(*) FROM outbox WHERE kind = 'pledge.refund' AND payload ->> 'pledge_id' = @id))`, map[string]any{"id": pledge}).Scan(&text).Error
	if err != nil {
		w.t.Fatal(err)
	}
	return text
}

func (w *world) sweep() int {
	w.t.Helper()
	n, err := w.Sweep(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func (w *world) nextWeek() { w.Advance(8 * 24 * time.Hour) }

func tomorrow(w *world, days int) time.Time { return w.Now().In(w.Zone).AddDate(0, 0, days) }

// From when and until when, and about what.
func TestMake_ByStatusAndTime(t *testing.T) {
	w := setup(t)
	for _, status := range []pledges.Status{pledges.Paid, pledges.PartlyRefunded, pledges.Refunded, pledges.Disputed} {
		p := w.pledge(status, "2026-10")
		want := map[pledges.Status]error{pledges.Refunded: claims.ErrNotPossible, pledges.Disputed: pledges.ErrContested}[status]
		if err := w.act(p, backer, newClaim); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", status, err, want)
		}
	}
	early, none := w.pledge(pledges.Paid, "2026-11"), w.pledge(pledges.Paid, "")
	w.Exec(`UPDATE pledges SET reward_id = NULL WHERE id = ?`, none)
	kinds := func(p string) string {
		own, err := w.Own(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return fmt.Sprint(own.Kinds, own.NotDeliveredFrom != nil, own.Until != nil)
	}
	if got := kinds(early); got != "[broken other] true true" {
		t.Errorf("in the promised month: %s", got)
	}
	if err := w.act(early, backer, newClaim); !errors.Is(err, claims.ErrNotPossible) {
		t.Errorf("not delivered, in the promised month: %v", err)
	}
	if got := kinds(none); got != "[other] false true" {
		t.Errorf("without a reward: %s", got)
	}
	w.Advance(11 * 24 * time.Hour) // 1 December
	if got := kinds(early); got != "[not_delivered broken other] false true" {
		t.Errorf("when the promised month is over: %s", got)
	}
	w.Advance(179 * 24 * time.Hour)
	if got := kinds(early); got != "[not_delivered broken other] false true" {
		t.Errorf("on the last day: %s", got)
	}
	if got := kinds(none); got != "[] false false" {
		t.Errorf("half a year after the end, without a month: %s", got)
	}
	w.Advance(2 * 24 * time.Hour)
	if got := kinds(early); got != "[] false false" {
		t.Errorf("after the last day: %s", got)
	}
	w.Exec(`UPDATE campaign_endings SET goes_to = 'backers', ended_at = ?`, w.Now())
	if err := w.act(early, backer, newClaim); !errors.Is(err, claims.ErrNotPossible) {
		t.Errorf("of a campaign whose money goes back: %v", err)
	}
}

func TestAct_APartThatIsOfferedAndAcceptedGoesBackOnce(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	if err := w.act(p, backer, newClaim); !errors.Is(err, claims.ErrNotPossible) {
		t.Errorf("a second one while the first is open: %v", err)
	}
	w.must(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 20_00, Key: "offer-0001"})
	w.must(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 20_00, Key: "offer-0001", Version: 1}) // a repeat, whatever it has seen
	for what, other := range map[string]claims.Wish{"act": {Act: claims.Decline}, "sum": {Act: claims.OfferPart, Minor: 21_00}} {
		if other.Key = "offer-0001"; !errors.Is(w.act(p, w.team(), other), idem.ErrMismatch) {
			t.Errorf("another %s with the same key is taken for a repeat", what)
		}
	}
	if err := w.act(p, backer, claims.Wish{Act: claims.Accept, Version: 1}); !errors.Is(err, claims.ErrMoved) {
		t.Errorf("accepting what one has not seen: %v", err)
	}
	if got := w.stands(p); got != "part_offered 0" {
		t.Errorf("offered: %s", got)
	}
	for range 2 {
		w.must(p, backer, claims.Wish{Act: claims.Accept, Version: 2, Key: "accept-001"})
	}
	if got := w.stands(p); got != "agreed 2000 1" {
		t.Errorf("accepted: %s", got)
	}
	for _, act := range []claims.Act{claims.Accept, claims.Withdraw, claims.Message, claims.Received} {
		if err := w.act(p, backer, claims.Wish{Act: act}); !errors.Is(err, claims.ErrMoved) {
			t.Errorf("%s when it is over: %v", act, err)
		}
	}
	// What is left can be claimed again, and no more than that is offered or decided.
	w.Advance(time.Minute)
	w.must(p, backer, claims.Wish{Act: claims.Make, Kind: claims.Broken})
	if err := w.act(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 25_00}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("offering all that is left as a part: %v", err)
	}
	w.must(p, w.team(), claims.Wish{Act: claims.Refund})
	if got := w.stands(p); got != "agreed 4500 2" {
		t.Errorf("all that was left: %s", got)
	}
	if own, err := w.Own(t.Context(), p); err != nil || len(own.Kinds) > 0 {
		t.Errorf("nothing is left, and %v may be claimed (%v)", own.Kinds, err)
	}
}

// What silence does in each state, on its day and not before.
func TestSweep_SilenceTakesClaimsOn(t *testing.T) {
	w := setup(t)
	open, resend, part := w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10")
	for _, p := range []string{open, resend, part} {
		w.must(p, backer, newClaim)
	}
	w.must(resend, w.team(), claims.Wish{Act: claims.OfferResend, Day: tomorrow(w, 12), Tracking: "JJFI 1"})
	w.must(part, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 27_00})
	w.Advance(7 * 24 * time.Hour) // the last day
	if n := w.sweep(); n != 0 {
		t.Errorf("%d moved on their last day", n)
	}
	w.Advance(12 * time.Hour)
	if n := w.sweep() + w.sweep(); n != 3 {
		t.Errorf("%d moved", n)
	}
	for p, want := range map[string]string{open: "with_staff 0", resend: "promised 0", part: "agreed 2700 1"} {
		if got := w.stands(p); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	w.Advance(5 * 24 * time.Hour)
	w.sweep()
	if got := w.stands(resend); got != "agreed 4500 1" {
		t.Errorf("the parcel's day is over: %s", got)
	}
	w.Advance(30 * 24 * time.Hour)
	w.sweep()
	if got := w.stands(open); got != "with_staff 0" {
		t.Errorf("staff have no clock that decides for them: %s", got)
	}
	w.Exec(`UPDATE pledges SET status = 'refunded', amount_refunded_minor = amount_minor WHERE id = ?`, open)
	w.sweep()
	if got := w.stands(open); got != "closed 0" {
		t.Errorf("all went back another way: %s", got)
	}
}

// A day that is over has decided, also when no worker has come by since: whoever acts in that moment takes nothing of it back.
func TestAct_AfterItsDay_FindsWhatSilenceHasGiven(t *testing.T) {
	w := setup(t)
	var later []func()
	for name, c := range map[string]struct {
		before []claims.Wish // by the team, and then by the backer
		by     claims.By
		late   claims.Wish
		want   string
	}{
		"less is offered":              {[]claims.Wish{{Act: claims.OfferPart, Minor: 27_00}}, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 1_00}, "agreed 2700 1"},
		"what was offered is declined": {[]claims.Wish{{Act: claims.OfferPart, Minor: 27_00}}, w.team(), claims.Wish{Act: claims.Decline}, "agreed 2700 1"},
		"what was offered is refused":  {[]claims.Wish{{Act: claims.OfferPart, Minor: 27_00}}, backer, claims.Wish{Act: claims.Refuse}, "agreed 2700 1"},
		"the parcel is said to have come": {[]claims.Wish{{Act: claims.OfferResend, Day: tomorrow(w, 5)}, {Act: claims.Accept}}, w.team(),
			claims.Wish{Act: claims.Contest}, "agreed 4500 1"},
		"nothing was answered": {nil, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 1_00}, "with_staff 0"},
	} {
		p := w.pledge(pledges.Paid, "2026-10")
		w.must(p, backer, newClaim)
		for i, wish := range c.before {
			w.must(p, []claims.By{w.team(), backer}[i], wish)
		}
		later = append(later, func() {
			if err := w.act(p, c.by, c.late); !errors.Is(err, claims.ErrMoved) {
				t.Errorf("%s: %v", name, err)
			}
			if got := w.stands(p); got != c.want {
				t.Errorf("%s: %s, want %s", name, got, c.want)
			}
		})
	}
	w.nextWeek()
	for _, acts := range later {
		acts()
	}
}

func TestAct_StaffDecideAndTheirFirstDecisionCanBeObjectedTo(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	w.must(p, w.team(), claims.Wish{Act: claims.Decline})
	if err := w.act(p, w.team(), claims.Wish{Act: claims.Decide}); !errors.Is(err, claims.ErrMoved) {
		t.Errorf("the creator decides: %v", err)
	}
	if err := w.act(p, w.staff(), claims.Wish{Act: claims.Decide, Minor: 45_01}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("more than was paid: %v", err)
	}
	w.must(p, w.staff(), claims.Wish{Act: claims.Decide, Minor: 27_00})
	if got := w.stands(p); got != "decided 2700 1" {
		t.Errorf("decided: %s", got)
	}
	if err := w.act(p, backer, newClaim); !errors.Is(err, claims.ErrNotPossible) {
		t.Errorf("a new claim after a decision: %v", err)
	}
	w.must(p, backer, claims.Wish{Act: claims.Object})
	if err := w.act(p, w.staff(), claims.Wish{Act: claims.Decide, Minor: 18_01}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("more than is left: %v", err)
	}
	w.must(p, w.staff(), claims.Wish{Act: claims.Decide, Minor: 0})
	if got := w.stands(p); got != "decided 2700 1" {
		t.Errorf("decided again: %s", got)
	}
	if err := w.act(p, backer, claims.Wish{Act: claims.Object}); !errors.Is(err, claims.ErrMoved) {
		t.Errorf("objecting to the second decision: %v", err)
	}
	late := w.pledge(pledges.Paid, "2026-10")
	w.must(late, backer, newClaim)
	w.must(late, w.team(), claims.Wish{Act: claims.Decline})
	w.must(late, w.staff(), claims.Wish{Act: claims.Decide})
	w.Advance(16 * 24 * time.Hour)
	if err := w.act(late, backer, claims.Wish{Act: claims.Object}); !errors.Is(err, claims.ErrMoved) {
		t.Errorf("objecting after its days: %v", err)
	}
}

// A parcel that is promised: the creator can say that it has come, and the backer closes it when it has.
func TestAct_AParcelThatIsPromised(t *testing.T) {
	w := setup(t)
	came, contested := w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10")
	for _, day := range []time.Time{{}, tomorrow(w, 0), tomorrow(w, 92)} {
		p := w.pledge(pledges.Paid, "2026-10")
		w.must(p, backer, newClaim)
		if err := w.act(p, w.team(), claims.Wish{Act: claims.OfferResend, Day: day}); err == nil {
			t.Errorf("a parcel is promised for %v", day)
		}
	}
	for _, p := range []string{came, contested} {
		w.must(p, backer, newClaim)
		w.must(p, w.team(), claims.Wish{Act: claims.OfferResend, Day: tomorrow(w, 5)})
		w.must(p, backer, claims.Wish{Act: claims.Accept})
	}
	w.must(came, backer, claims.Wish{Act: claims.Received})
	w.must(contested, w.team(), claims.Wish{Act: claims.Contest})
	w.nextWeek()
	w.sweep()
	for p, want := range map[string]string{came: "closed 0", contested: "with_staff 0"} {
		if got := w.stands(p); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Two at once: one of them sees the other, and no cent goes back twice.
func TestAct_TwoAtOnce(t *testing.T) {
	w := setup(t)
	p, fresh := w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	w.must(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 20_00})
	var wait sync.WaitGroup
	var mu sync.Mutex
	done := map[string]int{}
	try := func(pledge, key string, by claims.By, wish claims.Wish) {
		wait.Go(func() {
			wish.Key, wish.Text = key, "Samaan aikaan"
			_, err := w.Act(t.Context(), pledge, "", by, wish)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				done[pledge]++
			} else if !errors.Is(err, claims.ErrMoved) && !errors.Is(err, claims.ErrNotPossible) {
				t.Error(err)
			}
		})
	}
	for i := range 4 {
		try(p, fmt.Sprintf("accepts-%d", i), backer, claims.Wish{Act: claims.Accept, Version: 2})
		try(p, fmt.Sprintf("refunds-%d", i), w.team(), claims.Wish{Act: claims.Refund, Version: 2})
		try(fresh, fmt.Sprintf("makes-%d", i), backer, newClaim)
	}
	wait.Go(func() { _, _ = w.Sweep(t.Context()) })
	wait.Wait()
	if done[p] != 1 || done[fresh] != 1 || w.number(`SELECT count(*) FROM agreed_refunds`) != 1 || w.number(`SELECT count(*) FROM claims WHERE pledge_id = ?`, fresh) != 1 {
		t.Errorf("%v succeeded; %s; %s", done, w.stands(p), w.stands(fresh))
	}
}

func TestAct_EachSideIsToldOnceOfWhatItDoesNotSee(t *testing.T) {
	w := setup(t)
	w.Person("Kaisa", "view", "edit") // an editor of staff decides about no money
	p := w.pledge(pledges.Paid, "2026-10")
	told := func() string {
		var to []string
		err := w.DB.Raw(`WITH sent AS (DELETE FROM outbox WHERE kind = ? RETURNING id, payload) SELECT payload ->> 'to' FROM sent ORDER BY 1`, mails.KindClaim).Scan(&to).Error
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(to, " ")
	}
	for i, step := range []struct {
		by   claims.By
		wish claims.Wish
		want string
	}{
		{backer, newClaim, "backer creator"},
		{backer, claims.Wish{Act: claims.Message}, "creator"},
		{w.team(), claims.Wish{Act: claims.Message}, "backer"},
		{w.team(), claims.Wish{Act: claims.OfferPart, Minor: 1_00}, "backer"},
		{backer, claims.Wish{Act: claims.Refuse}, "creator staff"},
		{backer, claims.Wish{Act: claims.Message}, "creator staff"},
		{w.staff(), claims.Wish{Act: claims.Message}, "backer creator"},
		{w.staff(), claims.Wish{Act: claims.Decide}, "backer creator"},
		{backer, claims.Wish{Act: claims.Object}, "creator staff"},
		{backer, claims.Wish{Act: claims.Withdraw}, "creator"},
	} {
		w.must(p, step.by, step.wish)
		if got := told(); got != step.want {
			t.Errorf("step %d, %s: %q told, want %q", i, step.wish.Act, got, step.want)
		}
	}
}

func TestGiveBack_WithoutAClaim(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.PartlyRefunded, "2026-10") // 40 € are left
	contested := w.pledge(pledges.Disputed, "2026-10")
	receipt := func(id string) string {
		var number string
		if err := w.DB.Raw(`SELECT receipt_number FROM pledges WHERE id = ?`, id).Scan(&number).Error; err != nil {
			t.Fatal(err)
		}
		return strings.ToLower(number)
	}
	give := func(id string, minor int64, key string) (int64, error) {
		given, err := w.GiveBack(t.Context(), claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: " " + receipt(id), Minor: minor, Note: "Postikulut", Key: key, UserID: w.creator})
		return given.Minor, err
	}
	for range 2 {
		if got, err := give(p, 10_00, "first-key"); err != nil || got != 10_00 {
			t.Errorf("a part: %d, %v", got, err)
		}
	}
	if _, err := give(p, 11_00, "first-key"); !errors.Is(err, idem.ErrMismatch) {
		t.Errorf("another sum with the same key: %v", err)
	}
	if _, err := give(p, 35_01, "second-key"); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("more than is left: %v", err)
	}
	w.Exec(`UPDATE pledges SET amount_refunded_minor = 1500 WHERE id = ?`, p) // the first is back: 30 are left
	if got, err := give(p, 0, "third-key"); err != nil || got != 30_00 {
		t.Errorf("all that is left: %d, %v", got, err)
	}
	if _, err := give(contested, 0, "fourth-key"); !errors.Is(err, pledges.ErrContested) {
		t.Errorf("what a bank has: %v", err)
	}
	if _, err := w.GiveBack(t.Context(), claims.NewRefund{CampaignID: w.campaign + 1, ReceiptNumber: receipt(p), Note: "x", Key: "fifth-key"}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("by another campaign's team: %v", err)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = ?`, claims.KindRefund); n != 2 {
		t.Errorf("%d messages", n)
	}
}

func TestSendRefund_KeepsWhatWasBegun_AndIsRepeatedUntilItIsTaken(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	w.must(p, w.team(), claims.Wish{Act: claims.Refund})
	status, body := http.StatusServiceUnavailable, `{}`
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.Method+" "+r.URL.Path)
		rw.WriteHeader(status)
		_, _ = rw.Write([]byte(body))
	}))
	defer server.Close()
	client, err := closing.NewClient(closing.ClientConfig{URL: server.URL, Secret: []byte("a secret of at least thirty-two bytes"), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	var m outbox.Message
	if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind = ?`, claims.KindRefund).Row().Scan(&m.ID, &m.Kind, &m.Payload); err != nil {
		t.Fatal(err)
	}
	send := claims.SendRefund(w.DB, client)
	for _, answer := range []string{`{}`, `<html>`} {
		if err := send(t.Context(), m); err == nil {
			t.Errorf("%d %s counts as taken", status, body)
		}
		status, body = http.StatusOK, answer
	}
	body = `{"begun_minor": 4000, "charges": [{"subject_id": "` + p + `", "begun_minor": 4000}]}` // less was left than is known here
	if err := send(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if n := w.number(`SELECT begun_minor FROM agreed_refunds WHERE pledge_id = ? AND begun_of = jsonb_build_object(pledge_id, 4000)`, p); n != 40_00 || !slices.Contains(asked, "POST /internal/payments/refund") {
		t.Errorf("kept %d, asked %v", n, asked)
	}
}

func TestErase_TheWordsGoAndTheMoneyStays(t *testing.T) {
	w := setup(t)
	p, over := w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	w.must(over, backer, newClaim)
	w.must(over, w.team(), claims.Wish{Act: claims.Refund})
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return claims.Erase(ctx, tx, w.creator, []string{p, over}, w.Now())
	})
	if got := w.stands(p) + ", " + w.stands(over); got != "closed 0, agreed 4500 1" {
		t.Error(got)
	}
	if n := w.number(`SELECT count(*) FROM claim_messages WHERE text <> '' OR user_id IS NOT NULL`); n != 0 {
		t.Errorf("%d messages still say something of somebody", n)
	}
}
