//go:build unix

package people_test

import (
	"bytes"
	"fmt"
	"image"
	"image/jpeg"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
)

func own(w *contenttest.World, id int64) api.Profile {
	var answer api.ProfileAnswer
	w.Get("/users/me/profile/", id).JSON(&answer)
	return answer.Profile
}

func TestOwnProfile_HasWhatIsPrivate_AndCountsWhatOneHasCreated(t *testing.T) {
	w := contenttest.New(t)
	id, category := w.Person("Aino"), w.Category("art")
	w.Exec(`UPDATE users SET phone = '+358 40 1', language = 'sv' WHERE id = ?`, id)
	monthly := campaignOf(w, id, category, "Kuukausi", campaigns.StageDraft)
	w.Exec(`UPDATE campaigns SET opens_as = 6, payment_user_id = 'm', payment_wallet_id = 'w' WHERE id = ?`, monthly)
	campaignOf(w, id, category, "Kerta", campaigns.StageDraft)
	p := own(w, id)
	if p.Meta.Phone != "+358 40 1" || p.Settings.Language != "sv" || !p.Settings.Mail.Letters || p.Settings.Verified || !p.Settings.EmailConfirmed || p.Settings.ShowBacked {
		t.Errorf("%+v", p)
	}
	if p.SubscriptionCreated != 1 || p.MangopayCreated != 1 || p.StripeCreated != 1 {
		t.Errorf("created: %d monthly, %d Mangopay, %d Stripe", p.SubscriptionCreated, p.MangopayCreated, p.StripeCreated)
	}
}

func TestChangeProfile_ChangesWhatIsNamed_AndKeepsTheRest(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	answer := w.Patch("/users/me/profile", `{"short_description": " Neuloo\u202e ahvenia. ", "meta": {"phone": "\u202a+358\u00a040\u2011123\u202c"}}`, id)
	var changed api.ProfileAnswer
	answer.JSON(&changed)
	p := changed.Profile
	if p.ShortDescription != "Neuloo ahvenia." || p.Meta.Phone != "+358 40-123" || p.FirstName != "Aino" || p.Version != 2 || answer.Header.Get("ETag") != `"2"` {
		t.Errorf("%s %+v", answer.Header.Get("ETag"), p)
	}
	if answer := w.Patch("/users/me/profile/", `{"first_name": "Aino"}`, id); answer.Header.Get("ETag") != `"2"` {
		t.Errorf("what is so already has made version %s", answer.Header.Get("ETag"))
	}
	w.Patch("/users/me/profile", `{"short_description": "", "meta": {"phone": ""}}`, id)
	if p := own(w, id); p.ShortDescription != "" || p.Meta.Phone != "" {
		t.Errorf("not cleared: %+v", p)
	}
	var log string
	w.DB.Raw(`SELECT string_agg(before::text || after::text, ' ' ORDER BY id) FROM audit_log WHERE entity = 'user' AND entity_id = ?`, fmt.Sprint(id)).Scan(&log)
	if !strings.Contains(log, "Neuloo ahvenia.") || !strings.Contains(log, "meta.phone") || strings.Contains(log, "123") {
		t.Errorf("the log has the introduction and not the number: %s", log)
	}
}

func TestChangeProfile_OfTwoTabsTheSecondIsToldWhatChanged(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	w.Patch("/users/me/profile", `{"short_description": "Yksi"}`, id, "If-Match", `"1"`)
	answer := w.Patch("/users/me/profile", `{"first_name": "Aina"}`, id, "If-Match", `"1"`)
	if answer.Status != http.StatusPreconditionFailed || !strings.Contains(string(answer.Body), "short_description") {
		t.Errorf("%d %s", answer.Status, answer.Body)
	}
	if p := own(w, id); p.FirstName != "Aino" || p.ShortDescription != "Yksi" {
		t.Errorf("%+v", p)
	}
	if answer := w.Post("/users/me/skills/", `{"skills": ["Hitsaus"]}`, id); answer.Status != 200 {
		t.Errorf("without If-Match: %d %s", answer.Status, answer.Body)
	}
}

func TestChanges_BadInputIsRefused_WithItsField(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	many := func(n int, one string) string { return strings.TrimSuffix(strings.Repeat(one+",", n), ",") }
	for _, c := range []struct {
		method, path, body string
		status             int
		field              string
	}{
		{"PATCH", "/users/me/profile", `{"first_name": "Talkoot"}`, 422, "first_name"},
		{"PATCH", "/users/me/profile", `{"last_name": "Ylläpito"}`, 422, "last_name"},
		{"PATCH", "/users/me/profile", `{"first_name": "Ad", "last_name": "min"}`, 422, "first_name"},
		{"PATCH", "/users/me/profile", `{"first_name": "evil.example"}`, 422, "first_name"},
		{"PATCH", "/users/me/profile", `{"first_name": " "}`, 422, "first_name"},
		{"PATCH", "/users/me/profile", `{"first_name": null}`, 422, "first_name"},
		{"PATCH", "/users/me/profile", `{"first_name": 1}`, 400, "first_name"},
		{"PATCH", "/users/me/profile", `{"email": "x@y.fi"}`, 400, "email"},
		{"PATCH", "/users/me/profile", `{"scope": ["admin"]}`, 400, "scope"},
		{"PATCH", "/users/me/profile", `{"settings": {"verified": true}}`, 400, "settings"},
		{"PATCH", "/users/me/profile", `{"short_description": "` + strings.Repeat("ä", 281) + `"}`, 422, "short_description"},
		{"PATCH", "/users/me/profile", `{"meta": {"phone": "call me"}}`, 422, "meta.phone"},
		{"PATCH", "/users/me/profile", `{"meta": {"phone": "12"}}`, 422, "meta.phone"},
		{"PATCH", "/users/me/profile/image_collection", `{"image_collection": {"profile": {"filename": "nobodys.jpg"}}}`, 422, "image_collection.profile.filename"},
		{"PATCH", "/users/me/profile/image_collection", `{"image_collection": {"profile": {"filename": "../../etc/passwd"}}}`, 422, "image_collection.profile.filename"},
		{"PATCH", "/users/me/profile/image_collection", `{"image_collection": {}}`, 422, "image_collection.profile"},
		{"POST", "/users/me/links/", `{"links": [{"title": "x"}]}`, 422, "links[0].url"},
		{"POST", "/users/me/links/", `{"links": [{}, {"url": "javascript:alert(1)"}]}`, 422, "links[1].url"},
		{"POST", "/users/me/links/", `{"links": [{"url": "mailto:a@b.fi?bcc=c@d.fi"}]}`, 422, "links[0].url"},
		{"POST", "/users/me/links/", `{"links": [{"url": "data:text/html,x"}]}`, 422, "links[0].url"},
		{"POST", "/users/me/links/", `{"links": [{"url": "https://user:pass@x.fi"}]}`, 422, "links[0].url"},
		{"POST", "/users/me/links/", `{"links": [{"url": "http://127.0.0.1/"}]}`, 422, "links[0].url"},
		{"POST", "/users/me/links/", `{"links": [{"url": "x", "evil": 1}]}`, 400, "links[0].evil"},
		{"POST", "/users/me/links/", `{"links": [` + many(21, `{"url": "x.fi"}`) + `]}`, 422, "links"},
		{"POST", "/users/me/skills/", `{"skills": [` + many(21, `"x"`) + `]}`, 422, "skills"},
		{"POST", "/users/me/skills/", `{"skills": ["` + strings.Repeat("x", 61) + `"]}`, 422, "skills[0]"},
		{"POST", "/users/me/skills/", `{"skills": "x"}`, 400, "skills"},
		{"POST", "/users/me/tags/", `{"tags": [` + many(21, `1`) + `]}`, 422, "tags"},
		{"POST", "/users/me/tags/", `{"tags": [999]}`, 422, "tags[0]"},
		{"PATCH", "/users/me/settings/", `{"language": "de"}`, 422, "language"},
		{"PATCH", "/users/me/settings/", `{"mail": {"money": false}}`, 400, "mail.money"},
		{"PATCH", "/users/me/settings/", `{"verified": true}`, 400, "verified"},
	} {
		answer := w.Send(c.method, c.path, strings.NewReader(c.body), id)
		if answer.Status != c.status || !strings.Contains(string(answer.Body), `"path":"`+c.field+`"`) {
			t.Errorf("%s %.80s: %d, want %d at %s: %s", c.path, c.body, answer.Status, c.status, c.field, answer.Body)
		}
	}
	for _, list := range []string{"skills", "tags", "links"} {
		if answer := w.Post("/users/me/"+list+"/", `{"`+list+`": [`+many(10_000, `1`)+`]}`, id); answer.Status != http.StatusBadRequest {
			t.Errorf("10,000 %s: %d", list, answer.Status)
		}
	}
	if p := own(w, id); p.Version != 1 {
		t.Errorf("version %d", p.Version)
	}
}

func TestSetLinks_LeavesOutEmptyRows_AndCompletesAddresses(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	answer := w.Post("/users/me/links/", `{"links": [{"url": "", "title": " "}, {"url": "instagram.com/njuolla", "title": "Instagram"},
		{"url": " https://njuolla.fi/a?b=c "}, {}, {"url": "aino@njuolla.fi", "title": "\u202ePosti"}]}`, id)
	var changed api.ProfileAnswer
	answer.JSON(&changed)
	want := "[{Instagram https://instagram.com/njuolla} { https://njuolla.fi/a?b=c} {Posti mailto:aino@njuolla.fi}]"
	if got := fmt.Sprint(changed.Profile.Links); got != want {
		t.Errorf("links %s, want %s", got, want)
	}
	introduce(w, id, "Virta", "x")
	var page api.PublicProfileAnswer
	publicPage(w, id, 0).JSON(&page)
	if got := fmt.Sprint(page.Profile.Links); got != want {
		t.Errorf("public links %s", got)
	}
}

func TestPages_LeaveOutLinksThatAreNotSafeToFollow(t *testing.T) {
	w := contenttest.New(t)
	id := introduce(w, w.Person("Aino"), "Virta", "x")
	w.Exec(`UPDATE users SET links = '[{"url": "javascript:alert(1)", "title": "old"}, {"url": "https://fine.fi", "title": "ok"}]' WHERE id = ?`, id)
	for name, answer := range map[string]contenttest.Answer{"page": publicPage(w, id, 0), "index": w.Get("/users/preview/", 0), "own": w.Get("/users/me/profile", id)} {
		if body := string(answer.Body); strings.Contains(body, "javascript") || !strings.Contains(body, "https://fine.fi") {
			t.Errorf("%s: %s", name, body)
		}
	}
}

func TestSetSkills_KeepsTheirOrder_EachOnce(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	var changed api.ProfileAnswer
	w.Post("/users/me/skills/", `{"skills": ["Yoik", " ", "Bookbinding", "yoik", " Northern  Sámi "]}`, id).JSON(&changed)
	if got := fmt.Sprintf("%q", changed.Profile.Skills); got != `["Yoik" "Bookbinding" "Northern Sámi"]` {
		t.Errorf("skills %s", got)
	}
}

func TestChanges_OfWhoCreatesCampaigns_AreInTheirPreviewsAtOnce(t *testing.T) {
	w := contenttest.New(t)
	id := w.Person("Aino")
	campaign := campaignOf(w, id, w.Category("art"), "Kampanja", campaigns.StageFunding)
	w.Patch("/users/me/profile", `{"first_name": "Aina", "short_description": "Neuloo."}`, id)
	w.Patch("/users/me/settings/", `{"language": "sv"}`, id)
	var answer api.CampaignAnswer
	w.Get(fmt.Sprintf("/campaigns/%d/fi/", campaign), 0).JSON(&answer)
	if c := answer.Campaign.Creator; c.Name != "Aina Testinen" || c.ShortDescription != "Neuloo." || c.Verified || *c.Language != "sv" {
		t.Errorf("creator %+v", c)
	}
	admin := w.Person("Admin", "view", "edit", "admin")
	w.Patch(fmt.Sprintf("/users/%d/admin/", id), `{"settings": {"verified": true}}`, admin)
	if stale, err := campaigns.RecomputePreviews(t.Context(), w.DB); err != nil || len(stale) > 0 {
		t.Errorf("stale: %v %v", stale, err)
	}
	w.Get(fmt.Sprintf("/campaigns/%d/fi/", campaign), 0).JSON(&answer)
	if !answer.Campaign.Creator.Verified {
		t.Error("not shown as verified")
	}
}

// withGPS is a JPEG whose EXIF block says where it was taken.
func withGPS(t *testing.T) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := jpeg.Encode(&file, image.NewGray(image.Rect(0, 0, 40, 40)), nil); err != nil {
		t.Fatal(err)
	}
	// A TIFF header, an IFD that points to a GPS IFD, and in that the latitude's reference and a datum.
	tiff := "II*\x00\x08\x00\x00\x00\x01\x00\x25\x88\x04\x00\x01\x00\x00\x00\x1a\x00\x00\x00\x00\x00\x00\x00" +
		"\x02\x00\x01\x00\x02\x00\x02\x00\x00\x00N\x00\x00\x00\x12\x00\x02\x00\x07\x00\x00\x00\x38\x00\x00\x00\x00\x00\x00\x00WGS-84\x00"
	body := "Exif\x00\x00" + tiff
	length := len(body) + 2
	return append(append(append([]byte{}, file.Bytes()[:2]...),
		append([]byte{0xff, 0xe1, byte(length >> 8), byte(length)}, body...)...), file.Bytes()[2:]...)
}

// upload sends a picture as the app does and returns its name.
func upload(t *testing.T, w *contenttest.World, file []byte, as int64) string {
	t.Helper()
	var form bytes.Buffer
	writer := multipart.NewWriter(&form)
	part, err := writer.CreateFormFile("file", "aino.jpg")
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = writer.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	answer := w.Send(http.MethodPost, "/files/images/", &form, as, "Content-Type", writer.FormDataContentType())
	if answer.Status != http.StatusCreated {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	_, after, _ := strings.Cut(string(answer.Body), `"filename":"`)
	name, _, _ := strings.Cut(after, `"`)
	return name
}

func TestProfileImage_IsUploadedPutInPlaceAndRead_WithoutThePlaceInIt(t *testing.T) {
	w := contenttest.New(t)
	id := introduce(w, w.Person("Aino"), "Virta", "x")
	sent := withGPS(t)
	if !bytes.Contains(sent, []byte("WGS-84")) {
		t.Fatal("the picture that is sent names no place")
	}
	name := upload(t, w, sent, id)
	var changed api.ProfileAnswer
	w.Patch("/users/me/profile/image_collection", `{"image_collection": {"profile": {"filename": "`+name+`"}}}`, id).JSON(&changed)
	if got := changed.Profile.ImageCollection.Profile; got.Filename != name || got.URL != "/media/{width}x{height}/"+name {
		t.Errorf("picture %+v", got)
	}
	files := 0
	err := filepath.WalkDir(w.FilesDir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte("Exif")) || bytes.Contains(content, []byte("WGS-84")) {
			t.Errorf("%s has the place", path)
		}
		return err
	})
	if err != nil || files == 0 {
		t.Errorf("%d files, %v", files, err)
	}
	if !strings.Contains(string(w.Get("/users/preview/", 0).Body), name) {
		t.Error("the index shows another picture")
	}
	w.Patch("/users/me/profile/image_collection", `{"image_collection": {"profile": {"filename": ""}}}`, id).JSON(&changed)
	if got := changed.Profile.ImageCollection.Profile.Filename; got != fmt.Sprintf("avatar-%d.svg", id) {
		t.Errorf("taken away: %s", got)
	}
}
