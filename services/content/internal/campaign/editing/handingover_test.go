//go:build unix

package editing_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/person/capabilities"
)

// asks has somebody put a member first in the team of three, and returns the token of the mail that asks them.
func (e *editing) asks(as, member int64) (token string) {
	e.t.Helper()
	e.must(e.Patch(e.admin, e.first(member), as))
	tokens := e.issued()
	if len(tokens) != 1 {
		e.t.Fatalf("%d are asked", len(tokens))
	}
	return tokens[0]
}

// first is the team of three with one of them first, as a body.
func (e *editing) first(member int64) string {
	ids := []int64{member}
	for _, id := range []int64{e.creator, e.second, e.third} {
		if id != member {
			ids = append(ids, id)
		}
	}
	return e.team(ids...)
}

func (e *editing) accepts(as int64, token string, want int) {
	e.t.Helper()
	if got := e.Post("/campaigns/invitations/"+token+"/", "", as); got.Status != want {
		e.t.Errorf("accept: %d %s, want %d", got.Status, got.Body, want)
	}
}

func (e *editing) handsOver(as, member int64) {
	e.t.Helper()
	e.accepts(member, e.asks(as, member), http.StatusOK)
}

func TestHandingOver_NobodyIsTheCreatorBeforeTheyAgree_WhoeverAsks(t *testing.T) {
	for name, as := range map[string]func(*editing) int64{
		"the creator": func(e *editing) int64 { return e.creator },
		"staff":       func(e *editing) int64 { return e.Person("Henna", "view", "edit") },
	} {
		e := newEditing(t)
		token := e.asks(as(e), e.second)
		e.is(e.creator, e.second, e.third)
		if a := e.must(e.Get(e.admin, e.creator)); len(a.Invitations) != 1 || !a.Invitations[0].AsCreator {
			t.Errorf("%s: %+v", name, a.Invitations)
		}
		if got := e.texts(`SELECT DISTINCT preview -> 'creator' ->> 'user_id' FROM campaign_previews WHERE campaign_id = ?`, e.id); len(got) != 1 || got[0] != fmt.Sprint(e.creator) {
			t.Errorf("%s: lists name %v as the creator", name, got)
		}
		var shown api.InvitationAnswer
		e.Get("/campaigns/invitations/"+token+"/", 0).JSON(&shown)
		if !shown.Invitation.AsCreator {
			t.Errorf("%s: the link says %+v", name, shown.Invitation)
		}
		for _, other := range []int64{e.third, e.Person("Outi")} { // the link is theirs alone
			e.accepts(other, token, http.StatusGone)
		}
		e.is(e.creator, e.second, e.third)
		e.accepts(e.second, token, http.StatusOK)
		e.is(e.second, e.creator, e.third)
		e.accepts(e.second, token, http.StatusGone)
	}
}

// Who is asked last is asked; each of the others ends an invitation that was good until then.
func TestHandingOver_EndsWithWhatItWasAskedOn(t *testing.T) {
	for name, end := range map[string]func(*editing){
		"another is asked":      func(e *editing) { e.asks(e.creator, e.third) },
		"it is withdrawn":       func(e *editing) { e.must(e.Patch(e.admin, `{"invitations": []}`, e.creator)) },
		"two weeks are over":    func(e *editing) { e.Advance(14*24*time.Hour + time.Minute) },
		"they leave the team":   func(e *editing) { e.Patch(e.admin, e.team(e.creator, e.third), e.second) },
		"they are removed":      func(e *editing) { e.must(e.Patch(e.admin, e.team(e.creator, e.third), e.creator)) },
		"who asked has changed": func(e *editing) { e.staffHandOver(e.third) },
		"who asked has a new password": func(e *editing) {
			e.Tx(func(ctx context.Context, tx *gorm.DB) error { return capabilities.End(ctx, tx, e.creator, "", e.Now()) })
		},
	} {
		e := newEditing(t)
		token := e.asks(e.creator, e.second)
		end(e)
		e.accepts(e.second, token, http.StatusGone)
		if got := e.texts(`SELECT user_id FROM campaign_team WHERE campaign_id = ? AND position = 0`, e.id); got[0] == fmt.Sprint(e.second) {
			t.Errorf("%s: they are the creator", name)
		}
	}
}

func (e *editing) staffHandOver(to int64) { e.handsOver(e.Person("Henna", "view", "edit"), to) }

// A member of staff who is in the team and puts themself first has agreed.
func TestHandingOver_ToThemselfAsksNobody(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	e.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 3)`, e.id, staff)
	e.must(e.Patch(e.admin, e.team(staff, e.creator, e.second, e.third), staff))
	e.is(staff, e.creator, e.second, e.third)
	if tokens := e.issued(); len(tokens) != 0 {
		t.Errorf("%d mails", len(tokens))
	}
}

func TestHandingOver_NeedsAConfirmedAddressAndIsBounded(t *testing.T) {
	e := newEditing(t)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.creator)
	e.refused(e.Patch(e.admin, e.first(e.second), e.creator), http.StatusForbidden, "address_unconfirmed")
	e.Exec(`UPDATE users SET verified = true WHERE id = ?`, e.creator)
	for i := range 16 {
		want := http.StatusOK
		if i == 15 {
			want = http.StatusTooManyRequests
		}
		if got := e.Patch(e.admin, e.first(e.second), e.creator); got.Status != want {
			t.Errorf("%d: %d %s", i, got.Status, got.Body)
		}
	}
	if got := e.texts(`SELECT id FROM team_invitations WHERE ended_at IS NULL`); len(got) != 1 {
		t.Errorf("%s are open", strings.Join(got, ", "))
	}
}
