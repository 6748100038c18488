package access_test

import (
	"slices"
	"testing"

	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/campaign/access"
)

func TestRights_GoToTheTeamAndToThePlatformsStaff(t *testing.T) {
	for _, tt := range []struct {
		name   string
		scope  []string
		member bool
		want   access.Rights
	}{
		{"anonymous", nil, false, access.Rights{"view"}},
		{"stranger", []string{"view"}, false, access.Rights{"view"}},
		{"team member", []string{"view"}, true, access.Rights{"view", "edit"}},
		{"editor of the platform", []string{"view", "edit"}, false, access.Rights{"view", "edit"}},
		{"admin", []string{"view", "admin"}, false, access.Rights{"view", "edit", "admin"}},
		{"admin in the team", []string{"view", "edit", "admin"}, true, access.Rights{"view", "edit", "admin"}},
	} {
		got := access.Of(session.Identity{Scope: tt.scope}, tt.member)
		if !slices.Equal(got, tt.want) || got.CanEdit() != slices.Contains(tt.want, "edit") {
			t.Errorf("%s: %v, may edit %v; want %v", tt.name, got, got.CanEdit(), tt.want)
		}
	}
}
