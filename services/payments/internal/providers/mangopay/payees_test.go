package mangopay

import (
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
	"talkoot.fi/sandbox/standin"
)

func order(key string) provider.PayeeOrder {
	return provider.PayeeOrder{Key: key, ID: key, Kind: provider.PayeeNatural, Email: "aile@example.com", AcceptedTerms: true, Currency: money.EUR,
		Person: provider.PayeePerson{FirstName: "Áile", LastName: "Näkkäläjärvi", Born: time.Date(1981, 3, 14, 0, 0, 0, 0, time.UTC), Nationality: "FI", Residence: "FI"}}
}

func codes(p provider.Payee) []string {
	var out []string
	for _, n := range p.Needs {
		out = append(out, n.Code)
	}
	return out
}

func TestPayee_IsReadyOnceEnrolledAndVerified(t *testing.T) {
	w := newWorld(t)
	made, err := w.NewPayee(t.Context(), order("payee-1"))
	w.ok(err)
	if made.Wallet == "" || made.State != provider.PayeeBegun || !slices.Equal(codes(made), []string{provider.NeedEnrollment, provider.NeedIdentity}) {
		t.Fatalf("made: %+v", made)
	}
	step := func() string {
		t.Helper()
		address, err := w.PayeeStep(t.Context(), made.Ref, provider.Back{Return: "https://talkoot.test/en/profile/me/payouts/?a=1"})
		w.ok(err)
		return address
	}
	at, err := url.Parse(step())
	w.ok(err)
	if at.Path != "/sca" || at.Query().Get("returnUrl") != "https://talkoot.test/en/profile/me/payouts/?a=1" {
		t.Errorf("enrols at %s", at)
	}
	w.ok(w.at.Enrol(made.Ref, true))

	before := step()
	if again := step(); again != before {
		t.Errorf("a verification that is open is gone on with: %s, then %s", before, again)
	}
	now, err := w.Payee(t.Context(), made.Ref)
	w.ok(err)
	if now.State != provider.PayeeChecking {
		t.Errorf("while it is verified: %+v", now)
	}
	w.ok(w.at.SetKYC(made.Ref, "REGULAR"))
	now, err = w.Payee(t.Context(), made.Ref)
	w.ok(err)
	if now.State != provider.PayeeReady || len(now.Needs) > 0 || step() != "" {
		t.Errorf("verified: %+v, %s", now, step())
	}
	w.ok(w.at.SetKYC(made.Ref, "LIGHT"))
	if now, err = w.Payee(t.Context(), made.Ref); err != nil || now.State == provider.PayeeReady {
		t.Errorf("downgraded: %+v, %v", now, err)
	}
}

// An owner who took a consent back, and one whom somebody made in another way and who was never asked to enrol, are led to a page for it.
func TestPayee_GoesOnAtAPageThatIsAskedFor(t *testing.T) {
	w := newWorld(t)
	w.ok(w.at.RevokeConsents(w.wallet.Owner))
	var classic struct{ Id string } //nolint:revive // the wire's
	w.must(w.post(t.Context(), "owner", "/users/natural", "classic-owner-of-the-test", map[string]any{"FirstName": "Olli", "LastName": "O", "Email": "olli@example.com",
		"UserCategory": "OWNER", "Birthday": 300000000, "Nationality": "FI", "CountryOfResidence": "FI", "TermsAndConditionsAccepted": true}, &classic))
	for ref, need := range map[string]string{w.wallet.Owner: provider.NeedConsents, classic.Id: provider.NeedEnrollment} {
		now, err := w.Payee(t.Context(), ref)
		if err != nil || len(now.Needs) == 0 || now.Needs[0].Code != need {
			t.Errorf("%+v, %v, want %s", now, err, need)
		}
		at, err := w.PayeeStep(t.Context(), ref, provider.Back{Return: "https://talkoot.example/payout"})
		if err != nil || !strings.HasPrefix(at, "http://mangopay.test/sca?token=") {
			t.Errorf("%s: %q, %v", need, at, err)
		}
	}
}

// What Mangopay looks at itself is waited for, and not begun anew.
func TestPayee_WhoseVerificationIsReviewed_IsChecked(t *testing.T) {
	t.Parallel()
	const enrolled = `{"UserStatus":"ACTIVE","IsEnrolled":true,"ConsentScope":{"RecipientRegistration":"ACTIVE","Transfer":"ACTIVE","ViewAccountInformation":"ACTIVE"}}`
	for status, want := range map[string]provider.PayeeState{"REVIEW": provider.PayeeChecking, "PENDING": provider.PayeeChecking, "REFUSED": provider.PayeeBegun,
		"EXPIRED": provider.PayeeBegun, "OUT_OF_DATE": provider.PayeeBegun} {
		s, c := newServer(t, says(200, `{"Id":"u1","KYCLevel":"LIGHT","UserStatus":"ACTIVE"}`), says(200, enrolled), says(200, `{}`),
			says(200, `[{"Status":"`+status+`","HostedUrl":"https://mangopay.example/1"}]`))
		got, err := c.Payee(t.Context(), "u1")
		if err != nil || got.State != want || len(got.Needs) != 1 || got.Needs[0].Code != provider.NeedIdentity {
			t.Errorf("%s: %+v, %v", status, got, err)
		}
		s.answers = []func(http.ResponseWriter, *http.Request){says(200, `{"Id":"u1","KYCLevel":"LIGHT","UserStatus":"ACTIVE"}`), says(200, enrolled), says(200, `{}`),
			says(200, `[{"Status":"`+status+`","HostedUrl":"https://mangopay.example/1"}]`), says(200, `[{"Status":"`+status+`","HostedUrl":"https://mangopay.example/1"}]`),
			says(200, `{"HostedUrl":"https://mangopay.example/2"}`)}
		page := map[string]string{"REVIEW": "", "PENDING": "https://mangopay.example/1"}
		next, isKnown := page[status]
		if !isKnown {
			next = "https://mangopay.example/2"
		}
		if at, err := c.PayeeStep(t.Context(), "u1", provider.Back{Return: "https://talkoot.example/payout"}); err != nil || at != next {
			t.Errorf("%s: %q, %v", status, at, err)
		}
	}
}

func TestPayee_OfAnEntityIsMadeByItsRepresentative(t *testing.T) {
	w := newWorld(t)
	o := order("payee-2")
	o.Kind = provider.PayeeLegal
	o.Legal = provider.PayeeEntity{Name: "Nuotit osk", Type: "BUSINESS", Number: "1234567-8", Address: provider.Address{Line1: "Opintie 14", City: "Inari", PostalCode: "99870", Country: "FI"}}
	made, err := w.NewPayee(t.Context(), o)
	if err != nil || made.Ref == "" || made.Wallet == "" {
		t.Fatalf("%+v, %v", made, err)
	}
	o.Key, o.Legal.Number = "payee-3", ""
	if _, err := w.NewPayee(t.Context(), o); !errors.Is(err, provider.ErrFinal) {
		t.Errorf("a business without a number: %v", err)
	}
	o = order("payee-4")
	o.AcceptedTerms = false
	if _, err := w.NewPayee(t.Context(), o); !errors.Is(err, provider.ErrFinal) {
		t.Errorf("without the terms: %v", err)
	}
}

func TestPayee_IsMadeOnceThoughItsAnswerIsLost(t *testing.T) {
	for _, path := range []string{"/sca/users/natural", "/wallets"} {
		w := newWorld(t)
		w.ok(w.at.AddFault(sandbox.FaultRule{Kind: standin.CutAfter, Times: 3, Method: http.MethodPost, Path: path}))
		first, err := w.NewPayee(t.Context(), order("payee-5"))
		if err != nil { // all its tries were cut
			first, err = w.NewPayee(t.Context(), order("payee-5"))
		}
		w.ok(err)
		again, err := w.NewPayee(t.Context(), order("payee-5"))
		w.ok(err)
		if first.Ref != again.Ref || first.Wallet != again.Wallet || first.Wallet == "" {
			t.Errorf("%s: %+v, then %+v", path, first, again)
		}
	}
}

func TestPayee_IsNamedByHooksOfUsersAndOfTheirVerifications(t *testing.T) {
	w := newWorld(t)
	made, err := w.NewPayee(t.Context(), order("payee-6"))
	w.ok(err)
	w.ok(w.at.Enrol(made.Ref, true))
	_, err = w.PayeeStep(t.Context(), made.Ref, provider.Back{Return: "https://talkoot.test/"})
	w.ok(err)
	var list []struct{ Id string } //nolint:revive // the wire's
	w.ok(w.get(t.Context(), "list", "/users/"+made.Ref+"/identity-verifications", &list))
	for object, want := range map[string]string{list[0].Id: made.Ref, made.Ref: made.Ref} {
		if got, err := w.PayeeOf(t.Context(), object); err != nil || got != want {
			t.Errorf("%s is of %s, %v", object, got, err)
		}
	}
	for kind, want := range map[string]provider.About{"USER_KYC_LIGHT": provider.AboutPayee, "IDENTITY_VERIFICATION_FAILED": provider.AboutPayee,
		"SCA_ENROLLMENT_SUCCEEDED": provider.AboutPayee, "USER_INFLOWS_BLOCKED": provider.AboutPayee, "KYC_CREATED": provider.AboutNothing} {
		h, err := w.ReadHook(provider.Delivery{Query: url.Values{"EventType": {kind}, "RessourceId": {made.Ref}}})
		if err != nil || h.About != want {
			t.Errorf("%s is about %q, %v", kind, h.About, err)
		}
	}
}
