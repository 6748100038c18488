//go:build unix

package ownmenu_test

import (
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
)

func TestOwnMenu_CountsWhatOneHasAndWhatWaits(t *testing.T) {
	w := contenttest.New(t)
	reijo, leena := w.Person("Reijo"), w.Person("Leena")
	menu := func(of int64) (a api.OwnMenu) {
		t.Helper()
		answer := w.Get("/users/me/menu/", of)
		if answer.Status != 200 {
			t.Fatal(answer.Status)
		}
		if len(answer.Statements) != 3 {
			t.Errorf("%d statements", len(answer.Statements))
		}
		answer.JSON(&a)
		return a
	}
	if m := menu(leena); m.Campaigns != 0 || m.Waiting != 0 || len(m.Monthly) != 0 || m.NextChargeOn != nil || m.ImageFilename == "" {
		t.Errorf("of somebody who has nothing: %+v", m)
	}
	draft, open := w.ReadyDraft("luonnos", reijo), w.ReadyDraft("auki", reijo, leena)
	if m := menu(reijo); m.Campaigns != 2 || m.CampaignsWaiting != 0 || m.Waiting != 0 {
		t.Errorf("%+v", m)
	}
	w.Exec(`UPDATE campaigns SET review = 'changes_requested' WHERE id = ?`, draft)
	w.Exec(`UPDATE campaigns SET stage = 2 WHERE id = ?`, open) // without an account to be paid out to
	if m := menu(reijo); m.CampaignsWaiting != 2 || m.Waiting != 2 {
		t.Errorf("what waits for the team: %+v", m)
	}
	w.Exec(`UPDATE campaigns SET payment_account_id = 'acct_1' WHERE id = ?`, open)
	if m := menu(leena); m.Campaigns != 1 || m.Waiting != 0 {
		t.Errorf("of a member of one: %+v", m)
	}
	w.Exec(`INSERT INTO experiments (slug, stage, language, image, created_at) VALUES ('koe', 0, 'fi', 'x.svg', now())`)
	w.Exec(`INSERT INTO experiment_invitations (experiment_id, user_id, as_owner, invited_by, invited_at, expires_at)
		SELECT id, ?, false, ?, now(), ? FROM experiments`, leena, reijo, w.Now().Add(time.Hour))
	if m := menu(leena); m.Invitations != 1 || m.Waiting != 1 {
		t.Errorf("of somebody who is invited: %+v", m)
	}
	if status := w.Get("/users/me/menu/", 0).Status; status != 401 {
		t.Errorf("for nobody: %d", status)
	}
}
