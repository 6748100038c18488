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
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/person/capabilities"
)

// invite invites addresses and returns the tokens that their mails would have.
func (e *editing) invite(as int64, emails ...string) (tokens []string) {
	e.t.Helper()
	places := []string{fmt.Sprintf(`{"user_id": %d}`, e.creator), fmt.Sprintf(`{"user_id": %d}`, e.second), fmt.Sprintf(`{"user_id": %d}`, e.third)}
	for _, email := range emails {
		places = append(places, fmt.Sprintf(`{"email": %q}`, email))
	}
	e.must(e.Patch(e.admin, `{"team": [`+strings.Join(places, ", ")+`]}`, as))
	return e.issued()
}

// issued takes the mails with invitations out of the outbox, and makes their tokens as the worker does.
func (e *editing) issued() (tokens []string) {
	e.t.Helper()
	var ids []int64
	err := e.DB.Raw(`WITH sent AS (DELETE FROM outbox WHERE kind = 'mail.invitation' RETURNING id, payload)
		SELECT CAST(payload ->> 'invitation_id' AS bigint) FROM sent ORDER BY id`).Scan(&ids).Error
	if err != nil {
		e.t.Fatal(err)
	}
	for _, id := range ids {
		_, token, ok, err := team.Issue(e.t.Context(), e.DB, id, e.Now())
		if err != nil {
			e.t.Fatal(err)
		}
		if ok {
			tokens = append(tokens, token)
		}
	}
	return tokens
}

func TestInvitation_AnswersTheSameWithAndWithoutAnAccount(t *testing.T) {
	e := newEditing(t)
	known := e.Person("Outi")
	var email string
	if err := e.DB.Raw(`SELECT upper(email) FROM users WHERE id = ?`, known).Scan(&email).Error; err != nil {
		t.Fatal(err)
	}
	body := func(email string) string {
		return fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}, {"email": %q}]}`, e.creator, e.second, e.third, email)
	}
	a, b := e.must(e.Patch(e.admin, body(" "+email), e.second)), e.must(e.Patch(e.admin, body("uusi@example.fi"),
		e.second))
	if len(a.Invitations) != 1 || a.Invitations[0].Email != email || len(b.Invitations) != 2 ||
		b.Invitations[1].Email != "uusi@example.fi" || len(b.Team) != 3 {
		t.Errorf("%+v then %+v", a.Invitations, b.Invitations)
	}
	if tokens := e.issued(); len(tokens) != 2 {
		t.Errorf("%d mails", len(tokens))
	}
	e.refused(e.Patch(e.admin, body("no address"), e.creator), http.StatusUnprocessableEntity, "invalid_fields",
		"team[3].email")
}

func TestInvitation_IsGoodOnceForWhoeverHoldsIt(t *testing.T) {
	e := newEditing(t)
	token := e.invite(e.creator, "joku@example.fi")[0]
	address := "/campaigns/invitations/" + token + "/"
	var shown api.InvitationAnswer
	e.Get(address, 0).JSON(&shown)
	if i := shown.Invitation; i.Title != "Kylätalon katto" || i.InvitedBy != "Pekka Testinen" ||
		i.Email != "j…@example.fi" || i.CampaignID != e.id {
		t.Errorf("%+v", i)
	}
	joins, late := e.Person("Outi"), e.Person("Ville")
	e.refused(e.Post(address, "", 0), http.StatusUnauthorized, "not_authenticated")
	var joined api.CreatedCampaignAnswer
	e.Post(address, "", joins).JSON(&joined)
	e.is(e.creator, e.second, e.third, joins)
	if joined.Campaign.CampaignID != e.id || joined.Campaign.Slug != "katto" || joined.Campaign.Version != 2 {
		t.Errorf("%+v", joined)
	}
	e.refused(e.Post(address, "", late), http.StatusGone, "invitation_expired")
	e.refused(e.Get(address, 0), http.StatusGone, "invitation_expired")
	e.refused(e.Get("/campaigns/invitations/"+strings.Repeat("A", 26), 0), http.StatusGone, "invitation_expired")
	if a := e.must(e.Get(e.admin, joins)); len(a.Invitations) != 0 || len(a.Team) != 4 {
		t.Errorf("%+v", a)
	}
	again := e.Post("/campaigns/invitations/"+e.inviteMore("toinen@example.fi")+"/", "", joins)
	if e.is(e.creator, e.second, e.third, joins); again.Status != http.StatusOK {
		t.Errorf("a member who accepts: %d", again.Status)
	}
}

func (e *editing) inviteMore(email string) string {
	e.t.Helper()
	var team []int64
	if err := e.DB.Raw(`SELECT user_id FROM campaign_team WHERE campaign_id = ? ORDER BY position`, e.id).Scan(&team).Error; err != nil {
		e.t.Fatal(err)
	}
	body := strings.TrimSuffix(e.team(team...), "]}") + fmt.Sprintf(`, {"email": %q}]}`, email)
	e.must(e.Patch(e.admin, body, e.creator))
	return e.issued()[0]
}

func TestInvitation_EndsWhenItIsReplacedWithdrawnOrOld(t *testing.T) {
	e := newEditing(t)
	ended := func(token string) {
		t.Helper()
		e.refused(e.Get("/campaigns/invitations/"+token, 0), http.StatusGone, "invitation_expired")
		e.refused(e.Post("/campaigns/invitations/"+token, "", e.Person("Outi")), http.StatusGone, "invitation_expired")
	}
	first := e.invite(e.creator, "joku@example.fi")[0]
	second := e.invite(e.creator, "JOKU@example.fi", "toinen@example.fi")
	ended(first)
	if a := e.must(e.Patch(e.admin, `{"invitations": ["toinen@example.fi"]}`, e.second)); len(a.Invitations) != 1 {
		t.Errorf("%+v", a.Invitations)
	}
	ended(second[0])
	e.Advance(14 * 24 * time.Hour)
	ended(second[1])
	if a := e.must(e.Get(e.admin, e.creator)); len(a.Invitations) != 0 {
		t.Errorf("%+v", a.Invitations)
	}
	e.is(e.creator, e.second, e.third)
	e.Advance(30 * 24 * time.Hour)
	if err := team.Prune(t.Context(), e.DB, e.Now()); err != nil {
		t.Fatal(err)
	}
	var kept int
	if err := e.DB.Raw(`SELECT count(*) FROM team_invitations`).Scan(&kept).Error; err != nil || kept != 0 {
		t.Errorf("%d invitations are kept, %v", kept, err)
	}
}

func TestInvitation_IsLimitedByDayAndByPlaces(t *testing.T) {
	e := newEditing(t)
	var many []string
	for i := range 15 {
		many = append(many, fmt.Sprintf("a%d@example.fi", i))
	}
	e.invite(e.creator, many...)
	more := fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}, {"email": "b@example.fi"}], "invitations": []}`, e.creator, e.second, e.third)
	e.refused(e.Patch(e.admin, more, e.creator), http.StatusTooManyRequests, "too_many_invitations")
	if a := e.must(e.Get(e.admin, e.creator)); len(a.Invitations) != 15 {
		t.Errorf("a refused change leaves %d invitations", len(a.Invitations))
	}
	e.Advance(25 * time.Hour)
	e.refused(e.Patch(e.admin, fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}, {"email": "b@example.fi"}, {"email": "c@example.fi"}, {"email": "d@example.fi"}]}`,
		e.creator, e.second, e.third), e.creator), http.StatusUnprocessableEntity, "invalid_fields", "team")
	e.must(e.Patch(e.admin, more, e.creator))
}

// Somebody else was in the account, and invited an address of theirs at the moment in which its owner ended all sessions.
func TestInvitation_SentWhileTheSessionEnds_IsNotMade(t *testing.T) {
	e := newEditing(t)
	e.Get(e.admin, e.creator) // their session has begun
	answers := e.Race(func(ctx context.Context, tx *gorm.DB) error {
		if err := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? FOR NO KEY UPDATE`, e.creator).Error; err != nil {
			return err
		}
		return capabilities.End(ctx, tx, e.creator, "", e.Now())
	}, func() contenttest.Answer {
		return e.Patch(e.admin, fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}, {"email": "joku@example.fi"}]}`,
			e.creator, e.second, e.third), e.creator)
	})
	e.refused(answers[0], http.StatusUnauthorized, "token_expired")
	if got := e.texts(`SELECT email FROM team_invitations`); len(got) != 0 {
		t.Errorf("invited are %v", got)
	}
}
