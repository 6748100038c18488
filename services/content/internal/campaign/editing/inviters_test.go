//go:build unix

package editing_test

import (
	"fmt"
	"net/http"
	"testing"
)

// Who is removed has no way back in: the invitations that they have sent end with their membership.
func TestTeam_TheInvitationsOfARemovedMemberEnd(t *testing.T) {
	e := newEditing(t)
	tokens := e.invite(e.second, "maijan.toinen@example.fi")
	e.must(e.Patch(e.admin, e.team(e.creator, e.third), e.creator))
	if got := e.Call(http.MethodPost, "/campaigns/invitations/"+tokens[0]+"/", e.second); got.Status == http.StatusOK {
		t.Errorf("a removed member is in the team again by an invitation to themselves: %s", got.Body)
	}
	e.is(e.creator, e.third)
}

// The invitations of those who stay, stay.
func TestTeam_TheInvitationsOfOthersStay(t *testing.T) {
	e := newEditing(t)
	tokens := e.invite(e.third, "outi@example.fi")
	e.must(e.Patch(e.admin, e.team(e.creator, e.third), e.creator))
	outi := e.Person("Outi")
	if got := e.Call(http.MethodPost, fmt.Sprintf("/campaigns/invitations/%s/", tokens[0]), outi); got.Status != http.StatusOK {
		t.Errorf("%d %s", got.Status, got.Body)
	}
	e.is(e.creator, e.third, outi)
}

// Else any account would be a way to mail strangers.
func TestTeam_OnlyWhoHasConfirmedTheirAddressInvites(t *testing.T) {
	e := newEditing(t)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.creator)
	body := fmt.Sprintf(`{"team": [{"user_id": %d}, {"user_id": %d}, {"user_id": %d}, {"email": "vieras@example.fi"}]}`, e.creator, e.second, e.third)
	e.refused(e.Patch(e.admin, body, e.creator), http.StatusForbidden, "address_unconfirmed")
	if tokens := e.issued(); len(tokens) != 0 {
		t.Errorf("%d invitations were sent", len(tokens))
	}
	e.must(e.Patch(e.admin, body, e.second))
}
