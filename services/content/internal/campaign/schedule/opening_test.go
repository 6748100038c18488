//go:build unix

package schedule_test

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/schedule"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/bulk"
)

// midnight is when the first day of a ReadyDraft begins in Helsinki.
var midnight = time.Date(2026, 11, 27, 22, 0, 0, 0, time.UTC)

// approve moves a draft to stage 1, as an approved review does.
func approve(w *contenttest.World, ids ...int64) {
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		for _, id := range ids {
			if err := campaigns.MoveStage(ctx, tx, id, campaigns.StagePreparing, campaigns.Scheduler(), w.Now()); err != nil {
				return err
			}
		}
		return nil
	})
	w.Exec(`DELETE FROM audit_log`)
}

func opened(t *testing.T, w *contenttest.World, now time.Time) int {
	t.Helper()
	n, err := schedule.OpenDue(t.Context(), w.DB, now)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOpenDue_OpensAtTheFirstSecondOfTheFirstDay(t *testing.T) {
	w := contenttest.New(t)
	creator, member := w.Person("Pekka"), w.Person("Maija")
	once, monthly, draft := w.ReadyDraft("katto", creator, member), w.ReadyDraft("kuoro", creator), w.ReadyDraft("luonnos",
		creator)
	w.Exec(`UPDATE campaigns SET opens_as = 6 WHERE id = ?`, monthly)
	approve(w, once, monthly)
	if n := opened(t, w, midnight.Add(-time.Microsecond)); n != 0 {
		t.Fatalf("%d opened before their day", n)
	}
	if n := opened(t, w, midnight); n != 2 {
		t.Errorf("%d opened", n)
	}
	if n := opened(t, w, midnight.Add(time.Hour)); n != 0 {
		t.Errorf("%d opened twice", n)
	}
	for id, stage := range map[int64]int{once: 2, monthly: 6, draft: 0} {
		var answer api.CampaignAnswer
		w.Get(fmt.Sprintf("/campaigns/%d/fi/", id), creator).JSON(&answer)
		if answer.Campaign.Stage != stage {
			t.Errorf("campaign %d is in stage %d, want %d", id, answer.Campaign.Stage, stage)
		}
	}
	var listed api.CampaignPreviewsAnswer
	if w.Get("/campaigns/preview/fi/", 0).JSON(&listed); listed.Total != 1 || listed.Previews[0].CampaignID != once {
		t.Errorf("lists have %+v", listed)
	}
	var traces []string
	err := w.DB.Raw(`SELECT concat_ws(' ', actor, actor_user_id, action, entity_id, after ->> 'stage') FROM audit_log ORDER BY entity_id`).Scan(&traces).Error
	if want := fmt.Sprintf("[scheduler move_stage %d 2 scheduler move_stage %d 6]", once, monthly); err != nil ||
		fmt.Sprint(traces) != want {
		t.Errorf("audit %s, %v", traces, err)
	}
	var mails int
	if err := w.DB.Raw(`SELECT count(*) FROM outbox WHERE kind = 'mail.campaign_opened'`).Scan(&mails).Error; err != nil || mails != 3 {
		t.Errorf("%d of three are told, %v", mails, err)
	}
}

func TestOpenDue_OfManyWorkersOpensEachOnce(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Pekka")
	ids := make([]int64, 12)
	for i := range ids {
		ids[i] = w.ReadyDraft(fmt.Sprintf("katto-%d", i), creator)
	}
	approve(w, ids...)
	var all sync.WaitGroup
	var n atomic.Int64
	for range 4 {
		all.Go(func() {
			one, err := schedule.OpenDue(t.Context(), w.DB, midnight)
			if err != nil {
				t.Error(err)
			}
			n.Add(int64(one))
		})
	}
	all.Wait()
	n.Add(int64(opened(t, w, midnight))) // what all of them skipped because another one looked at it
	var mails, moves int
	if err := w.DB.Raw(`SELECT (SELECT count(*) FROM outbox), (SELECT count(*) FROM audit_log)`).Row().Scan(&mails, &moves); err != nil {
		t.Fatal(err)
	}
	if n.Load() != 12 || mails != 12 || moves != 12 {
		t.Errorf("%d opened, %d mails, %d moves of 12 campaigns", n.Load(), mails, moves)
	}
}

func TestOpenDue_GoesOnAfterOneThatCannotOpen(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Pekka")
	broken, fine := w.ReadyDraft("rikki", creator), w.ReadyDraft("katto", creator)
	approve(w, broken, fine)
	w.Exec(`UPDATE campaigns SET funding_deadline = NULL, last_day = NULL WHERE id = ?`, broken) // none opens for one-off support without a last day
	n, err := schedule.OpenDue(t.Context(), w.DB, midnight)
	if n != 1 || err == nil {
		t.Errorf("%d opened, %v", n, err)
	}
}

// A team that moves its first day while the worker looks is not opened on the old one.
func TestOpenDue_FollowsTheDayAsItIs(t *testing.T) {
	w := contenttest.New(t)
	creator := w.Person("Pekka")
	id := w.ReadyDraft("katto", creator)
	approve(w, id)
	w.Exec(`UPDATE campaigns SET first_day = '2026-12-01', funding_start = '2026-11-30 22:00:00Z' WHERE id = ?`, id)
	if n := opened(t, w, midnight); n != 0 {
		t.Errorf("%d opened", n)
	}
	if n := opened(t, w, midnight.AddDate(0, 0, 3)); n != 1 {
		t.Errorf("%d opened on the new day", n)
	}
	if answer := w.Call(http.MethodPost, fmt.Sprintf("/campaigns/%d/review/", id),
		creator); answer.Status != http.StatusConflict {
		t.Errorf("a review of an open campaign: %d", answer.Status)
	}
}

// Workers look every few seconds.
func TestSchedule_ReadsNoGrowingTableWhole(t *testing.T) {
	w := contenttest.NewBulk(t)
	ctx, ran := dbx.CountStatements(t.Context())
	if _, err := schedule.OpenDue(ctx, w.DB, w.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := campaigns.ListDueToEnd(ctx, w.DB, w.Now(), 200); err != nil {
		t.Fatal(err)
	}
	bulk.MustNotReadWhole(t, w.DB, ran.List())
}
