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
