package mangopay

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/sandbox/standin"
)

// tokenised is what is kept of a card's number and code: nothing that could pay.
type tokenised struct {
	Registration string
	BIN, Last4   string
	Expiry       string // MMYY
	Provider     string
	Fingerprint  string
	Rule         string // whether its bank asks
	Outcome      string // code that its payments end with; "" by the amount
}

// Whether a card's bank asks.
const (
	ruleNever  = "never" // unless the payment forces it
	ruleAlways = "always"
	ruleAmount = "amount" // above Options.ChallengeAbove
)

// The answers of the address that takes card numbers.
const (
	errNumber   = "02625"
	errExpiry   = "02626"
	errCode     = "02627"
	errExpired  = "02624"
	errWrongKey = "09101"
	errTooLate  = "02631"
	errGet      = "02632"

	tokeniseLife = 6 * 3600 // seconds that a registration takes a number
)

// tokenise answers a browser that sends a card's number: data=… or errorCode=….
func (s *Sandbox) tokenise(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method == http.MethodOptions {
		w.Header().Set("Access-Control-Allow-Methods", "POST, OPTIONS")
		w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
		w.WriteHeader(http.StatusNoContent)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	out := "errorCode=" + errGet
	if r.Method == http.MethodPost && r.ParseForm() == nil {
		f := r.PostForm
		var err error
		if out, err = s.tokenised(f.Get("data"), f.Get("accessKeyRef"), f.Get("cardNumber"), f.Get("cardExpirationDate"), f.Get("cardCvx")); err != nil {
			s.log.Error("tokenise", "error", err)
			http.Error(w, "errorCode=105299", http.StatusInternalServerError)
			return
		}
	}
	if back := r.PostForm.Get("returnURL"); back != "" {
		http.Redirect(w, r, withQuery(back, out), http.StatusFound) //nolint:gosec // the provider does so too
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=UTF-8")
	_, _ = w.Write([]byte(out)) // a browser that left needs no answer
}

func (s *Sandbox) tokenised(data, key, number, expiry, cvx string) (out string, err error) {
	err = s.write(&call{}, func(c *call) error {
		var r *registration
		if err := each(c.tx, registrations, "data="+data, func(found *registration) bool { r = found; return false }); err != nil {
			return err
		}
		switch {
		case data == "" || r == nil || r.AccessKey != key || r.Status != registrationCreated:
			out = "errorCode=" + errWrongKey
			return nil
		case c.now-r.CreationDate >= tokeniseLife:
			out = "errorCode=" + errTooLate
			return nil
		}
		typed, code := c.readCard(number, expiry, cvx)
		if code != "" {
			out = "errorCode=" + code
			return nil
		}
		typed.Registration = r.ID
		out = "data=" + c.s.engine.IDs.Text(60)
		return standin.PutJSON(c.tx, bucketSerials, out, typed)
	})
	return out, err
}

// readCard checks what was typed, and keeps what cannot pay.
func (c *call) readCard(number, expiry, cvx string) (tokenised, string) {
	provider := providerOf(number)
	switch {
	case !digits(number) || len(number) < 12 || len(number) > 19 || !luhn(number):
		return tokenised{}, errNumber
	case len(expiry) != 4 || !digits(expiry) || expiry[:2] < "01" || expiry[:2] > "12":
		return tokenised{}, errExpiry
	case !codeFits(provider, cvx):
		return tokenised{}, errCode
	case c.past(expiry):
		return tokenised{}, errExpired
	case cvx == "902":
		return tokenised{}, "01902"
	}
	sum := sha256.Sum256([]byte(c.s.opts.APIKey + number))
	t := tokenised{BIN: number[:6], Last4: number[len(number)-4:], Expiry: expiry, Provider: provider, Rule: ruleAmount,
		Fingerprint: hex.EncodeToString(sum[:16])}
	switch number {
	case "4970107111111119":
		t.Rule = ruleNever
	case "4970105181818183", "5033951000000004", "375989111111119":
		t.Rule = ruleAlways
	}
	if cvx == "999" {
		t.Outcome = "101101"
	}
	return t, ""
}

func codeFits(provider, cvx string) bool {
	switch provider {
	case "MAESTRO":
		return cvx == "" || digits(cvx) && len(cvx) == 3
	case "AMEX":
		return digits(cvx) && (len(cvx) == 3 || len(cvx) == 4)
	}
	return digits(cvx) && len(cvx) == 3
}

func providerOf(number string) string {
	switch {
	case strings.HasPrefix(number, "34"), strings.HasPrefix(number, "37"):
		return "AMEX"
	case strings.HasPrefix(number, "50"), strings.HasPrefix(number, "6"):
		return "MAESTRO"
	case strings.HasPrefix(number, "5"), strings.HasPrefix(number, "2"):
		return "MASTERCARD"
	}
	return "VISA"
}

// past tells whether the last month of an MMYY is over.
func (c *call) past(expiry string) bool {
	month, _ := strconv.Atoi(expiry[:2])
	year, _ := strconv.Atoi(expiry[2:])
	return !time.Unix(c.now, 0).UTC().Before(time.Date(2000+year, time.Month(month)+1, 1, 0, 0, 0, 0, time.UTC))
}

func digits(text string) bool {
	for _, r := range text {
		if r < '0' || r > '9' {
			return false
		}
	}
	return text != ""
}

func luhn(number string) bool {
	sum := 0
	for i := range len(number) {
		d := int(number[len(number)-1-i] - '0')
		if i%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return sum%10 == 0
}

// withQuery adds to an address's query, which it may have already.
func withQuery(address, query string) string {
	fragment := ""
	if at := strings.IndexByte(address, '#'); at >= 0 {
		address, fragment = address[:at], address[at:]
	}
	if strings.Contains(address, "?") {
		return address + "&" + query + fragment
	}
	return address + "?" + query + fragment
}

func withID(address, name, id string) string { return withQuery(address, name+"="+url.QueryEscape(id)) }
