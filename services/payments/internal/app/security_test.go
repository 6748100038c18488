package app_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/desk"
	"talkoot.fi/payments/internal/paymentstest"
)

// What people and programs may not do, and what is done at the desk and with where money goes, is a line each.
func TestSecurityEvents_AreALineEach(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	var log bytes.Buffer
	w.Log = slog.New(slog.NewJSONHandler(&log, nil))
	handler, err := w.Another(w.Now).Handler()
	if err != nil {
		t.Fatal(err)
	}
	err = desk.Appoint(t.Context(), w.App.DB, desk.Operator{UserID: 501, Name: "Saara Niemi", IsOperator: true, Actor: "maija", Note: "test", At: w.Now()})
	if err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../../../../deploy/README.md")
	if err != nil {
		t.Fatal(err)
	}
	hook := "/api/webhooks/stripe"
	signature := func(secret string) string { return paymentstest.Signed("{}", secret, w.Now()) }
	const off = `{"provider": "stripe", "is_on": false, "note": "Tili on kiinni"}`
	for _, c := range []struct {
		method, path, body, session, signature, event string
		account                                       float64
	}{
		{"POST", hook, "{}", "", signature("somebody else's"), "webhook_refused", 0},
		{"GET", "/api/admin/money/overview", "", "", "", "access_refused", 0},
		{"GET", "/api/admin/money/overview", "", paymentstest.SessionOf(505, true), "", "access_refused", 505},
		{"POST", "/api/admin/money/switches", off, paymentstest.SessionOf(505, true), "", "staff_act_refused", 505},
		{"POST", "/api/admin/money/switches", off, paymentstest.AdminSession(501, true), "", "staff_act", 501},
		{"DELETE", "/api/users/mangopay/payout-banks/" + ids.New(), "", "", "", "payout_bank_removed_refused", 0},
		{"GET", "/api/pledges/" + ids.New() + "/payment", "", "", "", "access_refused", 0},
		{"POST", "/internal/payments/close", "{}", "", "", "access_refused", 0},
		{"GET", "/healthz", "", "", "", "", 0},
	} {
		r := httptest.NewRequestWithContext(t.Context(), c.method, c.path, strings.NewReader(c.body))
		r.RemoteAddr = "[2001:db8:1:2:3:4:5:6]:4567"
		r.Header.Set("Content-Type", "application/json")
		if c.session != "" {
			r.Header.Set("Authorization", c.session)
		}
		if c.signature != "" {
			r.Header.Set("Stripe-Signature", c.signature)
		}
		log.Reset()
		answer := httptest.NewRecorder()
		handler.ServeHTTP(answer, r)
		var found []map[string]any
		for text := range strings.Lines(log.String()) {
			var line map[string]any
			if err := json.Unmarshal([]byte(text), &line); err == nil && line["msg"] == "security event" {
				found = append(found, line)
			}
		}
		if c.event == "" {
			if len(found) > 0 {
				t.Errorf("%s %s: %v", c.method, c.path, found)
			}
			continue
		}
		if len(found) != 1 || found[0]["event"] != c.event || found[0]["account"] != c.account || found[0]["network"] != "2001:db8:1:2::/64" {
			t.Errorf("%s %s: %d, %v, want %s of %v: %s", c.method, c.path, answer.Code, found, c.event, c.account, answer.Body)
		}
		if told := strings.TrimSuffix(c.event, "_refused"); !bytes.Contains(table, []byte("`"+c.event+"`")) && !bytes.Contains(table, []byte("`"+told+"`")) {
			t.Errorf("deploy/README.md does not tell of %s", told)
		}
	}
}
