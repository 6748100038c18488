package pledges_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/migrations"
)

// counted is how many backers the campaign and a reward of it have.
func (w *world) counted(t *testing.T, reward int64) string {
	t.Helper()
	return fmt.Sprint(w.number(t, `SELECT CAST(preview ->> 'number_of_backers' AS bigint) FROM campaign_previews WHERE campaign_id = ? AND language = 'fi'`, w.campaign), " ",
		w.number(t, `SELECT backers FROM rewards WHERE id = ?`, reward))
}

// by is a pledge of an address, or of an account.
func (w *world) by(t *testing.T, email string, account *int64, reward int64) pledges.View {
	t.Helper()
	in := w.input(reward, "10")
	in.Meta.Email, in.UserID = email, account
	return w.mustCreate(t, in)
}

func TestApply_CountsPeople_HoweverManyPledgesTheyMake(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 0)
	apply := func(p pledges.View, kind pledges.EventType, want string) {
		t.Helper()
		w.clock.advance(time.Second)
		w.mustApply(t, event(p, kind), pledges.Applied)
		if got := w.counted(t, reward); got != want {
			t.Errorf("after %s: backers of the campaign and the reward %s, want %s", kind, got, want)
		}
		w.checkInvariants(t)
	}
	first, second, third := w.by(t, "aino@posti.example", nil, reward), w.by(t, "AINO@posti.example", nil, reward), w.by(t, "aino@posti.example", nil, 0)
	apply(first, pledges.PaymentSucceeded, "1 1")
	apply(second, pledges.PaymentSucceeded, "1 1")
	apply(third, pledges.PaymentSucceeded, "1 1")
	for nth, p := range []pledges.View{first, second, third} {
		view, err := w.View(t.Context(), p.ID, "fi")
		if err != nil || view.NthPledge != nth+1 || view.BackerNumber != []int{1, 0, 0}[nth] {
			t.Errorf("pledge %d: the person's %d, number %d (%v)", nth+1, view.NthPledge, view.BackerNumber, err)
		}
	}
	apply(w.by(t, "aino@posti.example", &w.creator, reward), pledges.PaymentSucceeded, "2 2") // who is signed in is their account
	apply(first, pledges.PaymentRefunded, "2 2")
	apply(second, pledges.PaymentDisputed, "2 2")
	apply(second, pledges.PaymentRefunded, "2 1")
	apply(third, pledges.PaymentRefunded, "1 1")
	again := w.by(t, "aino@posti.example", nil, 0)
	apply(again, pledges.PaymentSucceeded, "2 1")
	if view, err := w.View(t.Context(), again.ID, "fi"); err != nil || view.BackerNumber != 3 || view.NthPledge != 4 {
		t.Errorf("who came back has number %d and pledge %d (%v)", view.BackerNumber, view.NthPledge, err)
	}
}

// Payments of one person that arrive at once wait for each other where they are counted.
func TestApply_PaymentsOfOnePersonAtOnceMakeOneBacker(t *testing.T) {
	w := setup(t)
	reward := w.addReward(t, 0)
	const n = 12
	var all []pledges.View
	for range n {
		all = append(all, w.by(t, "aino@posti.example", nil, reward))
	}
	w.inParallel(n, n, func(i int) {
		if outcome, err := w.Apply(t.Context(), event(all[i], pledges.PaymentSucceeded)); err != nil || outcome != pledges.Applied {
			t.Error(outcome, err)
		}
	})
	if got := w.counted(t, reward); got != "1 1" {
		t.Errorf("backers of the campaign and the reward %s", got)
	}
	w.inParallel(n, n, func(i int) {
		if outcome, err := w.Apply(t.Context(), event(all[i], pledges.PaymentRefunded)); err != nil || outcome != pledges.Applied {
			t.Error(outcome, err)
		}
	})
	if got := w.counted(t, reward); got != "0 0" {
		t.Errorf("after all was refunded, backers of the campaign and the reward %s", got)
	}
	w.checkInvariants(t)
}

// The sum is hidden when the pledge is made, and afterwards as the name is.
func TestHideAmount_IsTheBackersChoiceApartFromTheName(t *testing.T) {
	w := setup(t)
	in := w.input(0, "20")
	in.UserID, in.Meta.HideAmount = &w.creator, true
	p := w.mustCreate(t, in)
	w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	shown, hidden := false, true
	for _, want := range []*bool{nil, &shown, &shown, &hidden} {
		own, err := w.ChangeOwn(t.Context(), w.creator, p.ID, "fi", pledges.OwnChange{HideAmount: want})
		if err != nil || own.HideAmount != (want == nil || *want) || own.NameShown != pledges.FullName {
			t.Errorf("%+v, %v", own, err)
		}
	}
	if n := w.number(t, `SELECT count(*) FROM audit_log WHERE action = 'change_pledge' AND after ? 'hide_amount'`); n != 2 {
		t.Errorf("noted %d times", n)
	}
}

func TestApply_AsksForThePersonAlongAnIndex(t *testing.T) {
	var lines []string
	if err := dbtest.NewFiles(t, migrations.FS).Gorm.Raw(`EXPLAIN SELECT * FROM also_given(1, 'mail aino@posti.example', '')`).Scan(&lines).Error; err != nil {
		t.Fatal(err)
	}
	plan := strings.Join(lines, "\n")
	if !strings.Contains(plan, "pledges_of_person") || !strings.Contains(plan, "subscriptions_of_person") {
		t.Error(plan)
	}
}
