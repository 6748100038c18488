package mail_test

import (
	"encoding/json"
	"net"
	"net/http"
	"net/http/httptest"
	"net/smtp"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mail"
)

// catcher starts a catcher on a random port and returns its address.
func catcher(t *testing.T, dir string) (*mail.Catcher, string) {
	t.Helper()
	c, err := mail.New(mail.Options{StateDir: dir, Now: func() time.Time { return time.Unix(1_700_000_000, 0) }})
	if err != nil {
		t.Fatal(err)
	}
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served := make(chan error, 1)
	go func() { served <- c.Serve(l) }()
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return c, l.Addr().String()
}

const receipt = "From: Talkoot <no-reply@talkoot.test>\r\nTo: aino@example.test\r\n" +
	"Subject: =?utf-8?q?Kiitos,_P=C3=A4ivi?=\r\nContent-Language: fi\r\nMIME-Version: 1.0\r\n" +
	"Content-Type: multipart/alternative; boundary=cut\r\n\r\n" +
	"--cut\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nMaksoit 96,50 =E2=82=AC\r\n" +
	"--cut\r\nContent-Type: text/html; charset=iso-8859-1\r\n\r\n<p>P\xe4iv\xe4\xe4</p>\r\n--cut--\r\n"

func TestCatcher_StoresBothPartsDecoded(t *testing.T) {
	c, addr := catcher(t, "")
	if err := smtp.SendMail(addr, nil, "no-reply@talkoot.test", []string{"aino@example.test"}, []byte(receipt)); err != nil {
		t.Fatal(err)
	}
	found, err := c.Messages("AINO@example.test")
	if err != nil || len(found) != 1 {
		t.Fatalf("%d messages, %v", len(found), err)
	}
	m := found[0]
	if m.Subject != "Kiitos, Päivi" || m.Language != "fi" || strings.TrimSpace(m.Text) != "Maksoit 96,50 €" || strings.TrimSpace(m.HTML) != "<p>Päivää</p>" {
		t.Errorf("%+v", m)
	}
	if other, err := c.Messages("someone@example.test"); err != nil || len(other) != 0 {
		t.Errorf("another address gets %d messages, %v", len(other), err)
	}
}

func TestCatcher_ShowsAMailItCannotParse(t *testing.T) {
	c, addr := catcher(t, "")
	if err := smtp.SendMail(addr, nil, "a@b.test", []string{"x@y.test"}, []byte("Content-Type: multipart/mixed; boundary=z\r\n\r\nno parts at all")); err != nil {
		t.Fatal(err)
	}
	found, err := c.Messages("")
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, "no parts at all") {
		t.Errorf("%v %v", found, err)
	}
}

func TestCatcher_SurvivesARestart(t *testing.T) {
	dir := t.TempDir()
	t.Run("before", func(t *testing.T) {
		_, addr := catcher(t, dir)
		if err := smtp.SendMail(addr, nil, "a@b.test", []string{"x@y.test"}, []byte(receipt)); err != nil {
			t.Fatal(err)
		}
	})
	c, _ := catcher(t, dir)
	if found, err := c.Messages("x@y.test"); err != nil || len(found) != 1 {
		t.Errorf("%d messages after the restart, %v", len(found), err)
	}
}

func TestInbox_PagesAndJSON(t *testing.T) {
	c, addr := catcher(t, "")
	if err := smtp.SendMail(addr, nil, "a@b.test", []string{"x@y.test"}, []byte(receipt)); err != nil {
		t.Fatal(err)
	}
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		c.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil))
		return w
	}
	for path, want := range map[string]string{
		"/mail/": "Kiitos, Päivi", "/mail/messages/1": "sandbox=\"allow-popups\"", "/mail/messages/1/html": "<p>Päivää</p>",
	} {
		if w := get(path); w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d lacks %q", path, w.Code, want)
		}
	}
	if w := get("/mail/messages/1/html"); !strings.HasPrefix(w.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Error("a mail's HTML must be served sandboxed")
	}
	if w := get("/mail/messages/99"); w.Code != http.StatusNotFound {
		t.Errorf("unknown message: %d", w.Code)
	}
	var out struct{ Messages []mail.Message }
	if err := json.Unmarshal(get("/mail/api/messages?to=x@y.test").Body.Bytes(), &out); err != nil || len(out.Messages) != 1 {
		t.Errorf("%d messages, %v", len(out.Messages), err)
	}
}
