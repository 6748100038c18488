package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/app"
)

// securityLine is what an event's line says.
type securityLine struct {
	Msg, Event, Call, Network, Reason string
	RequestID                         string `json:"request_id"`
	Account                           int64
}

// A call that is renamed keeps its event, and an operator finds every name in the table of the deployment.
func TestSecurityEvents_AreOfCallsThatThereAre_AndAreTold(t *testing.T) {
	calls := map[string]bool{}
	for _, operation := range operations(t) {
		calls[operation.Method+" "+operation.Route] = true
	}
	table, err := os.ReadFile("../../../../deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for call, event := range app.SecurityEvents() {
		if !calls[call] {
			t.Errorf("%s is no call", call)
		}
		if !bytes.Contains(table, []byte("`"+event+"`")) {
			t.Errorf("deploy/README.md does not tell of %s", event)
		}
	}
}

// Each event is asked for over HTTP, and its line is looked for: one, with whose account it is, from which network, and nothing else of
// a person.
func TestSecurityEvents_AreALineEach(t *testing.T) {
	var log bytes.Buffer
	p := setupDemo(t, func(o *app.Options, _ *dbtest.DB) {
		o.Log = slog.New(slog.NewJSONHandler(&log, nil))
		o.Limits.SignIn = ratelimit.Per(1000, time.Second)
	})
	id := func(email string) int64 { return p.number(t, `SELECT id FROM users WHERE email = ?`, email) }
	backer, creator, admin := id("backer@talkoot.example"), id("creator@talkoot.example"), id("admin@talkoot.example")
	body := func(email, password string) string {
		return fmt.Sprintf(`{"email": %q, "password": %q}`, email, password)
	}
	var secondStep string
	code := func() string {
		code, err := totp.GenerateCode("TALKOOTDEMOADMINTALKOOTDEMOADMIN", time.Now())
		if err != nil {
			t.Fatal(err)
		}
		return code
	}
	campaign := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	for _, c := range []struct {
		method, address string
		body            func() string
		as              int64
		status          int
		want            securityLine
	}{
		{"POST", "/users/tokens/", func() string { return body("creator@talkoot.example", "wrong") }, 0, 401,
			securityLine{Event: "sign_in_refused", Account: creator, Reason: "sign_in_failed"}},
		{"POST", "/users/tokens/", func() string { return body("nobody@talkoot.example", "wrong") }, 0, 401,
			securityLine{Event: "sign_in_refused", Reason: "sign_in_failed"}},
		{"POST", "/users/tokens/", func() string { return body("creator@talkoot.example", "talkoot-demo") }, 0, 200,
			securityLine{Event: "sign_in", Account: creator}},
		{"POST", "/users/tokens/", func() string { return body("admin@talkoot.example", "talkoot-demo") }, 0, 202,
			securityLine{Event: "sign_in", Account: admin}},
		{"POST", "/users/tokens/second_step/", func() string { return fmt.Sprintf(`{"challenge": %q, "code": "000000"}`, secondStep) }, 0, 401,
			securityLine{Event: "sign_in_second_step_refused", Account: admin, Reason: "second_step_failed"}},
		{"POST", "/users/tokens/second_step/", func() string { return fmt.Sprintf(`{"challenge": %q, "code": %q}`, secondStep, code()) }, 0, 200,
			securityLine{Event: "sign_in_second_step", Account: admin}},
		{"GET", "/users/me/profile", nil, 0, 401, securityLine{Event: "access_refused", Reason: "not_authenticated"}},
		{"GET", "/users/admin/", nil, backer, 403, securityLine{Event: "access_refused", Account: backer, Reason: "forbidden"}},
		{"POST", "/campaigns/tags/", func() string { return bodyOf("createTag", "admin") }, backer, 403, securityLine{Event: "access_refused", Account: backer, Reason: "forbidden"}},
		{"POST", "/campaigns/tags/", func() string { return bodyOf("createTag", "admin") }, admin, 201, securityLine{Event: "staff_act", Account: admin}},
		{"PATCH", fmt.Sprintf("/campaigns/%d/settings/", campaign), func() string { return `{"contact_email": "new@talkoot.example"}` }, admin, 200,
			securityLine{Event: "staff_act", Account: admin}},
		{"POST", "/internal/sessions/whose", func() string { return "{}" }, 0, 401, securityLine{Event: "access_refused", Reason: "not_authenticated"}},
		{"POST", "/users/me/password", func() string { return bodyOf("changePassword", "") }, backer, 422,
			securityLine{Event: "password_changed_refused", Account: backer, Reason: "password_wrong"}},
		{"POST", "/users/me/password", func() string { return `{"old_password": "talkoot-demo", "new_password": "seven grey stones"}` }, backer, 204, securityLine{Event: "password_changed", Account: backer}},
		{"POST", "/users/password_resets/", func() string { return `{"email": "backer@talkoot.example"}` }, 0, 202, securityLine{Event: "password_reset_asked"}},
		{"POST", "/users/me/backup_codes/", nil, admin, 200, securityLine{Event: "backup_codes_made", Account: admin}},
		{"DELETE", "/users/me/totp/", nil, admin, 204, securityLine{Event: "code_app_removed", Account: admin}},
		{"DELETE", "/users/me/sessions/", nil, creator, 204, securityLine{Event: "sessions_ended", Account: creator}},
		{"DELETE", "/users/tokens/", nil, creator, 204, securityLine{Event: "sign_out", Account: creator}},
		{"GET", "/campaigns/categories/", nil, 0, 200, securityLine{}},
	} {
		content := ""
		if c.body != nil {
			content = c.body()
		}
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.address, strings.NewReader(content))
		r.RemoteAddr = "203.0.113.77:4567"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("X-Request-Id", "request-of-the-test")
		if c.as != 0 {
			r.Header.Set("Authorization", "Bearer "+p.token(t, c.as))
			if err := p.db.Exec(`UPDATE sessions SET step_confirmed_at = confirmed_at`).Error; err != nil {
				t.Fatal(err)
			}
		}
		log.Reset()
		answer := httptest.NewRecorder()
		p.handler.ServeHTTP(answer, r)
		if answer.Code != c.status {
			t.Errorf("%s %s: %d, want %d: %s", c.method, c.address, answer.Code, c.status, answer.Body)
		}
		var told struct {
			SecondStep *struct {
				Challenge string `json:"challenge"`
			} `json:"second_step"`
		}
		if json.Unmarshal(answer.Body.Bytes(), &told) == nil && told.SecondStep != nil {
			secondStep = told.SecondStep.Challenge
		}
		var found []securityLine
		for text := range strings.Lines(log.String()) {
			var line securityLine
			if err := json.Unmarshal([]byte(text), &line); err == nil && line.Msg == "security event" {
				found = append(found, line)
				if strings.Contains(text, "@") || strings.Contains(text, "203.0.113.77") || strings.Contains(text, "talkoot-demo") {
					t.Errorf("personal data: %s", text)
				}
			}
		}
		if c.want.Event == "" {
			if len(found) > 0 {
				t.Errorf("%s %s: %+v", c.method, c.address, found)
			}
			continue
		}
		if len(found) != 1 {
			t.Errorf("%s %s: %d events, want %s", c.method, c.address, len(found), c.want.Event)
			continue
		}
		got := found[0]
		if got.Event != c.want.Event || got.Account != c.want.Account || got.Reason != c.want.Reason || got.Network != "203.0.113.0/24" ||
			got.RequestID != "request-of-the-test" || !strings.HasPrefix(got.Call, c.method+" /") {
			t.Errorf("%s %s: %+v, want %+v", c.method, c.address, got, c.want)
		}
	}
}
