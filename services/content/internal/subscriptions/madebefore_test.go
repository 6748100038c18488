//go:build unix

package subscriptions_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api"
)

// refusal is what a refused call says.
type refusal struct {
	Status string
	Params struct {
		At   time.Time
		Paid bool
	}
}

func TestCreate_TheSameSupportOfOneAccountIsAskedAbout(t *testing.T) {
	w := setup(t)
	leena, reijo := w.Person("Leena"), w.creator
	first := w.begins(leena, body("7", w.choir))
	again := func() (r refusal) {
		t.Helper()
		answer := w.Post(w.path(), body("7", w.choir), leena)
		if err := json.Unmarshal(answer.Body, &r); err != nil || answer.Status != 409 {
			t.Fatalf("%d %s", answer.Status, answer.Body)
		}
		return r
	}
	if r := again(); r.Status != "made_before" || r.Params.Paid || !r.Params.At.Equal(w.Now()) {
		t.Errorf("%+v", r)
	}
	w.mustPay(w.paid(first, 1), "applied")
	if r := again(); !r.Params.Paid {
		t.Errorf("%+v", r)
	}
	w.begins(reijo, body("7", w.choir))
	w.begins(0, body("7", w.choir))
	w.begins(leena, body("8", w.choir))
	w.begins(leena, body("7", 0))
	w.begins(leena, strings.Replace(body("7", w.choir), "{", `{"once_more": true, `, 1))
}

func TestCreate_TwoWindowsPressedAtOnceBeginOneSupport(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	statuses := make([]int, 6)
	var group sync.WaitGroup
	for n := range statuses {
		content := body("7", w.choir)
		group.Go(func() { statuses[n] = w.Post(w.path(), content, leena).Status })
	}
	group.Wait()
	made := 0
	for _, status := range statuses {
		switch status {
		case 201:
			made++
		case 409:
		default:
			t.Errorf("answer %d", status)
		}
	}
	if n := w.number(`SELECT count(*) FROM subscriptions`); made != 1 || n != 1 {
		t.Errorf("%d made, %d there", made, n)
	}
}

func TestOwnInCampaign_IsWhatGoesOn(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s := w.begins(leena, body("7", w.choir))
	read := func() (a api.OwnInCampaign) {
		t.Helper()
		w.Get(fmt.Sprintf("/users/me/backed/%d/", w.campaign), leena).JSON(&a)
		return a
	}
	if a := read(); len(a.Subscriptions) != 0 {
		t.Errorf("not paid: %+v", a)
	}
	w.mustPay(w.paid(s, 1), "applied")
	w.mustTell(w.told(s, 1, "activated", "active"), "applied")
	a := read()
	if len(a.Subscriptions) != 1 || a.Subscriptions[0].SubscriptionID != s.SubscriptionID || a.Subscriptions[0].Status != api.OwnSupportInStatusActive ||
		a.Subscriptions[0].NextChargeOn == nil || *a.Subscriptions[0].RewardTitle != "Eturivi" {
		t.Errorf("%+v", a)
	}
	w.mustTell(w.told(s, 2, "canceled", "canceled"), "applied")
	if a := read(); len(a.Subscriptions) != 0 {
		t.Errorf("ended: %+v", a)
	}
}
