//go:build unix

package experiments_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/person/capabilities"
)

// invited is what a person is invited to.
func (e team) invited(as int64) []api.OwnInvitation {
	e.t.Helper()
	var answer api.OwnInvitationsAnswer
	e.Get("/users/me/invitations/fi/", as).JSON(&answer)
	return answer.Invitations
}

func (e team) teamIs(ids ...int64) string {
	return fmt.Sprintf(`{"team": %s}`, strings.ReplaceAll(fmt.Sprint(ids), " ", ","))
}

// names are those of the team as anybody sees it.
func (e team) names() (list []string) {
	for _, m := range e.seenBy(0).Team {
		first, _, _ := strings.Cut(m.Name, " ")
		list = append(list, first)
	}
	return list
}

func (e team) mails(t *testing.T) (n int) {
	t.Helper()
	if err := e.DB.Raw(`SELECT count(*) FROM outbox WHERE kind = ?`, experiments.KindInvitation).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

func TestInvitation_NobodyIsShownInATeamBeforeTheyAgree(t *testing.T) {
	e := newTeam(t)
	e.introduce(e.stranger)
	for range 2 { // asking again is not another mail
		e.patch(e.owner, "settings", e.teamIs(e.owner, e.member, e.stranger), 200)
	}
	if got := fmt.Sprint(e.names()); got != "[Noora Ville]" || e.mails(t) != 1 {
		t.Errorf("%s, %d mails", got, e.mails(t))
	}
	if got := e.Get(e.path("admin/fi"), e.stranger); got.Status != 403 {
		t.Errorf("who is invited edits: %d", got.Status)
	}
	list := e.invited(e.stranger)
	if len(list) != 1 || list[0].InvitedBy != "Noora Testinen" || list[0].AsOwner || list[0].ExperimentID != e.id {
		t.Fatalf("%+v", list)
	}
	e.answers(e.boss, 410) // not theirs
	e.answers(e.stranger, 200)
	e.answers(e.stranger, 410)
	if got := fmt.Sprint(e.names()); got != "[Noora Ville Outi]" || len(e.invited(e.stranger)) > 0 {
		t.Errorf("%s, still invited to %v", got, e.invited(e.stranger))
	}
	if got := e.patch(e.stranger, "settings", `{}`, 200); len(got.Invitations) != 0 {
		t.Errorf("%+v", got.Invitations)
	}
}

func TestInvitation_ANewOwnerAgrees_WhoeverAsks(t *testing.T) {
	for name, as := range map[string]func(team) int64{"the owner": func(e team) int64 { return e.owner }, "staff": func(e team) int64 { return e.boss }} {
		e := newTeam(t)
		e.patch(as(e), "settings", e.teamIs(e.member, e.owner), 200)
		if got := e.seenBy(0).OwnerName; got != "Noora Testinen" {
			t.Errorf("%s: before they agree the owner is %s", name, got)
		}
		if list := e.invited(e.member); len(list) != 1 || !list[0].AsOwner {
			t.Fatalf("%s: %+v", name, list)
		}
		e.answers(e.member, 200)
		if got := fmt.Sprint(e.names()); got != "[Ville Noora]" {
			t.Errorf("%s: %s", name, got)
		}
	}
	// Who hands over and leaves in one change stays until then.
	e := newTeam(t)
	e.patch(e.owner, "settings", e.teamIs(e.member), 200)
	if got := fmt.Sprint(e.names()); got != "[Noora Ville]" {
		t.Errorf("%s", got)
	}
}

func TestInvitation_IsDeclinedAndWithdrawn(t *testing.T) {
	e := newTeam(t)
	e.introduce(e.stranger)
	ask := func() { e.patch(e.owner, "settings", e.teamIs(e.owner, e.member, e.stranger), 200) }
	ask()
	for range 2 {
		if got := e.Send(http.MethodDelete, e.path("invitation"), nil, e.stranger); got.Status != 204 {
			t.Errorf("decline: %d %s", got.Status, got.Body)
		}
	}
	e.answers(e.stranger, 410)
	ask()
	e.refused(e.member, "PATCH", "settings", `{"invitations": []}`, 403)
	if got := e.patch(e.owner, "settings", fmt.Sprintf(`{"invitations": [%d]}`, e.stranger), 200); len(got.Invitations) != 1 {
		t.Errorf("kept: %+v", got.Invitations)
	}
	if got := e.patch(e.owner, "settings", `{"invitations": []}`, 200); len(got.Invitations) != 0 {
		t.Errorf("withdrawn: %+v", got.Invitations)
	}
	e.answers(e.stranger, 410)
}

// Each ends an invitation that was good until then.
func TestInvitation_EndsWithWhatItWasGivenOn(t *testing.T) {
	for name, end := range map[string]func(team){
		"two weeks are over":     func(e team) { e.Advance(14*24*time.Hour + time.Minute) },
		"who invited is blocked": func(e team) { e.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, e.owner) },
		"the experiment is off":  func(e team) { e.Exec(`UPDATE experiments SET disabled = true WHERE id = ?`, e.id) },
		"who invited is staff no more": func(e team) {
			e.Exec(`DELETE FROM experiment_invitations`)
			e.patch(e.boss, "settings", e.teamIs(e.owner, e.member, e.stranger), 200)
			e.Exec(`UPDATE users SET scope = '{view}' WHERE id = ?`, e.boss)
		},
		"who invited has left": func(e team) { e.patch(e.member, "settings", e.teamIs(e.member), 200) },
		"who invited has a new password": func(e team) {
			e.Tx(func(ctx context.Context, tx *gorm.DB) error { return capabilities.End(ctx, tx, e.owner, "", e.Now()) })
		},
	} {
		e := newTeam(t)
		e.introduce(e.stranger)
		e.patch(e.owner, "settings", e.teamIs(e.owner, e.member, e.stranger), 200)
		if name == "who invited has left" { // by handing over first
			e.patch(e.owner, "settings", e.teamIs(e.member, e.owner), 200)
			e.answers(e.member, 200)
		}
		end(e)
		e.answers(e.stranger, 410)
		if list := e.invited(e.stranger); len(list) > 0 {
			t.Errorf("%s: still invited, %+v", name, list)
		}
	}
}

func TestInvitation_NeedsAConfirmedAddressAndIsBounded(t *testing.T) {
	e := newTeam(t)
	var people []int64
	for range 21 {
		people = append(people, e.Person("Uusi"))
	}
	e.introduce(people...)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.owner)
	e.refused(e.owner, "PATCH", "settings", e.teamIs(e.owner, e.member, people[0]), 403, "address_unconfirmed")
	e.Exec(`UPDATE users SET verified = true WHERE id = ?`, e.owner)
	e.refused(e.owner, "PATCH", "settings", e.teamIs(append([]int64{e.owner, e.member}, people[:16]...)...), 429, "too_many_invitations")
	if e.mails(t) != 0 {
		t.Error("a refused change has mailed")
	}
	e.patch(e.owner, "settings", e.teamIs(append([]int64{e.owner, e.member}, people[:15]...)...), 200)
	e.Advance(25 * time.Hour)
	e.refused(e.owner, "PATCH", "settings", e.teamIs(append([]int64{e.owner, e.member}, people[15:19]...)...), 422, "team_full")
	// Nobody is mailed without end, whoever asks.
	for i := range 11 {
		other := team{World: e.World, t: t, owner: e.Person("Muu"), member: e.member, id: 0}
		other.id = create(e.World, experiments.New{TeamUserIDs: []int64{other.owner}})
		want := 200
		if i == 10 {
			want = 429
		}
		if got := e.Patch(other.path("settings"), e.teamIs(other.owner, people[20]), other.owner); got.Status != want {
			t.Errorf("%d: %d %s", i, got.Status, got.Body)
		}
	}
}

func TestInvitation_WhoIsToOwnWhatIsShownHasConfirmedTheirAddress(t *testing.T) {
	e := newTeam(t)
	e.patch(e.owner, "settings", `{"show_in": {"index": true}}`, 200)
	e.patch(e.owner, "settings", e.teamIs(e.member, e.owner), 200)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.member)
	e.answers(e.member, 403)
	e.Exec(`UPDATE users SET verified = true WHERE id = ?`, e.member)
	e.answers(e.member, 200)
}

// As for the teams of campaigns.
func TestInvitation_SentWhileTheSessionEnds_IsNotMade(t *testing.T) {
	e := newTeam(t)
	e.introduce(e.stranger)
	e.Get(e.path("admin/fi"), e.owner) // their session has begun
	answers := e.Race(func(ctx context.Context, tx *gorm.DB) error {
		if err := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? FOR NO KEY UPDATE`, e.owner).Error; err != nil {
			return err
		}
		return capabilities.End(ctx, tx, e.owner, "", e.Now())
	}, func() contenttest.Answer {
		return e.Patch(e.path("settings"), e.teamIs(e.owner, e.member, e.stranger), e.owner)
	})
	if answers[0].Status != http.StatusUnauthorized || len(e.invited(e.stranger)) != 0 {
		t.Errorf("%d %s, invited to %v", answers[0].Status, answers[0].Body, e.invited(e.stranger))
	}
}
