//go:build unix

package subscriptions_test

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledging/subscriptions"
	"talkoot.fi/content/internal/pledging/supportlinks"
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
	w.mustPay(w.paid(first, 1), taken)
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

func TestListOwnIn_IsWhatGoesOn(t *testing.T) {
	w := setup(t)
	leena := w.Person("Leena")
	s := w.begins(leena, body("7", w.choir))
	read := func() []subscriptions.OwnIn {
		t.Helper()
		list, err := w.ListOwnIn(t.Context(), leena, w.campaign)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	if list := read(); len(list) != 0 {
		t.Errorf("not paid: %+v", list)
	}
	w.mustPay(w.paid(s, 1), taken)
	w.mustTell(w.told(s, 1, internalapi.SubscriptionEventCauseActivated, active), taken)
	list := read()
	if len(list) != 1 || list[0].ID != s.SubscriptionID || list[0].Status != subscriptions.Active || list[0].RewardTitle != "Eturivi" {
		t.Errorf("%+v", list)
	}
	w.mustTell(w.told(s, 2, internalapi.SubscriptionEventCauseCanceled, canceled), taken)
	if list := read(); len(list) != 0 {
		t.Errorf("ended: %+v", list)
	}
}

func TestPaid_WhoHasTwoIsTold(t *testing.T) {
	w := setup(t)
	mail := strings.Replace(body("7", w.choir), "leena", "Two", 1)
	for range 2 {
		s := w.begins(0, mail)
		w.mustPay(w.paid(s, 1), taken)
		w.mustTell(w.told(s, 1, internalapi.SubscriptionEventCauseActivated, active), taken)
		mail = strings.Replace(mail, "Two", "tWO", 1)
	}
	w.supporter(0, "7", w.choir) // of another address
	sent := w.mailed()
	if len(sent) != 3 {
		t.Fatalf("%d mails", len(sent))
	}
	// Mails are made when they are sent, so both of the two say it here.
	for i, has := range []bool{true, true, false} {
		if got := strings.Contains(sent[i].Text, "2 kuukausitukea"); got != has {
			t.Errorf("mail %d: %s", i, sent[i].Text)
		}
		if has && (!strings.Contains(sent[i].Text, "14,00") || w.linksIn(sent[i])[supportlinks.Cancel].Act == "") {
			t.Errorf("mail %d has no sum or no way to stop: %s", i, sent[i].Text)
		}
	}
}
