package mangopay_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/sandbox/mangopay"
)

func TestPages_SpeakTheLanguageOfTheirPayment(t *testing.T) {
	w := start(t)
	payer := w.payer("Maija")
	_, wallet := w.creator()
	for culture, want := range map[string]string{"FI": "Maksa kortilla", "SV": "Betala med kort", "EN": "Pay by card", "DE": "Pay by card"} {
		order := webOrder(payer, wallet, 123456)
		order["Culture"] = culture
		_, header, body := w.raw(http.MethodGet, w.post("/payins/card/web", order)["RedirectURL"].(string), "", nil)
		if !strings.Contains(string(body), want) || !strings.HasPrefix(header.Get("Content-Security-Policy"), "default-src 'none'") {
			t.Errorf("%s: %s", culture, body)
		}
	}
}

func TestTexts_AreInEveryLanguage(t *testing.T) {
	raw, err := os.ReadFile("web/texts.json")
	if err != nil {
		t.Fatal(err)
	}
	var texts map[string]map[string]string
	if err := json.Unmarshal(raw, &texts); err != nil {
		t.Fatal(err)
	}
	want := slices.Sorted(maps.Keys(texts["en"]))
	for _, lang := range []string{"fi", "sv"} {
		if got := slices.Sorted(maps.Keys(texts[lang])); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", lang, got, want)
		}
	}
}

func TestHandler_CanStandBelowAPath(t *testing.T) {
	s, err := mangopay.New(mangopay.Options{ClientID: clientID, APIKey: apiKey, InMemory: true, ManualDelivery: true, Now: time.Now, PublicURL: "http://sandbox.test/b/"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	below := http.StripPrefix("/b", s.Handler())
	call := func(method, path, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(method, "http://sandbox.test"+path, strings.NewReader(body))
		r.SetBasicAuth(clientID, apiKey)
		r.Header.Set("Content-Type", "application/json")
		out := httptest.NewRecorder()
		below.ServeHTTP(out, r)
		return out
	}
	made := call(http.MethodPost, "/b/v2.01/"+clientID+"/sca/users/natural", string(mustJSON(ownerOrder("owner@example.com"))))
	page := parsed(t, made.Body.Bytes())["PendingUserAction"].(map[string]any)["RedirectUrl"].(string)
	shown := call(http.MethodGet, strings.TrimPrefix(page, "http://sandbox.test"), "")
	if !strings.Contains(shown.Body.String(), `href="http://sandbox.test/b/mangopay/pages.css"`) || shown.Code != http.StatusOK {
		t.Errorf("%d %s", shown.Code, shown.Body)
	}
	if style := call(http.MethodGet, "/b/mangopay/pages.css", ""); style.Code != http.StatusOK {
		t.Errorf("%d", style.Code)
	}
}
