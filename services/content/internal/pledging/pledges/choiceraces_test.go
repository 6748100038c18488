package pledges_test

import (
	"errors"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/pledging/pledges"
)

// An end that comes at the same moment waits for the change or is seen by it: what is counted is what the pledge comes to.
func TestChoice_AgainstTheClosingOfItsCampaign_OneIsFirst(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	errs := make(chan error, 2)
	go func() {
		_, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, w.posted, 1, "51.5"))
		errs <- err
	}()
	go func() { errs <- w.tryStage(t.Context(), campaigns.StageClosed) }()
	for range 2 {
		if err := <-errs; err != nil && !errors.Is(err, pledges.ErrNotChangeable) {
			t.Fatal(err)
		}
	}
	own := w.number(t, `SELECT amount_minor FROM pledges WHERE id = ?`, p.ID)
	if counted := w.number(t, `SELECT accepted_minor FROM campaign_endings WHERE campaign_id = ?`, w.campaign); counted != own {
		t.Errorf("is of %d, counted at the end with %d", own, counted)
	}
	w.checkInvariants(t)
}

func TestChoice_WaitsForAnEndThatIsUnderWay(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	result := make(chan error, 1)
	err := dbx.InTx(t.Context(), w.db, func(tx *gorm.DB) error {
		if err := tx.Exec(`SELECT FROM campaigns WHERE id = ? FOR UPDATE`, w.campaign).Error; err != nil {
			return err
		}
		go func() {
			_, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", choice("a", 0, w.posted, 1, "51.5"))
			result <- err
		}()
		for w.number(t, `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`) == 0 {
			time.Sleep(time.Millisecond)
		}
		return tx.Exec(`UPDATE campaigns SET stage = 5 WHERE id = ?`, w.campaign).Error
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := <-result; !errors.Is(err, pledges.ErrNotChangeable) {
		t.Errorf("answered %v", err)
	}
}

// Of many at once one changes the pledge; who sent the same again gets the same answer, the others see that it was changed.
func TestChoice_OfManyAtOnceOneCounts(t *testing.T) {
	w := setup(t)
	me := w.person(t, leena)
	p := w.paidByPost(t, me)
	const each = 4
	errs := make(chan error, 2*each)
	for range each {
		for _, c := range []pledges.Choice{choice("a", 0, w.posted, 2, "101.5"), choice("b", 0, w.posted, 1, "56.5")} {
			go func() { _, err := w.ChangeOwnChoice(t.Context(), me, p.ID, "fi", c); errs <- err }()
		}
	}
	done := 0
	for range 2 * each {
		switch err := <-errs; {
		case err == nil:
			done++
		case !errors.Is(err, pledges.ErrChangedElsewhere):
			t.Error(err)
		}
	}
	if done != each || len(w.told(t)) != 1 {
		t.Errorf("%d changed it, and %v goes back", done, w.told(t))
	}
	w.checkInvariants(t)
}

// Two people who swap two rewards do not wait for each other for ever.
func TestChoice_TwoWhoSwapDoNotBlockEachOther(t *testing.T) {
	w := setup(t)
	me, other := w.person(t, leena), w.person(t, "other@example.fi")
	one, two := w.addReward(t, 5), w.addReward(t, 5)
	errs := make(chan error, 2)
	mine, theirs := w.mustCreate(t, w.inputOf(me, one)), w.mustCreate(t, w.inputOf(other, two))
	for _, p := range []pledges.View{mine, theirs} {
		w.mustApply(t, event(p, pledges.PaymentSucceeded), pledges.Applied)
	}
	for i := range 6 {
		to := [2]int64{two, one}
		if i%2 == 1 {
			to = [2]int64{one, two}
		}
		key := string(rune('a' + i))
		go func() {
			_, err := w.ChangeOwnChoice(t.Context(), me, mine.ID, "fi", choice(key, i, to[0], 1, "10"))
			errs <- err
		}()
		go func() {
			_, err := w.ChangeOwnChoice(t.Context(), other, theirs.ID, "fi", choice(key, i, to[1], 1, "10"))
			errs <- err
		}()
		if err := errors.Join(<-errs, <-errs); err != nil {
			t.Fatal(err)
		}
	}
	w.checkInvariants(t)
}
