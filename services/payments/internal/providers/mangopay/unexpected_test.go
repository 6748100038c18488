package mangopay

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
)

// What a call that moves money says of an answer.
const (
	isDone    = "done"    // the money has moved
	isRefused = "refused" // it never will
	isOpen    = "open"    // it may yet
	isUnknown = "unknown" // there was no answer: it is asked again
)

// A pay-in and a refund as they are answered, of which the tests change one thing.
const (
	paidBody = `{"Id":"p1","Tag":"campaign=7","CreationDate":1700000000,"ExecutionDate":1700000100,"AuthorId":"u1","CreditedUserId":"u7","CreditedWalletId":"w7",` +
		`"DebitedFunds":{"Currency":"EUR","Amount":4200},"CreditedFunds":{"Currency":"EUR","Amount":4200},"Fees":{"Currency":"EUR","Amount":0},` +
		`"Status":"SUCCEEDED","ResultCode":"000000","ResultMessage":"Success","Type":"PAYIN","Nature":"REGULAR","PaymentType":"CARD","ExecutionType":"DIRECT","CardId":"k1"}`
	backBody = `{"Id":"r1","Tag":"refund=r","CreationDate":1700000000,"ExecutionDate":1700000100,"InitialTransactionId":"p1",` +
		`"DebitedFunds":{"Currency":"EUR","Amount":4200},"CreditedFunds":{"Currency":"EUR","Amount":4200},"Fees":{"Currency":"EUR","Amount":0},` +
		`"Status":"SUCCEEDED","ResultCode":"000000","ResultMessage":"Success","Type":"PAYOUT","Nature":"REFUND"}`
	disputeBody = `{"Id":"d1","InitialTransactionId":"p1","DisputeType":"CONTESTABLE","DisputedFunds":{"Currency":"EUR","Amount":4200},"Status":"CLOSED",` +
		`"ResultCode":"LOST","RepudiationId":"rep1","CreationDate":1700000000}`
	cardBody = `{"Id":"k1","UserId":"u1","ExpirationDate":"1229","Alias":"497010XXXXXX1119","CardProvider":"VISA","Active":true,"Fingerprint":"f1"}`
)

// mover is a call that moves money, or says what was moved.
type mover struct {
	path string // whose answer is the unexpected one
	body string
	do   func(context.Context, *Client) (string, error)
}

// readAgain is a call that reads the pay-in once more, whatever its key was answered.
const readAgain = "what a key has begun"

func stateWord(s provider.State) string {
	if s == provider.Succeeded {
		return isDone
	}
	if s == provider.Ended {
		return isRefused
	}
	return isOpen
}

func movers() map[string]mover {
	begin := func(method provider.Method, instrument string) func(context.Context, *Client) (string, error) {
		return func(ctx context.Context, c *Client) (string, error) {
			snap, err := c.Begin(ctx, provider.Order{Key: "k", Method: method, Payer: "u1", Instrument: instrument, Amount: money.New(4200, money.EUR),
				Browser: &provider.Browser{}, Tag: provider.Tag{Campaign: "7"}})
			return stateWord(snap.State), err
		}
	}
	refundWord := func(state provider.RefundState) string {
		return map[provider.RefundState]string{provider.RefundSucceeded: isDone, provider.RefundFailed: isRefused, provider.RefundPending: isOpen}[state]
	}
	return map[string]mover{
		"begin by card":   {"POST /payins/card/direct", paidBody, begin(provider.MethodCard, "cards/k1")},
		"begin by debit":  {"POST /payins/directdebit/direct", paidBody, begin(provider.MethodDebit, "mandates/m1")},
		"begin on a page": {"POST /payins/card/web", paidBody, begin(provider.MethodPage, "")},
		"look at a pay-in": {"GET /payins/p1", paidBody, func(ctx context.Context, c *Client) (string, error) {
			snap, err := c.Look(ctx, provider.Ref{Object: "p1", Money: "p1"})
			return stateWord(snap.State), err
		}},
		readAgain: {"GET /responses/", `{"StatusCode":"200","Resource":` + paidBody + `}`, func(ctx context.Context, c *Client) (string, error) {
			snap, err := c.Begun(ctx, "k")
			return stateWord(snap.State), err
		}},
		"refund": {"POST /payins/p1/refunds", backBody, func(ctx context.Context, c *Client) (string, error) {
			r, err := c.Refund(ctx, provider.RefundOrder{Key: "k", Money: "p1", Amount: money.New(4200, money.EUR)})
			return refundWord(r.State), err
		}},
		"refunds of a pay-in": {"GET /payins/p1/refunds", "[" + backBody + "]", func(ctx context.Context, c *Client) (string, error) {
			list, err := c.Refunds(ctx, "p1")
			if len(list) == 0 {
				return isRefused, err // none was taken
			}
			return refundWord(list[0].State), err
		}},
		"repay": {"POST /repudiations/rep1/settlementtransfer", strings.ReplaceAll(backBody, "REFUND", "SETTLEMENT"), func(ctx context.Context, c *Client) (string, error) {
			err := c.Repay(ctx, provider.RepayOrder{Key: "k", Dispute: "d1", Amount: money.New(4200, money.EUR)})
			if errors.Is(err, provider.ErrRefused) {
				return isRefused, nil
			}
			return isDone, err
		}},
	}
}

// answersOf a call that goes well, by its method and the beginning of its path.
var answersOf = [][2]string{{"GET /payins/p1/refunds", "[" + backBody + "]"}, {"GET /payins/p1/disputes", `[]`}, {"GET /payins/p1", paidBody}, {"GET /disputes/d1", disputeBody},
	{"GET /cards/k1", cardBody}, {"POST /payins/", paidBody}}

func moved(t *testing.T, m mover, status int, body string) (string, error) {
	t.Helper()
	var s *server
	s, c := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		call := r.Method + " " + strings.TrimPrefix(r.URL.Path, "/v2.01/client")
		isBelow := m.path == "GET /payins/p1" && strings.HasPrefix(call, m.path+"/")
		if strings.HasPrefix(call, m.path) && !isBelow {
			says(status, body)(w, r)
			return
		}
		for _, known := range answersOf {
			if strings.HasPrefix(call, known[0]) {
				says(200, known[1])(w, r)
				return
			}
		}
		s.t.Errorf("nobody knows %s", call)
	})
	c.config.Wallet = wallet7
	return m.do(t.Context(), c)
}

// An answer that is not whole, or not one of Mangopay's, is no answer: nothing counts as paid by it, and nothing as refused for good. What is
// new in a whole one is survived.
func TestUnexpectedAnswers_AreNeverPaidAndNeverRefused(t *testing.T) {
	t.Parallel()
	change := func(old, by string) func(string) string {
		return func(body string) string { return strings.ReplaceAll(body, old, by) }
	}
	is := func(body string) func(string) string { return func(string) string { return body } }
	const ok, code, at = `"Status":"SUCCEEDED"`, `"ResultCode":"000000"`, `"ExecutionDate":1700000100`
	failing := func(code string) func(string) string {
		return func(body string) string {
			return strings.NewReplacer(ok, `"Status":"FAILED"`, `"ResultCode":"000000"`, code, at, `"ExecutionDate":null`).Replace(body)
		}
	}
	for name, tc := range map[string]struct {
		status int
		change func(string) string
		want   string // one of these, by words
	}{
		"as it is":                  {200, func(body string) string { return body }, isDone},
		"a field that is new":       {200, change(ok, ok+`,"Surprise":{"A":[1]}`), isDone},
		"a refusal":                 {200, failing(`"ResultCode":"101101"`), isRefused},
		"a refusal of a new kind":   {200, failing(`"ResultCode":"999999"`), isRefused},
		"a refusal without a code":  {200, failing(`"ResultCode":null`), isOpen + isUnknown},
		"a refusal with success":    {200, failing(`"ResultCode":"000000"`), isOpen + isUnknown},
		"a status that is new":      {200, change(ok, `"Status":"LOOKED_AT"`), isOpen + isUnknown},
		"no status":                 {200, change(ok, `"Status":null`), isUnknown},
		"success without a code":    {200, change(code, `"ResultCode":null`), isOpen + isUnknown},
		"success with a new code":   {200, change(code, `"ResultCode":"000009"`), isOpen + isUnknown},
		"success at no time":        {200, change(at, `"ExecutionDate":null`), isOpen + isUnknown},
		"a date that is a text":     {200, change(at, `"ExecutionDate":"2026-11-28"`), isUnknown},
		"no sum":                    {200, change(`"DebitedFunds":{"Currency":"EUR","Amount":4200}`, `"DebitedFunds":null`), isUnknown},
		"a sum without an amount":   {200, change(`"DebitedFunds":{"Currency":"EUR","Amount":4200}`, `"DebitedFunds":{"Currency":"EUR"}`), isUnknown},
		"an amount that is a text":  {200, change(`"Amount":4200`, `"Amount":"4200"`), isUnknown},
		"an amount with a fraction": {200, change(`"Amount":4200`, `"Amount":42.5`), isUnknown},
		"no id":                     {200, change(`"Id":"`, `"Ref":"`), isUnknown},
		"an empty object":           {200, func(body string) string { return map[bool]string{true: "[{}]", false: "{}"}[body[0] == '['] }, isUnknown},
		"null":                      {200, is("null"), isUnknown},
		"nothing":                   {200, is(" "), isUnknown},
		"half of it":                {200, func(body string) string { return body[:len(body)/2] }, isUnknown},
		"a page":                    {200, is("<html><body>Welcome</body></html>"), isUnknown},
		"a page that refuses":       {403, is("<html><body>Forbidden</body></html>"), isUnknown},
		"a page that knows nothing": {404, is("<html><body>Not found</body></html>"), isUnknown},
		"a page that is bad":        {400, is("<html><body>Bad request</body></html>"), isUnknown},
		"a gateway":                 {502, is("<html></html>"), isUnknown},
		"too late":                  {408, is(""), isUnknown},
	} {
		for call, m := range movers() {
			word, err := moved(t, m, tc.status, tc.change(m.body))
			switch {
			case errors.Is(err, apperr.New(apperr.ProviderUnavailable)):
				word = isUnknown
			case err != nil:
				word = isRefused
			}
			want := tc.want
			if call == readAgain && want != isUnknown {
				want = isDone // as the pay-in itself says then
			}
			if !strings.Contains(want, word) {
				t.Errorf("%s, %s: %s (%v), want %s", call, name, word, err, want)
			}
		}
	}
}

// A dispute that is closed is won only when Mangopay says so.
func TestDispute_ClosedWithoutAWord_IsOpen(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]provider.DisputeState{`"WON"`: provider.DisputeWon, `"LOST"`: provider.DisputeLost, `"VOID"`: provider.DisputeClosed,
		`null`: provider.DisputeOpen, `"DRAWN"`: provider.DisputeOpen} {
		_, c := newServer(t, says(200, "["+strings.Replace(disputeBody, `"LOST"`, code, 1)+"]"), says(200, "[]"))
		list, err := c.Disputes(t.Context(), "p1")
		if err != nil || len(list) != 1 || list[0].State != want {
			t.Errorf("%s: %+v, %v", code, list, err)
		}
	}
}

// A line of a report that is not whole ends the comparison with an error; what did not succeed is no line.
func TestLines_ThatAreNotWhole_AreNone(t *testing.T) {
	t.Parallel()
	head := strings.Join(reportColumns, ",")
	for name, file := range map[string]string{"a page": "<html></html>", "nothing": "", "other columns": "Id,Amount", "no time": head + "\np1,,EUR,4200,EUR,4200,PAYIN,REGULAR,,w7",
		"no sum": head + "\np1,1700000100,EUR,,EUR,4200,PAYIN,REGULAR,,w7", "half of it": head + "\np1,1700000100,EUR,42"} {
		files := httptest.NewServer(http.HandlerFunc(says(200, file)))
		t.Cleanup(files.Close)
		_, c := newServer(t, says(200, fmt.Sprintf(`{"Id":"r1","Status":"GENERATED","DownloadURL":%q}`, files.URL)))
		n := 0
		err := c.EachLine(t.Context(), time.Unix(1700000000, 0), time.Unix(1700000200, 0), func(provider.Line) error { n++; return nil })
		if err == nil || n != 0 {
			t.Errorf("%s: %d lines, %v", name, n, err)
		}
	}
}
