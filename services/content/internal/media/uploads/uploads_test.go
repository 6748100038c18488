//go:build unix

package uploads_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/contenttest/fulldisk"
)

type fixture struct {
	*contenttest.World
	t           *testing.T
	campaign    string // its address
	id, creator int64
	spool       string // folder of temporary files
}

func setup(t *testing.T) *fixture {
	f := &fixture{World: contenttest.New(t), t: t, spool: t.TempDir()}
	t.Setenv("TMPDIR", f.spool) // after the database has been made, whose server has its files there
	f.creator = f.Person("Aino")
	f.id = f.Campaign(campaigns.New{Slug: "sauna", Language: "fi", CategoryID: f.Category("yhteiso"),
		TeamUserIDs: []int64{f.creator},
		Texts:       map[string]campaigns.Text{"fi": {Title: "Sauna"}}}, campaigns.StageDraft)
	f.campaign = fmt.Sprintf("/campaigns/%d/files/", f.id)
	return f
}

const formType = "multipart/form-data; boundary=xyz"

// form is a form with one part.
func form(name string, data []byte) []byte {
	return []byte("--xyz\r\nContent-Disposition: form-data; name=\"" + name +
		"\"; filename=\"../../a.php\"\r\nContent-Type: image/svg+xml\r\n\r\n" +
		string(data) + "\r\n--xyz--\r\n")
}

func (f *fixture) send(path string, body io.Reader, as int64) contenttest.Answer {
	f.t.Helper()
	answer := f.Send(http.MethodPost, path, body, as, "Content-Type", formType)
	if left, err := os.ReadDir(f.spool); err != nil || len(left) != 0 {
		f.t.Errorf("%d temporary files are left, %v", len(left), err)
	}
	return answer
}

func (f *fixture) refused(answer contenttest.Answer, status int, key string) {
	f.t.Helper()
	var fault struct{ Status string }
	if err := json.Unmarshal(answer.Body, &fault); err != nil || answer.Status != status || fault.Status != key {
		f.t.Errorf("%d %s, want %d %s", answer.Status, answer.Body, status, key)
	}
}

// noise is a grey picture that no format makes small.
func noise(width, height int) *image.Gray {
	picture, rnd := image.NewGray(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range picture.Pix {
		picture.Pix[i] = byte(rnd.Uint32())
	}
	return picture
}

func encoded(t *testing.T, encode func(io.Writer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func photo(t *testing.T, width, height int) []byte {
	return encoded(t, func(w io.Writer) error { return jpeg.Encode(w, noise(width, height), &jpeg.Options{Quality: 95}) })
}

func TestUpload_IsKeptAndCanBeGivenToTheCampaign(t *testing.T) {
	f := setup(t)
	var kept struct {
		File struct {
			Name          string
			Width, Height int
		}
		Image struct{ Filename string }
	}
	// beyond the usual limit of a body
	answer := f.send(f.campaign, bytes.NewReader(form("file", photo(t, 2000, 1500))), f.creator)
	if err := json.Unmarshal(answer.Body, &kept); err != nil || answer.Status != http.StatusCreated ||
		kept.File.Width != 2000 || !strings.HasPrefix(kept.File.Name, "campaign-") {
		t.Fatalf("%d %s", answer.Status, answer.Body)
	}
	if answer := f.Patch(fmt.Sprintf("/campaigns/%d/settings/", f.id), `{"project_pic": "`+kept.File.Name+`"}`, f.creator); answer.Status != http.StatusOK {
		t.Errorf("as the cover: %s", answer.Body)
	}
	answer = f.send("/files/images", bytes.NewReader(form("file", photo(t, 30, 20))), f.Person("Reijo"))
	if err := json.Unmarshal(answer.Body, &kept); err != nil || answer.Status != http.StatusCreated ||
		!strings.HasPrefix(kept.Image.Filename, "image-") {
		t.Errorf("one's own: %d %s", answer.Status, answer.Body)
	}
}

// unread is a body that must not be read.
type unread struct{ t *testing.T }

func (u unread) Read([]byte) (int, error) {
	u.t.Error("the body was read")
	return 0, io.EOF
}

func TestUpload_IsNotReadFromThoseWhoMayNotSendOne(t *testing.T) {
	f := setup(t)
	f.refused(f.send(f.campaign, unread{t}, 0), http.StatusUnauthorized, "not_authenticated")
	f.refused(f.send(f.campaign, unread{t}, f.Person("Stranger")), http.StatusNotFound, "not_found")
	f.refused(f.send("/files/images/", unread{t}, 0), http.StatusUnauthorized, "not_authenticated")
	f.Exec(`INSERT INTO upload_totals (user_id, day, bytes) VALUES (?, '2026-11-20', ?)`, f.creator, 501<<20)
	f.refused(f.send(f.campaign, unread{t}, f.creator), http.StatusTooManyRequests, "upload_limit")
	f.Exec(`UPDATE upload_totals SET bytes = ?`, 51<<20)
	f.Exec(`UPDATE users SET verified = false WHERE id = ?`, f.creator)
	f.refused(f.send(f.campaign, unread{t}, f.creator), http.StatusTooManyRequests, "upload_limit") // a draft's pictures are fewer
	f.Exec(`UPDATE users SET verified = true WHERE id = ?`, f.creator)
	f.Advance(24 * time.Hour)
	if answer := f.send(f.campaign, bytes.NewReader(form("file", photo(t, 30, 20))),
		f.creator); answer.Status != http.StatusCreated {
		t.Errorf("the next day: %s", answer.Body)
	}
}

func TestUpload_OfHostileFilesIsRefusedClearly(t *testing.T) {
	f := setup(t)
	whole := photo(t, 300, 200)
	bomb := encoded(t, func(w io.Writer) error { return png.Encode(w, image.NewGray(image.Rect(0, 0, 1, 1))) })
	copy(bomb[16:24], []byte{0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60}) // 60000 × 60000; the checksum no longer fits either
	for name, c := range map[string]struct {
		body   []byte
		status int
		key    string
	}{
		"nothing":                   {form("file", nil), 422, "image_required"},
		"no part":                   {[]byte("--xyz--\r\n"), 422, "image_required"},
		"another part":              {form("picture", whole), 400, "unknown_field"},
		"not a form":                {[]byte("hello"), 422, "image_required"},
		"a form cut short":          {form("file", whole)[:5000], 400, "malformed_body"},
		"a picture cut short":       {form("file", whole[:len(whole)/2]), 422, "image_broken"},
		"SVG":                       {form("file", []byte(`<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`)), 415, "image_type_unsupported"},
		"HTML":                      {form("file", []byte(`<!DOCTYPE html><script>alert(1)</script>`)), 415, "image_type_unsupported"},
		"a script that is also GIF": {form("file", []byte("GIF89a/*\x00\x00\x00*/=1;alert(1)//")), 422, "image_broken"},
		"a bomb":                    {form("file", bomb), 422, "image_broken"},
		"26 MiB":                    {form("file", make([]byte, 26<<20)), 413, ""},
	} {
		answer := f.send(f.campaign, bytes.NewReader(c.body), f.creator)
		if c.key == "" {
			if answer.Status != c.status {
				t.Errorf("%s: %d %s", name, answer.Status, answer.Body)
			}
			continue
		}
		t.Log(name)
		f.refused(answer, c.status, c.key)
	}
	f.refused(f.Send(http.MethodPost, f.campaign, strings.NewReader("{}"), f.creator, "Content-Type", "application/json"),
		415, "unsupported_media_type")
	f.refused(f.Send(http.MethodPost, f.campaign, strings.NewReader("x"), f.creator, "Content-Type",
		"multipart/form-data"), 400, "malformed_body")
	polyglot := encoded(t, func(w io.Writer) error {
		return gif.Encode(w, image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.Black}), nil)
	})
	answer := f.send(f.campaign, bytes.NewReader(form("file", append(polyglot, "<script>alert(1)</script>PK\x03\x04"...))),
		f.creator)
	if answer.Status != http.StatusCreated || strings.Contains(string(answer.Body), "php") {
		t.Errorf("a picture with a second format behind it is kept as a picture: %d %s", answer.Status, answer.Body)
	}
}

// meanwhile runs do when half of the body has been read.
type meanwhile struct {
	io.Reader
	do func()
}

func (m meanwhile) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	if err != nil {
		m.do()
	}
	return n, err //nolint:wrapcheck // it is that of the body
}

func TestUpload_EndsWithItsSendersRights(t *testing.T) {
	f := setup(t)
	body := func(do func()) io.Reader {
		whole := form("file", photo(t, 300, 200))
		half := len(whole) / 2
		return io.MultiReader(meanwhile{bytes.NewReader(whole[:half]), do}, bytes.NewReader(whole[half:]))
	}
	other := f.Person("Reijo")
	f.Exec(`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES (?, ?, 1)`, f.id, other)
	removed := body(func() { f.Exec(`DELETE FROM campaign_team WHERE user_id = ?`, other) })
	f.refused(f.send(f.campaign, removed, other), http.StatusNotFound, "not_found")
	f.refused(f.send(f.campaign, body(func() { f.EndSession(f.creator) }), f.creator), http.StatusUnauthorized,
		"token_expired")
	if entries, err := os.ReadDir(f.spool); err != nil || len(entries) != 0 {
		t.Errorf("left %v, %v", entries, err)
	}
}

func TestUpload_LeavesNothingBehindIfItsProcessIsKilled(t *testing.T) {
	f := setup(t)
	whole := form("file", photo(t, 300, 200))
	half := len(whole) / 2
	looked := 0
	f.send(f.campaign, io.MultiReader(meanwhile{bytes.NewReader(whole[:half]), func() {
		looked++
		if named, err := os.ReadDir(f.spool); err != nil || len(named) != 0 { // a file with a name would outlive the process
			t.Errorf("%d temporary files have names, %v", len(named), err)
		}
	}}, bytes.NewReader(whole[half:])), f.creator)
	if looked == 0 {
		t.Error("nobody looked")
	}
}

func TestUpload_ToAFullDiskIsRefusedClearlyAndWorksAgainWithRoom(t *testing.T) {
	if !fulldisk.OwnProcess(t) {
		return
	}
	f := setup(t)
	send := func() contenttest.Answer {
		return f.send("/files/images/", bytes.NewReader(form("file", photo(t, 600, 400))), f.creator)
	}
	var answer contenttest.Answer
	fulldisk.Limit(t, 4096, func() { answer = send() })
	f.refused(answer, http.StatusServiceUnavailable, "unavailable")
	if answer := send(); answer.Status != http.StatusCreated {
		t.Errorf("with room: %s", answer.Body)
	}
}
