package desk_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"talkoot.fi/payments/internal/paymentstest"
)

// Whatever is typed at the desk or written into its addresses is answered with a fault of the caller's, and changes nothing.
func TestDesk_BadInput_IsTheCallers(t *testing.T) {
	t.Parallel()
	w := paymentstest.New(t)
	appoint(w)
	id := strings.Repeat("0", 26)
	long := strings.Repeat("x", 100_000)
	for _, one := range []struct{ method, path, body string }{
		{http.MethodGet, "runs?offset=-1", ""}, {http.MethodGet, "runs?offset=99999999999999999999", ""}, {http.MethodGet, "runs?offset=9223372036854775807", ""},
		{http.MethodGet, "runs?campaign_id=-7", ""}, {http.MethodGet, "runs?campaign_id=9223372036854775808", ""}, {http.MethodGet, "runs?over=perhaps", ""},
		{http.MethodGet, "runs/" + id + "/lines?offset=-1", ""}, {http.MethodGet, "runs/x", ""}, {http.MethodGet, "runs/" + url.PathEscape("\x00"), ""},
		{http.MethodGet, "runs/" + strings.Repeat("%20", 26), ""}, {http.MethodGet, "payments/" + url.PathEscape("'; DROP TABLE payments"), ""},
		{http.MethodGet, "anomalies/-1", ""}, {http.MethodGet, "anomalies/9223372036854775808", ""}, {http.MethodGet, "anomalies?offset=-1", ""},
		{http.MethodGet, "refunds?offset=-1", ""}, {http.MethodGet, "webhooks?offset=-1", ""},
		{http.MethodGet, "journal", ""}, {http.MethodGet, "vat?from=2025-01-01&to=2026-02-01", ""}, {http.MethodGet, "vat?from=2026-01-02&to=2026-01-01", ""}, {http.MethodGet, "journal?from=2026-11-02&to=2026-11-01", ""}, {http.MethodGet, "journal?from=0001-01-01&to=9999-12-31", ""},
		{http.MethodGet, "journal?from=2026-02-30&to=2026-03-01", ""}, {http.MethodGet, "journal?from=2026-01-01&to=2026-02-01", ""},
		{http.MethodPost, "search", `{"word": ""}`}, {http.MethodPost, "search", `{"word": "\u0000"}`},
		{http.MethodPost, "search", `{"word": "` + long + `"}`}, {http.MethodPost, "search", `{}`}, {http.MethodPost, "search", `[]`}, {http.MethodPost, "search", `{"word": 7}`},
		{http.MethodPost, "runs", `{"campaign_id": -7, "note": "because"}`}, {http.MethodPost, "runs", `{"campaign_id": 1e300, "note": "because"}`},
		{http.MethodPost, "runs", `{"campaign_id": 7, "note": "be\u0000cause"}`}, {http.MethodPost, "runs", `{"campaign_id": 7, "note": "` + long + `"}`},
		{http.MethodPost, "runs", `{"campaign_id": 7.5, "note": "because"}`}, {http.MethodPost, "runs", `{"campaign_id": 7, "note": "because"`},
		{http.MethodPost, "runs/" + id + "/approval", `{"hash": "", "note": "because"}`}, {http.MethodPost, "runs/" + id + "/approval", `{"hash": "%%%%%%%%%%%%", "note": "because"}`},
		{http.MethodPost, "runs/" + id + "/approval", `{"note": "because"}`}, {http.MethodPost, "runs/" + id + "/resume", `{"note": "\u200b \u00ad"}`},
		{http.MethodPost, "switches", `{"provider": "paypal", "is_on": false, "note": "because"}`}, {http.MethodPost, "switches", `{"provider": "stripe", "note": "because"}`},
		{http.MethodPost, "webhooks/replay", `{"provider": "stripe", "event_key": "\u0000", "note": "because"}`},
		{http.MethodPost, "webhooks/replay", `{"provider": "stripe", "event_key": "` + long + `", "note": "because"}`},
		{http.MethodGet, "warnings/0", ""}, {http.MethodGet, "warnings/x", ""}, {http.MethodGet, "warnings/9223372036854775808", ""}, {http.MethodGet, "warnings/7", ""},
		{http.MethodPost, "warnings/7/refund", `{"note": "because"}`}, {http.MethodPost, "warnings/-7/refund", `{"note": "because"}`},
		{http.MethodPost, "warnings/7/refund", `{"note": "because", "amount_minor": 1}`}, {http.MethodPost, "warnings/7/refund", ``},
		{http.MethodPost, "warnings/7/dismissal", `{"note": "be\u0000cause"}`}, {http.MethodPost, "warnings/7/dismissal", `{"note": "` + long + `"}`},
		{http.MethodPost, "refunds/x/repeat", `{"note": "because"}`}, {http.MethodPost, "anomalies/0/mended", `{"note": "because"}`},
	} {
		w.Redis.FlushAll() // the limits by address are not what this is about
		if status, fault := call(w, by(saara), one.method, one.path, one.body, nil); status < 400 || status >= 500 {
			t.Errorf("%s %.60s %.60s: %d %s", one.method, one.path, one.body, status, fault)
		}
	}
	if n := w.Count(`(SELECT 1 FROM operator_actions UNION ALL SELECT 1 FROM provider_switches UNION ALL SELECT 1 FROM settlement_runs) acts`); n != 0 {
		t.Errorf("%d acts were done", n)
	}
}
