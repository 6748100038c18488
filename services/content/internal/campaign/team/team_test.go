//go:build unix

package team_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/writing/changes"
)

// invited is a world with one open invitation, and its token.
func invited(t *testing.T, w *contenttest.World) (campaignID int64, token string) {
	creator := w.Person("Pekka")
	campaignID = w.ReadyDraft("katto", creator)
	return campaignID, invitedBy(t, w, campaignID, creator)
}

// invitedBy is the token of the one invitation to a campaign, which somebody sends.
func invitedBy(t *testing.T, w *contenttest.World, campaignID, by int64) (token string) {
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return team.Invite(ctx, tx, campaigns.Edit{CampaignID: campaignID, By: changes.User(by), Now: w.Now()}, by, []string{"joku@example.fi"})
	})
	var id int64
	if err := w.DB.Raw(`SELECT id FROM team_invitations`).Scan(&id).Error; err != nil {
		t.Fatal(err)
	}
	_, token, ok, err := team.Issue(t.Context(), w.DB, id, w.Now())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	return token
}

// Else an editor could invite addresses of their own everywhere before they lose their rights.
func TestInvitation_OfWhoIsStaffNoMore_IsOver(t *testing.T) {
	w := contenttest.New(t)
	campaignID, editor := w.ReadyDraft("katto", w.Person("Pekka")), w.Person("Toimittaja", "view", "edit")
	token := invitedBy(t, w, campaignID, editor)
	if o, err := team.Look(t.Context(), w.DB, token, "fi", w.Now()); err != nil || o.CampaignID != campaignID {
		t.Fatalf("%+v, %v", o, err)
	}
	w.Exec(`UPDATE users SET scope = '{view}' WHERE id = ?`, editor)
	if _, err := team.Look(t.Context(), w.DB, token, "fi", w.Now()); !errors.Is(err, team.ErrLink) {
		t.Errorf("it is shown: %v", err)
	}
	if _, err := team.Accept(t.Context(), w.DB, token, w.Person("Toimittaja itse"), w.Now()); !errors.Is(err, team.ErrLink) {
		t.Errorf("it is accepted: %v", err)
	}
	if list, err := team.Open(t.Context(), w.DB, campaignID, w.Now()); err != nil || len(list) != 0 {
		t.Errorf("it is open: %+v, %v", list, err)
	}
}

func TestAccept_OfManyAtOnceOneJoins(t *testing.T) {
	w := contenttest.New(t)
	campaignID, token := invited(t, w)
	people := make([]int64, 6)
	for i := range people {
		people[i] = w.Person("Outi")
	}
	var all sync.WaitGroup
	var joined atomic.Int64
	for _, person := range people {
		all.Go(func() {
			switch _, err := team.Accept(t.Context(), w.DB, token, person, w.Now()); {
			case err == nil:
				joined.Add(1)
			case !errors.Is(err, team.ErrLink):
				t.Error(err)
			}
		})
	}
	all.Wait()
	var members int64
	if err := w.DB.Raw(`SELECT count(*) FROM campaign_team WHERE campaign_id = ?`, campaignID).Scan(&members).Error; err != nil {
		t.Fatal(err)
	}
	if joined.Load() != 1 || members != 2 {
		t.Errorf("%d joined, the team has %d", joined.Load(), members)
	}
}

// A mail that is sent again after a crash has another link; whichever the reader opens, both are good until one is
// used.
func TestIssue_TheLinksOfOneInvitationEndTogether(t *testing.T) {
	w := contenttest.New(t)
	_, first := invited(t, w)
	var id int64
	if err := w.DB.Raw(`SELECT id FROM team_invitations`).Scan(&id).Error; err != nil {
		t.Fatal(err)
	}
	_, second, ok, err := team.Issue(t.Context(), w.DB, id, w.Now())
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	for _, token := range []string{first, second} {
		if o, err := team.Look(t.Context(), w.DB, token, "fi", w.Now()); err != nil || o.Email != "joku@example.fi" {
			t.Errorf("%+v, %v", o, err)
		}
	}
	if _, err := team.Accept(t.Context(), w.DB, second, w.Person("Outi"), w.Now()); err != nil {
		t.Fatal(err)
	}
	if _, err := team.Accept(t.Context(), w.DB, first, w.Person("Ville"), w.Now()); !errors.Is(err, team.ErrLink) {
		t.Errorf("the other link: %v", err)
	}
	var stored int
	err = w.DB.Raw(`SELECT count(*) FROM team_invitation_links WHERE token_hash = ? OR token_hash = ?`, []byte(first), []byte(second)).
		Scan(&stored).Error
	if err != nil || stored != 0 {
		t.Errorf("%d tokens are stored as they are, %v", stored, err)
	}
	if _, _, ok, err := team.Issue(t.Context(), w.DB, id, w.Now()); ok || err != nil {
		t.Errorf("a mail of an ended invitation: %t, %v", ok, err)
	}
}

func TestMasked_HidesTheMiddle(t *testing.T) {
	for email, want := range map[string]string{"maija@example.fi": "m…@example.fi", "ä@b.fi": "…@b.fi", "äiti@b.fi": "ä…@b.fi", "@b.fi": "…", "": "…", `"a@b"@c.fi`: `"…@c.fi`} {
		if got := team.Masked(email); got != want {
			t.Errorf("%s: %s, want %s", email, got, want)
		}
	}
}
