//go:build unix

package experiments_test

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"talkoot.fi/content/internal/experiments"
)

// Until its team shows it in the index an experiment is for the team and staff alone, whatever else is done to it: by address, in
// every list, by a like and on the pages of its people.
func TestExperiment_IsPrivateUntilItsTeamShowsIt(t *testing.T) {
	e := newTeam(t)
	e.Exec(`DELETE FROM experiments`)
	e.id = create(e.World, experiments.New{TeamUserIDs: []int64{e.owner, e.member}, ShowIn: map[string]bool{"front_page": true}})
	address, profile := e.path("fi"), fmt.Sprintf("/users/%d/profile/", e.owner)
	lists := []url.Values{{}, {"show_in": {"front_page"}}, {"sort": {"front_page"}}, {"sort": {"alphabetical"}}, {"keyword": {"koe"}},
		{"team_member_id": {fmt.Sprint(e.owner)}}}
	sees := func(reader int64) (seen []string) {
		if e.Get(address, reader).Status == http.StatusOK {
			seen = append(seen, "page")
		}
		for _, query := range lists {
			if ids, _ := listFor(e.World, reader, query); len(ids) > 0 {
				seen = append(seen, query.Encode())
			}
		}
		return seen
	}
	for name, reader := range map[string]int64{"a visitor": 0, "a stranger": e.stranger} {
		if seen := sees(reader); len(seen) > 0 {
			t.Errorf("%s sees it: %q", name, seen)
		}
		if got := e.Get(profile, reader).Status; got != http.StatusNotFound {
			t.Errorf("%s sees its owner's page: %d", name, got)
		}
	}
	if got := e.Post(e.path("likes"), "", e.stranger).Status; got != http.StatusNotFound {
		t.Errorf("a stranger likes it: %d", got)
	}
	for name, reader := range map[string]int64{"its owner": e.owner, "a member": e.member, "an admin": e.boss} {
		if e.Get(address, reader).Status != http.StatusOK {
			t.Errorf("%s does not see it", name)
		}
	}
	if ids, _ := listFor(e.World, e.owner, lists[len(lists)-1]); len(ids) != 1 {
		t.Errorf("the owner's own list has %v", ids)
	}
	var own struct {
		Profile struct {
			Experiments []struct {
				ID     int64 `json:"experiment_id"`
				Hidden bool
			}
		}
	}
	e.Get(profile, e.owner).JSON(&own)
	if list := own.Profile.Experiments; len(list) != 1 || list[0].ID != e.id || !list[0].Hidden {
		t.Errorf("the owner's own page has %+v", list)
	}
	e.patch(e.owner, "settings", `{"show_in": {"index": true}}`, 200)
	if seen := sees(0); len(seen) != 1+len(lists) || e.Get(profile, 0).Status != http.StatusOK {
		t.Errorf("once shown, a visitor sees %q", seen)
	}
	e.patch(e.member, "settings", `{"show_in": {"index": false}}`, 200)
	if seen := sees(0); len(seen) > 0 {
		t.Errorf("taken back, a visitor sees %q", seen)
	}
}

// Showing is in the name of the owner, who has confirmed their address and is not blocked, whoever presses.
func TestExperiment_IsShownOnlyInTheNameOfWhoHasConfirmedTheirAddress(t *testing.T) {
	e := newTeam(t)
	for change, want := range map[string]int{"verified = false": 403, "blocked_at = now()": 403, "verified = true, blocked_at = NULL": 200} {
		e.id = create(e.World, experiments.New{TeamUserIDs: []int64{e.owner, e.member}, ShowIn: map[string]bool{}})
		e.Exec(`UPDATE users SET verified = true, blocked_at = NULL WHERE id = ?`, e.owner)
		e.Exec(`UPDATE users SET `+change+` WHERE id = ?`, e.owner)
		for _, as := range []int64{e.member, e.boss} {
			e.patch(as, "settings", `{"show_in": {"index": true}}`, want)
		}
	}
	e.id = create(e.World, experiments.New{TeamUserIDs: []int64{e.owner, e.member}, ShowIn: map[string]bool{}})
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.owner)
	e.patch(e.owner, "settings", `{"geographic_location": {"place": "Oulu"}}`, 200) // what is not shown may be written
	begun := e.Post("/experiments/", `{"title": "Lumipallo"}`, e.owner)
	e.id = created(t, begun)
	if e.Get(e.path("fi"), 0).Status != http.StatusNotFound {
		t.Error("an experiment is public as soon as it is begun")
	}
	e.refused(e.owner, http.MethodPatch, "settings", `{"show_in": {"index": true}}`, 403, "address_unconfirmed")
}

// What was taken off the site is in no list, so staff have one of it to bring it back from.
func TestExperiments_ThatWereTakenOffTheSiteAreListedForStaffAlone(t *testing.T) {
	e := newTeam(t)
	e.Exec(`DELETE FROM experiments`)
	create(e.World, experiments.New{TeamUserIDs: []int64{e.owner}, ShowIn: map[string]bool{"index": true}})
	off := create(e.World, experiments.New{TeamUserIDs: []int64{e.owner}, ShowIn: map[string]bool{"index": true}})
	e.Exec(`UPDATE experiments SET disabled = true WHERE id = ?`, off)
	for _, query := range []url.Values{{}, {"sort": {"alphabetical"}}, {"sort": {"id"}}, {"keyword": {"koe"}}, {"sort": {"owner_name"}, "keyword": {"koe"}}} {
		query.Set("disabled", "true")
		if ids, total := listFor(e.World, e.boss, query); len(ids) != 1 || ids[0] != off || total != 1 {
			t.Errorf("%s: %v of %d", query.Encode(), ids, total)
		}
		for _, reader := range []int64{0, e.stranger, e.owner} {
			if got := e.Get("/experiments/preview/fi/?"+query.Encode(), reader).Status; got != http.StatusForbidden {
				t.Errorf("%s by %d: %d", query.Encode(), reader, got)
			}
		}
	}
	if ids, _ := listFor(e.World, e.boss, url.Values{}); len(ids) != 1 {
		t.Errorf("the usual list has %v", ids)
	}
}
