package taxdata_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/provider"
	"talkoot.fi/payments/internal/providers/stripe"
)

const (
	own   = "/api/users/me/tax-data"
	hetu  = "131052-308T"
	other = 77
	who   = 3
)

type body map[string]any

// said is what a creator says of themselves, with some of it changed; nil takes a field away.
func said(version int64, change body) body {
	b := body{"version": version, "kind": "person", "first_name": "Maija", "last_name": "Meikäläinen", "birth_date": "1952-10-13",
		"address": body{"street": "Hämeentie 1", "postal_code": "00500", "city": "Helsinki", "country": "FI"}, "tin": body{"issued_by": "FI", "number": hetu}}
	for key, value := range change {
		if b[key] = value; value == nil {
			delete(b, key)
		}
	}
	return b
}

type world struct{ *paymentstest.World }

// newWorld is a world in which one person has a payout account; log has all that was written.
func newWorld(t *testing.T, options ...paymentstest.Option) *world {
	t.Helper()
	w := &world{paymentstest.New(t, options...)}
	w.onboard(who)
	return w
}

func (w *world) onboard(user int64) {
	w.T.Helper()
	_, err := w.App.Payees.Make(w.T.Context(), user, stripe.Name, &provider.PayeeOrder{Kind: provider.PayeeNatural, Email: "maija@example.com", AcceptedTerms: true,
		Currency: money.EUR, Country: "FI", Type: "individual", Website: "https://talkoot.example/profile/3/"})
	if err != nil {
		w.T.Fatal(err)
	}
}

// call makes a call in a session; what is wrong is told as status and fields.
func (w *world) call(method, path, session string, in any, into any) (status int, fault, raw string) {
	w.T.Helper()
	var text bytes.Buffer
	if in != nil {
		if err := json.NewEncoder(&text).Encode(in); err != nil {
			w.T.Fatal(err)
		}
	}
	status, answer := w.Send(method, w.API.URL+path, "application/json", &text, map[string]string{"Authorization": session})
	var said struct {
		Status string
		Fields []struct{ Path, Rule string }
	}
	_ = json.Unmarshal(answer, &said)
	fault = said.Status
	for _, f := range said.Fields {
		fault += " " + f.Path + ":" + f.Rule
	}
	if status < 300 && into != nil {
		if err := json.Unmarshal(answer, into); err != nil {
			w.T.Fatal(err)
		}
	}
	return status, fault, string(answer)
}

func (w *world) put(user int64, in body) (st api.TaxStanding) {
	w.T.Helper()
	if status, fault, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(user, true), in, &st); status != http.StatusOK {
		w.T.Fatalf("%d %s", status, fault)
	}
	return st
}

// A creator says it once, and sees of it what is needed to know it again; their number is nowhere in the clear.
func TestTaxData_IsSealedAndShownByItsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	var st api.TaxStanding
	status, fault, _ := w.call(http.MethodGet, own, paymentstest.SessionOf(who, false), nil, &st)
	if status != http.StatusOK || !st.IsAsked || st.Version != 0 || len(st.Missing) != 4 || st.By == nil || st.IsHeld || st.Given != nil {
		t.Fatalf("before: %d %s %+v", status, fault, st)
	}
	st = w.put(who, said(0, body{"tin": body{"issued_by": "FI", "number": " 131052\u2013308t\u200b"}, "vat_id": "FI 0112038-9"}))
	if st.Version != 1 || len(st.Missing) != 0 || st.By != nil || st.Given == nil || st.Given.Name != "Maija Meikäläinen" || st.Given.Tin.End != "08T" {
		t.Errorf("%+v", st)
	}
	if status, fault, _ := w.call(http.MethodGet, own+"/values", paymentstest.SessionOf(who, false), nil, nil); status != http.StatusForbidden || fault != "confirmation_required" {
		t.Errorf("without a proof: %d %s", status, fault)
	}
	var values api.TaxDataValues
	_, _, raw := w.call(http.MethodGet, own+"/values", paymentstest.SessionOf(who, true), nil, &values)
	if values.Version != 1 || *values.BirthDate != "1952-10-13" || values.Tin.End != "08T" || *values.VatID != "FI01120389" || strings.Contains(raw, hetu) {
		t.Errorf("%s", raw)
	}
	var rows string
	w.Scan(&rows, `SELECT string_agg(r::text || convert_from(decode(encode(r.sealed, 'hex'), 'escape'), 'LATIN1'), ' ') FROM tax_records r`)
	for _, word := range []string{hetu, "308T", "Maija", "1952", "Hämeentie"} {
		if strings.Contains(rows, word) {
			t.Errorf("the table has %s", word)
		}
	}
}

func with(change, more body) body {
	out := body{}
	for _, one := range []body{change, more} {
		for key, value := range one {
			out[key] = value
		}
	}
	return out
}

// business is what a business says of itself.
func business() body {
	return body{"kind": "business", "first_name": nil, "last_name": nil, "birth_date": nil, "legal_name": "Talkoot Oy", "registration_number": "0112038-9",
		"tin": body{"issued_by": "FI", "number": "0112038-9"}}
}

// What was typed is told by field, and no answer says it back.
func TestTaxData_TellsWhatIsWrongByField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, one := range map[string]struct {
		change body
		want   string
	}{
		"names":                    {body{"first_name": " \u200b ", "last_name": nil}, "invalid_fields first_name:required last_name:required"},
		"a day that is none":       {body{"birth_date": "1952-02-30"}, "invalid_fields birth_date:date"},
		"a child":                  {body{"birth_date": w.Now().AddDate(-17, 0, 0).Format(time.DateOnly), "tin": body{"issued_by": "DE", "number": "12345678901"}}, "invalid_fields birth_date:adult"},
		"a day to come":            {body{"birth_date": "2052-10-13"}, "invalid_fields birth_date:adult tin.number:tax_number_birth"},
		"two that differ":          {body{"birth_date": "1952-10-14"}, "invalid_fields tin.number:tax_number_birth"},
		"a wrong sign":             {body{"tin": body{"issued_by": "FI", "number": "131052-308X"}}, "invalid_fields tin.number:tax_number"},
		"no number":                {body{"tin": body{"issued_by": "FI"}}, "invalid_fields tin.number:required"},
		"neither number nor place": {body{"tin": nil}, "invalid_fields tin.number:required"},
		"half a place":             {body{"tin": nil, "birth_place": body{"birth_city": "", "birth_country": "XX"}}, "invalid_fields birth_place.birth_city:required birth_place.birth_country:one_of"},
		"no country":               {body{"tin": body{"issued_by": "ZZ", "number": "12345"}}, "invalid_fields tin.issued_by:one_of"},
		"no address":               {body{"address": body{"street": "", "city": "", "country": ""}}, "invalid_fields address.city:required address.country:one_of address.street:required"},
		"a vat number":             {body{"vat_id": "FI01120388"}, "invalid_fields vat_id:vat_number"},
		"a business without":       {with(business(), body{"legal_name": "", "registration_number": nil, "tin": nil}), "invalid_fields legal_name:required registration_number:required tin.number:required"},
		"another's register":       {with(business(), body{"registration_number": "0112038-8"}), "invalid_fields registration_number:tax_number"},
		"of no version":            {body{"version": -1}, "invalid_fields version:min_value"},
	} {
		status, fault, raw := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(0, one.change), nil)
		if sorted(fault) != sorted(one.want) || status/100 != 4 {
			t.Errorf("%s: %d %s", name, status, fault)
		}
		if strings.Contains(raw, "131052") || strings.Contains(raw, "0112038") || strings.Contains(raw, "2052") {
			t.Errorf("%s: the answer says it back: %s", name, raw)
		}
	}
	for name, change := range map[string]body{"without a number": {"tin": nil, "birth_place": body{"birth_city": "Vaasa", "birth_country": "FI"}}, "a business": business(),
		"abroad, without a postcode": {"address": body{"street": "1 Main Street", "city": "Dublin", "country": "IE"}, "tin": body{"issued_by": "IE", "number": "1234567WA"}}} {
		var st api.TaxStanding
		w.call(http.MethodGet, own, paymentstest.SessionOf(who, false), nil, &st)
		if st = w.put(who, said(st.Version, change)); len(st.Missing) != 0 {
			t.Errorf("%s: %+v", name, st)
		}
	}
}

// Whoever says it without the form is told the same: what is no number of a tax office, and what is no postcode of the country.
func TestTaxData_TellsWhatIsWrongOfAssociationsAndPostcodes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for name, one := range map[string]struct {
		change body
		want   string
	}{
		"no number of a business":      {with(business(), body{"tin": nil}), "invalid_fields tin.number:required"},
		"a register's as a tax number": {with(business(), body{"registration_number": "123.456", "tin": body{"issued_by": "FI", "number": "123.456"}}), "invalid_fields tin.number:tax_number"},
		"no postcode":                  {body{"address": body{"street": "Hämeentie 1", "city": "Helsinki", "country": "FI"}}, "invalid_fields address.postal_code:required"},
		"half a postcode":              {body{"address": body{"street": "Hämeentie 1", "postal_code": "0050", "city": "Helsinki", "country": "FI"}}, "invalid_fields address.postal_code:postcode"},
		"another country's":            {body{"address": body{"street": "Hämeentie 1", "postal_code": "00500", "city": "Oslo", "country": "NO"}}, "invalid_fields address.postal_code:postcode_like"},
		"a Swedish one without":        {with(business(), body{"registration_number": "802002-8711", "address": body{"street": "Gatan 1", "postal_code": "11122", "city": "Stockholm", "country": "SE"}, "tin": nil}), "invalid_fields tin.number:required"},
	} {
		status, fault, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(0, one.change), nil)
		if sorted(fault) != sorted(one.want) || status/100 != 4 {
			t.Errorf("%s: %d %s", name, status, fault)
		}
	}
}

func sorted(fault string) string {
	parts := strings.Fields(fault)
	if len(parts) < 2 {
		return fault
	}
	rest := parts[1:]
	for i := range rest {
		for j := i + 1; j < len(rest); j++ {
			if rest[j] < rest[i] {
				rest[i], rest[j] = rest[j], rest[i]
			}
		}
	}
	return parts[0] + " " + strings.Join(rest, " ")
}

// A registered association or foundation has a business id or not: without one its register's number says who it is, and nothing is missing.
func TestTaxData_OfAnAssociation_IsReportedByTheNumberThatItHas(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	of := func(registration string, tin any) body {
		return body{"kind": "business", "first_name": nil, "last_name": nil, "birth_date": nil, "legal_name": "Inarin kyläyhdistys ry", "registration_number": registration, "tin": tin}
	}
	var version int64
	for name, one := range map[string]struct {
		change            body
		registration, tin string
	}{
		"without a business id":    {of(" 123 456", nil), "123.456", ""},
		"with one":                 {of("123.456", body{"issued_by": "FI", "number": "112038-9"}), "123.456", "8-9"},
		"by its business id alone": {of("0112038-9", body{"issued_by": "FI", "number": "0112038-9"}), "0112038-9", "8-9"},
		"a Swedish one": {body{"kind": "business", "first_name": nil, "last_name": nil, "birth_date": nil, "legal_name": "Föreningen", "registration_number": "802002-8711",
			"address": body{"street": "Gatan 1", "postal_code": "111 22", "city": "Stockholm", "country": "SE"}, "tin": body{"issued_by": "SE", "number": "802002-8711"}}, "8020028711", "711"},
	} {
		st := w.put(who, said(version, one.change))
		version = st.Version
		if len(st.Missing) != 0 || st.By != nil || (st.Given.Tin != nil) != (one.tin != "") || one.tin != "" && st.Given.Tin.End != one.tin {
			t.Errorf("%s: %+v", name, st)
		}
		var values api.TaxDataValues
		if w.call(http.MethodGet, own+"/values", paymentstest.SessionOf(who, true), nil, &values); *values.RegistrationNumber != one.registration {
			t.Errorf("%s: %s", name, *values.RegistrationNumber)
		}
	}
}

// The number stays when it is not said anew, of the same country and kind; a change made from an older version changes nothing.
func TestTaxData_AnOlderVersionChangesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(who, said(0, nil))
	if st := w.put(who, said(1, body{"tin": body{"issued_by": "FI"}, "last_name": "Virtanen"})); st.Version != 2 || st.Given.Tin.End != "08T" || st.Given.Name != "Maija Virtanen" {
		t.Errorf("%+v", st)
	}
	if status, fault, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(1, body{"last_name": "Vanha"}), nil); status != http.StatusPreconditionFailed || fault != "changed_meanwhile" {
		t.Errorf("%d %s", status, fault)
	}
	for name, change := range map[string]body{"another country": {"tin": body{"issued_by": "SE"}}, "another birth date": {"tin": body{"issued_by": "FI"}, "birth_date": "1952-10-14"},
		"another kind": {"kind": "business", "legal_name": "Oy", "registration_number": "0112038-9", "tin": body{"issued_by": "FI"}}} {
		if status, _, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(2, change), nil); status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d", name, status)
		}
	}
	// Of many at once one is saved.
	var wait sync.WaitGroup
	saved := make(chan int, 8)
	for i := range cap(saved) {
		wait.Go(func() {
			status, _, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(2, body{"last_name": fmt.Sprintf("Nimi %d", i)}), nil)
			saved <- status
		})
	}
	wait.Wait()
	close(saved)
	n := 0
	for status := range saved {
		if status == http.StatusOK {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d were saved", n)
	}
}

// Nobody reads or writes it but its person, who has just shown that it is them.
func TestTaxData_IsItsPersonsAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(who, said(0, nil))
	for _, one := range []struct {
		method, path, session string
		want                  int
	}{
		{http.MethodGet, own, "", 401}, {http.MethodGet, own + "/values", "", 401}, {http.MethodPut, own, "", 401}, {http.MethodGet, "/api/users/me/tax-reports/2026?language=fi", "", 401},
		{http.MethodGet, own, paymentstest.Ended, 401}, {http.MethodPut, own, paymentstest.SessionOf(who, false), 403},
		{http.MethodGet, "/api/users/me/tax-reports/2026?language=fi", paymentstest.SessionOf(who, false), 403},
		{http.MethodGet, own + "/values", paymentstest.SessionOf(other, true), 404}, {http.MethodGet, own + "/values", paymentstest.AdminSession(other, true), 404},
		{http.MethodPut, own, paymentstest.SessionOf(other, true), 404}, // has no account to be paid by
	} {
		var in any
		if one.method == http.MethodPut {
			in = said(0, nil)
		}
		if status, fault, raw := w.call(one.method, one.path, one.session, in, nil); status != one.want || strings.Contains(raw, "Maija") {
			t.Errorf("%s %s of %q: %d %s", one.method, one.path, one.session, status, fault)
		}
	}
	var st api.TaxStanding
	if w.call(http.MethodGet, own, paymentstest.SessionOf(other, true), nil, &st); st.IsAsked || st.Given != nil {
		t.Errorf("another sees %+v", st)
	}
}

// No line of a log has a word of it, whatever goes wrong.
func TestTaxData_IsInNoLog(t *testing.T) {
	t.Parallel()
	var written lines
	w := &world{paymentstest.New(t)}
	w.onboard(who)
	w.Log = slog.New(slog.NewJSONHandler(&written, &slog.HandlerOptions{Level: slog.LevelDebug}))
	handler, err := w.Another(w.Now).Handler()
	if err != nil {
		t.Fatal(err)
	}
	w.API = httptest.NewServer(handler)
	t.Cleanup(w.API.Close)
	send := func(in any) {
		w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), in, nil)
	}
	send(said(0, body{"first_name": "Salainen", "tin": body{"issued_by": "FI", "number": "131052-308X"}}))
	send(said(0, body{"first_name": "Salainen", "birth_date": 19521013}))
	send(said(0, body{"first_name": "Salainen", "131052-308T": "x"}))
	send(said(0, body{"first_name": "Salainen\x00"}))
	send(said(0, body{"first_name": "Salainen"}))
	w.Exec(`UPDATE tax_records SET sealed = '\x00'`)
	send(said(1, body{"first_name": "Salainen"}))
	w.call(http.MethodGet, own+"/values", paymentstest.SessionOf(who, true), nil, nil)
	text := written.String()
	if !strings.Contains(text, "tax-data") {
		t.Fatal("nothing was written")
	}
	for _, word := range []string{"131052", "308T", "Salainen", "Meikäläinen", "Hämeentie", "1952"} {
		if strings.Contains(text, word) {
			t.Errorf("a log has %s", word)
		}
	}
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// Who has not got the answer says the same once more, from the version that they know: that is done, and nobody else has saved anything.
func TestTaxData_SaidAgainAfterALostAnswer_IsDone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.put(who, said(0, nil))
	if st := w.put(who, said(0, nil)); st.Version != 1 {
		t.Errorf("a repeat is version %d", st.Version)
	}
	another := said(1, body{"last_name": "Uusi", "tin": body{"issued_by": "FI"}}) // without the number, which stays
	w.put(who, another)
	if st := w.put(who, another); st.Version != 2 || st.Given.Name != "Maija Uusi" {
		t.Errorf("a repeat is %+v", st)
	}
	if status, fault, _ := w.call(http.MethodPut, own, paymentstest.SessionOf(who, true), said(1, nil), nil); status != http.StatusPreconditionFailed {
		t.Errorf("something else from an older version: %d %s", status, fault)
	}
}
