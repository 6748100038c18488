package payins_test

import (
	"net/http"
	"testing"

	"talkoot.fi/payments/internal/paymentstest"
)

// A failure that the provider has stored under a key is an outage to who waits, and stands in nobody's way: the next call has another key.
func TestRegistration_AFailureIsStored(t *testing.T) {
	t.Parallel()
	b := paymentstest.NewB(t)
	pledge := b.Pledge()
	b.Begin(pledge)
	b.Fails("500_stored", 1, http.MethodPost, "/cardregistrations")
	if status, code := b.Call("card-registration-data", map[string]any{"pledgeId": pledge}, nil, nil); code != "provider_unavailable" {
		t.Errorf("a registration: %d %s", status, code)
	}
	b.Begin(pledge)
	b.Fails("500_stored", 1, http.MethodPost, "/users/")
	added := add(b, pledge, aNumber)
	b.Fails("500_stored", 1, http.MethodPost, "/mandates/")
	if status, code := b.Call("create-mandate", mandateFor(pledge, added.ID), nil, nil); code != "provider_unavailable" {
		t.Errorf("a mandate: %d %s", status, code)
	}
	allow(b, pledge, added.ID)
}
