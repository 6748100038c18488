package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/contract/contracttest"
	"talkoot.fi/kit/ordertoken"
	"talkoot.fi/kit/servicetoken"

	"talkoot.fi/content/internal/api/internalapi"
)

// All calls of the payment service about a pledge, over HTTP and checked against both contracts.
func TestInternal_OrderThenEventsThenTheBackerSeesIt(t *testing.T) {
	p := setupDemo(t)
	spec, err := internalapi.GetSpecJSON()
	if err != nil {
		t.Fatal(err)
	}
	internal, public := contracttest.NewRecorder(t, spec).Handler(p.handler), p.checked(t)
	token := p.serviceToken(t)
	campaign := p.number(t, `SELECT id FROM campaigns WHERE slug = 'hoyry-kylan-yhteinen-saunalautta'`)
	made := call(t.Context(), public, "POST", fmt.Sprintf("/campaigns/%d/pledges/", campaign),
		`{"amount": 20.5, "pledge_meta": {"email": "a@b.fi", "first_name": "A", "last_name": "B", "language": "en"}}`)
	var pledge struct {
		Pledge struct {
			ID     string `json:"pledge_id"`
			Status string `json:"status"`
			Number int    `json:"backer_number"`
		} `json:"pledge"`
		Token string `json:"order_token"`
	}
	decode(t, made.Body.Bytes(), &pledge)
	id := pledge.Pledge.ID

	var order struct {
		State         string `json:"state"`
		AmountMinor   int64  `json:"amount_minor"`
		CampaignTitle string `json:"campaign_title"`
		PayeeUserID   int64  `json:"payee_user_id"`
		ReturnPath    string `json:"return_path"`
	}
	decode(t, call(t.Context(), internal, "GET", "/internal/orders/pledge/"+id, "", bearer(token)...).Body.Bytes(), &order)
	if order.State != "payable" || order.ReturnPath != "/en/payment-return/?pledge="+id || order.AmountMinor != 2050 || order.PayeeUserID == 0 || !strings.Contains(order.CampaignTitle, "sauna raft") {
		t.Errorf("order %+v", order)
	}
	for i, c := range []struct{ kind, want string }{
		{"payment.started", "applied"}, {"payment.succeeded", "applied"}, {"payment.started", "ignored"},
	} {
		var answer struct {
			Outcome string `json:"outcome"`
		}
		for range 2 { // delivered twice
			got := call(t.Context(), internal, "POST", "/internal/payment-events", eventBody(i+1, c.kind, id), bearer(token)...)
			decode(t, got.Body.Bytes(), &answer)
			if got.Code != http.StatusOK || answer.Outcome != c.want {
				t.Errorf("%s: %d %s, want %s", c.kind, got.Code, answer.Outcome, c.want)
			}
		}
	}
	decode(t, call(t.Context(), public, "GET", "/pledges/"+id+"/", "", ordertoken.Header, pledge.Token).Body.Bytes(), &pledge)
	if pledge.Pledge.Status != "paid" || pledge.Pledge.Number != 1 {
		t.Errorf("the backer sees %+v", pledge.Pledge)
	}
	backers := call(t.Context(), public, "GET", fmt.Sprintf("/campaigns/%d/backers/", campaign), "")
	if !strings.Contains(backers.Body.String(), `"total":1`) {
		t.Errorf("backers %s", backers.Body)
	}
	for name, c := range map[string]struct {
		body string
		want int
	}{
		"an unknown pledge": {eventBody(9, "payment.started", "00000000000000000000000000"), 404},
		"an unknown type":   {eventBody(9, "payment.exploded", id), 422},
		"another subject":   {strings.Replace(eventBody(9, "payment.started", id), `"pledge"`, `"gift"`, 1), 422},
		"an unknown field":  {strings.Replace(eventBody(9, "payment.started", id), `{`, `{"x": 1, `, 1), 400},
		"no JSON":           {`{`, 400},
	} {
		if got := call(t.Context(), internal, "POST", "/internal/payment-events", c.body, bearer(token)...); got.Code != c.want {
			t.Errorf("%s: %d, want %d: %s", name, got.Code, c.want, got.Body)
		}
	}
}

func TestInternal_OrdersOfPledgesOnly(t *testing.T) {
	p := setup(t)
	token := p.serviceToken(t)
	for address, want := range map[string]int{
		"/internal/orders/pledge/00000000000000000000000000": 404,
		"/internal/orders/pledge/short":                      404,
		"/internal/orders/gift/00000000000000000000000000":   404,
		"/internal/pledges/00000000000000000000000000/order": 404,
	} {
		if got := call(t.Context(), p.handler, "GET", address, "", bearer(token)...); got.Code != want {
			t.Errorf("%s: %d, want %d: %s", address, got.Code, want, got.Body)
		}
	}
}

func TestOwnProfile_IsTheOneOfTheToken(t *testing.T) {
	p := setupDemo(t)
	for email, want := range map[string]string{"creator@talkoot.example": "Reijo", "backer@talkoot.example": "Leena"} {
		user := p.number(t, `SELECT id FROM users WHERE email = ?`, email)
		var answer struct {
			Profile struct {
				Email     string   `json:"email"`
				FirstName string   `json:"first_name"`
				Skills    []string `json:"skills"`
				Images    struct {
					Profile struct {
						URL string `json:"url"`
					} `json:"profile"`
				} `json:"image_collection"`
			} `json:"profile"`
		}
		decode(t, call(t.Context(), p.checked(t), "GET", "/users/me/profile", "", bearer(p.token(t, user))...).Body.Bytes(), &answer)
		if got := answer.Profile; got.Email != email || got.FirstName != want || len(got.Skills) == 0 || !strings.HasPrefix(got.Images.Profile.URL, "/media/{width}x{height}/art-") {
			t.Errorf("%+v", got)
		}
	}
}

func (p *platform) serviceToken(t *testing.T) string {
	t.Helper()
	signer, err := servicetoken.NewSigner([]byte(serviceSecret), servicetoken.Payments, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	token, err := signer.Sign(servicetoken.Content)
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func eventBody(sequence int, kind, pledgeID string) string {
	return fmt.Sprintf(`{"event_id": "e%d", "sequence": %d, "type": %q, "subject_kind": "pledge", "subject_id": %q, "payment_id": "p1", "provider": "mangopay",
		"amount_minor": 2050, "currency": "EUR", "method": "Visa ···· 4242", "occurred_at": "2026-11-20T10:00:00Z"}`, sequence, sequence, kind, pledgeID)
}

func decode(t *testing.T, body []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(body, into); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
}
