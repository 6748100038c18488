//go:build unix

package experiments_test

import (
	"fmt"
	"strings"
	"testing"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/discovery/likes"
	"talkoot.fi/content/internal/experiments"
)

func TestSettings_TakeAnExperimentOffTheSiteOnlyWithTheAgreeFlag(t *testing.T) {
	e := newTeam(t)
	e.refused(e.owner, "PATCH", "settings", `{"disabled": true}`, 422, `"path":"agree"`)
	e.refused(e.owner, "PATCH", "settings", `{"disabled": true, "agree": false}`, 422, `"path":"agree"`)
	e.patch(e.owner, "settings", `{"disabled": true, "agree": true}`, 200)
	if ids, _ := list(e.World, nil); len(ids) > 0 || e.Get(e.path("fi"), 0).Status != 404 || e.Post(e.path("likes"), "", e.stranger).Status != 404 {
		t.Error("it is still on the site")
	}
	e.refused(e.owner, "PATCH", "settings", `{"disabled": false}`, 403)
	e.patch(e.boss, "settings", `{"disabled": false}`, 200)
	if ids, _ := list(e.World, nil); len(ids) != 1 {
		t.Error("it is not back")
	}
}

func TestSettings_StaffChooseTheFrontPageAndTheTeamTheIndex(t *testing.T) {
	e := newTeam(t)
	e.refused(e.owner, "PATCH", "settings", `{"show_in": {"front_page": true}}`, 403)
	got := e.patch(e.owner, "settings", `{"show_in": {"index": true}}`, 200)
	if !got.ShowIn["index"] || got.ShowIn["front_page"] {
		t.Errorf("%v", got.ShowIn)
	}
	got = e.patch(e.boss, "settings", `{"show_in": {"front_page": true}}`, 200)
	if !got.ShowIn["index"] || !got.ShowIn["front_page"] {
		t.Errorf("%v", got.ShowIn)
	}
	for _, body := range []string{`{"show_in": {"moon": true}}`, `{"show_in": {"index": "yes"}}`, `{"disabled": 1}`} {
		e.refused(e.owner, "PATCH", "settings", body, 400)
	}
	e.refused(e.owner, "PATCH", "settings", `{"language": "sv"}`, 422, `"path":"language"`)
	e.refused(e.owner, "PATCH", "settings", `{"language": "de"}`, 422)
	e.patch(e.owner, "language/sv", `{"title": "Försök"}`, 200)
	if got := e.patch(e.owner, "settings", `{"language": "sv"}`, 200); got.Language != "sv" {
		t.Errorf("%s", got.Language)
	}
}

func TestTeam_OnlyTheOwnerAndStaffChangeIt(t *testing.T) {
	e := newTeam(t)
	e.introduce(e.stranger)
	both := fmt.Sprintf(`{"team": [%d, %d, %d]}`, e.owner, e.member, e.stranger)
	e.refused(e.member, "PATCH", "settings", both, 403)
	if got := e.patch(e.owner, "settings", both, 200); len(got.Team) != 2 || len(got.Invitations) != 1 || got.Invitations[0].UserID != e.stranger {
		t.Errorf("%+v, invited %+v", got.Team, got.Invitations)
	}
	e.answers(e.stranger, 200)
	e.refused(e.owner, "PATCH", "settings", fmt.Sprintf(`{"team": [%d, %d]}`, e.owner, e.owner), 422, "unknown_person")
	e.refused(e.owner, "PATCH", "settings", `{"team": []}`, 422)
	e.patch(e.boss, "settings", fmt.Sprintf(`{"team": [%d, %d, %d]}`, e.member, e.owner, e.stranger), 200)
	e.answers(e.member, 200)
	if got := e.seenBy(0); got.OwnerName != "Ville Testinen" || len(got.Team) != 3 {
		t.Errorf("%s of %v", got.OwnerName, got.Team)
	}
	// Anybody may leave, after which they cannot see the answer.
	e.refused(e.stranger, "PATCH", "settings", fmt.Sprintf(`{"team": [%d, %d]}`, e.member, e.owner), 200)
	e.refused(e.stranger, "PATCH", "settings", `{"show_in": {"index": true}}`, 403)
}

// Otherwise a team would tell the name of any account, and give it a public page.
func TestTeam_TakesOnlyPeopleOfTheIndex_AndTellsNobodyWhoElseHasAnAccount(t *testing.T) {
	e := newTeam(t)
	blocked, unconfirmed := e.Person("Blocked"), e.Person("Unconfirmed")
	e.introduce(blocked, unconfirmed)
	e.Exec(`UPDATE users SET blocked_at = now() WHERE id = ?`, blocked)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, unconfirmed)
	faults := func(a contenttest.Answer) string {
		text, _, _ := strings.Cut(string(a.Body), `"request_id"`)
		return text
	}
	add := func(as, id int64) contenttest.Answer {
		return e.Patch(e.path("settings"), fmt.Sprintf(`{"team": [%d, %d, %d]}`, e.owner, e.member, id), as)
	}
	for _, as := range []int64{e.owner, e.boss} {
		nobody := add(as, 4711)
		if nobody.Status != 422 || !strings.Contains(string(nobody.Body), "unknown_person") {
			t.Fatalf("nobody: %d %s", nobody.Status, nobody.Body)
		}
		for name, id := range map[string]int64{"unlisted": e.stranger, "blocked": blocked, "unconfirmed": unconfirmed} {
			if got := add(as, id); got.Status != nobody.Status || faults(got) != faults(nobody) {
				t.Errorf("%s: %d %s, of nobody %d %s", name, got.Status, got.Body, nobody.Status, nobody.Body)
			}
			if got := e.Get(fmt.Sprintf("/users/%d/profile/", id), 0).Status; got != 404 {
				t.Errorf("%s has a page: %d", name, got)
			}
		}
	}
	// Who is in the team stays there, listed or not.
	e.introduce(e.stranger)
	if got := add(e.owner, e.stranger); got.Status != 200 {
		t.Errorf("listed: %d %s", got.Status, got.Body)
	}
	e.answers(e.stranger, 200)
	e.Exec(`UPDATE users SET short_description = '' WHERE id = ?`, e.stranger)
	e.patch(e.owner, "settings", fmt.Sprintf(`{"team": [%d, %d]}`, e.owner, e.stranger), 200)
}

func TestTeam_ItsOwnerWasInItBefore(t *testing.T) {
	e := newTeam(t)
	e.introduce(e.stranger)
	for _, as := range []int64{e.owner, e.boss} {
		e.refused(as, "PATCH", "settings", fmt.Sprintf(`{"team": [%d, %d]}`, e.stranger, e.owner), 422, "team[0]", "unknown_member")
		e.refused(as, "PATCH", "settings", `{"team": [4711]}`, 422, "team[0]", "unknown_member")
	}
	if got := e.seenBy(0); got.OwnerName != "Noora Testinen" {
		t.Errorf("the owner is %s", got.OwnerName)
	}
}

func TestLinks_AreAddressesOfTheWebAndOfMail(t *testing.T) {
	e := newTeam(t)
	got := e.do(e.owner, "POST", "links", `{"links": [{"url": "tyokaluseina.fi", "title": "Sivu"}, {"url": "", "title": " "},
		{"url": "noora@tyokaluseina.fi", "title": ""}, {"url": "https://www.instagram.com/x", "title": "@x"}]}`, 200)
	want := "[{Sivu https://tyokaluseina.fi} { mailto:noora@tyokaluseina.fi} {@x https://www.instagram.com/x}]"
	if fmt.Sprint(got.Links) != want {
		t.Errorf("%v", got.Links)
	}
	for _, url := range []string{"javascript:alert(1)", "mailto:", "mailto:a@b.fi?bcc=c@d.fi", "ftp://x.fi", "data:text/html,x", "x y", "//evil.fi"} {
		e.refused(e.owner, "POST", "links", fmt.Sprintf(`{"links": [{"url": %q, "title": "x"}]}`, url), 422, `links[0].url`, "web_or_email")
	}
	e.refused(e.owner, "POST", "links", `{"links": [{"url": "", "title": "x"}]}`, 422, "links[0].url")
	e.refused(e.owner, "POST", "links", `{"links": [`+strings.Repeat(`{"url": "", "title": ""},`, 20)+`{"url": "", "title": ""}]}`, 422)
	if shown := e.seenBy(0).Links; len(shown) != 3 {
		t.Errorf("visitors see %v", shown)
	}
}

func TestTags_AreKnownOnesOnceEach(t *testing.T) {
	e := newTeam(t)
	a, b := e.Tag("jakaminen"), e.Tag("korjaaminen")
	got := e.do(e.owner, "POST", "tags", fmt.Sprintf(`{"tags": [%d, %d, %d]}`, b, a, b), 200, "Accept-Language", "en")
	if fmt.Sprint(got.Tags) != fmt.Sprintf("[{<nil> %d jakaminen en} {<nil> %d korjaaminen en}]", a, b) {
		t.Errorf("%v", got.Tags)
	}
	e.refused(e.owner, "POST", "tags", `{"tags": [4711]}`, 422, "tags[0]")
	var all api.TagsAnswer
	e.Get("/experiments/tags/en/", 0).JSON(&all)
	if len(all.Tags) != 2 {
		t.Errorf("%v", all)
	}
}

func TestImage_IsAnUploadedOneOrTheDrawnOne(t *testing.T) {
	e := newTeam(t)
	body := func(name string) string {
		return fmt.Sprintf(`{"image_collection": {"cover": {"filename": %q}}}`, name)
	}
	e.refused(e.owner, "PATCH", "image_collection", body("nowhere.jpg"), 422, "unknown_picture")
	e.refused(e.owner, "PATCH", "image_collection", `{"image_collection": {"huge": {"filename": "x.jpg"}}}`, 400)
	e.Exec(`UPDATE experiments SET image = 'x.jpg' WHERE id = ?`, e.id)
	if got := e.patch(e.owner, "image_collection", body(""), 200); !got.ImageIsDrawn || got.Image != "scene-koe.svg" {
		t.Errorf("%s", got.Image)
	}
	if got := e.seenBy(0).ImageCollection["medium"].URL; got != "/media/640x400/scene-koe.svg" {
		t.Errorf("%s", got)
	}
}

func TestLikes_CountOnceAndOnlyOfConfirmedPeople(t *testing.T) {
	e := newTeam(t)
	unconfirmed := e.Person("Uusi")
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, unconfirmed)
	for i, step := range []struct {
		method string
		as     int64
		likes  int
	}{{"DELETE", e.owner, 0}, {"POST", e.owner, 1}, {"POST", e.owner, 1}, {"POST", e.stranger, 2}, {"POST", unconfirmed, 2}, {"DELETE", e.owner, 1}} {
		var got api.LikesAnswer
		e.Call(step.method, e.path("likes"), step.as).JSON(&got)
		if waits := got.WaitsForEmail != nil; got.Likes != step.likes || got.Liked != (step.method == "POST") || waits != (step.as == unconfirmed) {
			t.Errorf("step %d: %+v", i, got)
		}
	}
	if got := e.seenBy(e.stranger); got.LikeCount != 1 || len(got.MyRelationships) != 1 {
		t.Errorf("%d %v", got.LikeCount, got.MyRelationships)
	}
	// A like is no change of the experiment.
	if got := e.do(e.owner, "GET", "admin/fi", "", 200); got.Version != 1 {
		t.Errorf("version %d", got.Version)
	}
	if got := e.Call("POST", e.path("likes"), 0).Status; got != 401 {
		t.Errorf("anonymous: %d", got)
	}
}

func TestLikes_WaitUntilTheirPersonHasConfirmedTheirAddress(t *testing.T) {
	e := newTeam(t)
	e.Exec(`UPDATE users SET verified = false WHERE id = ?`, e.stranger)
	e.Call("POST", e.path("likes"), e.stranger)
	count := likes.Counter(e.DB, experiments.Likes())
	for range 2 { // messages may come twice
		err := count(t.Context(), outbox.Message{Payload: fmt.Appendf(nil, `{"user_id": %d}`, e.stranger)})
		if got := e.seenBy(0).LikeCount; err != nil || got != 1 {
			t.Errorf("%d likes, %v", got, err)
		}
	}
}
