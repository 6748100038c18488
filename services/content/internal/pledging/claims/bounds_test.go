//go:build unix

package claims_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"talkoot.fi/kit/idem"

	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/pledges"
)

// What staff have decided stands: neither withdrawing the objection nor a message makes room for a claim about the same again.
func TestAct_ADecisionStandsWhateverIsWithdrawn(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	w.must(p, w.team(), claims.Wish{Act: claims.Decline})
	w.must(p, w.staff(), claims.Wish{Act: claims.Decide})
	w.must(p, backer, claims.Wish{Act: claims.Object}, claims.Wish{Act: claims.Withdraw})
	own, err := w.Own(t.Context(), p)
	if err != nil || len(own.Kinds) > 0 {
		t.Errorf("%v may be claimed (%v)", own.Kinds, err)
	}
	if err := w.act(p, backer, claims.Wish{Act: claims.Make, Kind: claims.Other}); !errors.Is(err, claims.ErrNotPossible) {
		t.Errorf("a new claim: %v", err)
	}
}

// Staff decide about no money of their own, be it an account's, a guest's with their address, or that of another account with it: they see no such claim,
// and hear of none.
func TestAct_NobodyDecidesAboutTheirOwnPledge(t *testing.T) {
	w := setup(t)
	other := w.Person("Tiina", "view", "edit", "admin")
	account, guest := w.pledge(pledges.Paid, "2026-10"), w.pledge(pledges.Paid, "2026-10")
	w.Exec(`UPDATE pledges SET user_id = ? WHERE id = ?`, w.admin, account)
	w.Exec(`UPDATE pledges SET email = (SELECT upper(email) FROM users WHERE id = ?) WHERE id = ?`, w.admin, guest)
	second, another := w.pledge(pledges.Paid, "2026-10"), w.Person("Henna II", "view")
	w.Exec(`UPDATE users SET verified = false, email = (SELECT upper(email) FROM users WHERE id = ?) WHERE id = ?`, w.admin, another)
	w.Exec(`UPDATE pledges SET user_id = ? WHERE id = ?`, another, second)
	for i, p := range []string{account, guest, second} {
		give := func(by int64) error {
			_, err := w.GiveBack(t.Context(), claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: fmt.Sprintf("TK-2026-%06d", i+1), Minor: 1, Note: "x",
				Key: fmt.Sprintf("a-key-%d-%d", i, by), UserID: by, IsStaff: true})
			return err
		}
		w.must(p, backer, newClaim)
		w.must(p, w.team(), claims.Wish{Act: claims.Decline})
		for _, act := range []claims.Act{claims.Decide, claims.Message} {
			if err := w.act(p, w.staff(), claims.Wish{Act: act, Minor: 45_00}); !errors.Is(err, claims.ErrUnknown) {
				t.Errorf("an admin about their own claim, %s: %v", act, err)
			}
		}
		if err := give(w.admin); !errors.Is(err, claims.ErrOwnMoney) {
			t.Errorf("an admin gives themself money back: %v", err)
		}
		if err := give(other); err != nil {
			t.Errorf("another admin: %v", err)
		}
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = ? AND payload ->> 'to' = 'staff' AND CAST(payload ->> 'user_id' AS bigint) = ?`, mails.KindClaim, w.admin); n != 0 {
		t.Errorf("%d mails ask them to decide", n)
	}
	own, err := w.OfStaff(t.Context(), w.admin, "fi")
	others, err2 := w.OfStaff(t.Context(), other, "fi")
	if err != nil || err2 != nil || len(own.Claims) != 0 || len(others.Claims) != 3 {
		t.Errorf("%d wait for them and %d for another (%v, %v)", len(own.Claims), len(others.Claims), err, err2)
	}
}

// Who floods a claim silences nobody but themself.
func TestAct_EachSideHasItsOwnBoundOfWords(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	var err error
	n := 0
	for ; n < 300 && err == nil; n++ {
		err = w.act(p, w.team(), claims.Wish{Act: claims.Message})
	}
	t.Logf("%d messages of the creator, then %v", n, err)
	if err := w.act(p, backer, claims.Wish{Act: claims.Message}); err != nil {
		t.Errorf("the backer cannot write any more: %v", err)
	}
	err, n = nil, 0
	for ; n < 300 && err == nil; n++ {
		err = w.act(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: int64(100 + n)})
	}
	if err == nil {
		t.Errorf("%d offers, each with a mail", n)
	}
}

// A repeat is one also when the day that it named is not to be promised any more.
func TestAct_ARepeatAfterMidnightIsOne(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	w.must(p, backer, newClaim)
	offer := claims.Wish{Act: claims.OfferResend, Day: tomorrow(w, 1), Key: "resend-001", Version: 1}
	w.must(p, w.team(), offer)
	w.Advance(24 * time.Hour)
	if err := w.act(p, w.team(), offer); err != nil {
		t.Errorf("a repeat after midnight: %v", err)
	}
}

func TestGiveBack_AllIsNoRepeatOfAPart(t *testing.T) {
	w := setup(t)
	w.pledge(pledges.Paid, "2026-10")
	give := func(minor int64) error {
		_, err := w.GiveBack(t.Context(), claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: "TK-2026-000001", Minor: minor, Note: "x", Key: "a-key-0001", UserID: w.creator})
		return err
	}
	if err := give(10_00); err != nil {
		t.Fatal(err)
	}
	if err := give(0); !errors.Is(err, idem.ErrMismatch) {
		t.Errorf("all with the key of a part: %v", err)
	}
}

func TestMake_AWholeLastDay(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	own, err := w.Own(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	// 180 days after 20 November, the day of the end, and after 31 March, when summer time has begun.
	if got := own.Until.In(w.Zone).Format("2.1. 15:04"); got != "20.5. 00:00" {
		t.Errorf("until %s", got)
	}
	march := w.pledge(pledges.Paid, "2027-03")
	if own, err = w.Own(t.Context(), march); err != nil {
		t.Fatal(err)
	}
	if got := own.Until.In(w.Zone).Format("2.1. 15:04"); got != "28.9. 00:00" {
		t.Errorf("until %s", got)
	}
}

// What nobody can see is no text, and a text says what is seen of it.
func TestAct_TakesTextsAsTheyAreSeen(t *testing.T) {
	w := setup(t)
	p := w.pledge(pledges.Paid, "2026-10")
	claim := func(text string) error {
		_, err := w.Act(t.Context(), p, "", backer, claims.Wish{Act: claims.Make, Kind: claims.Other, Text: text, Key: "a-key-0001"})
		return err
	}
	for _, text := range []string{"", " \n", "\u200b\u2066\u2069", "\ufeff", "\u202e"} {
		if err := claim(text); err == nil {
			t.Errorf("%q is a text", text)
		}
	}
	if err := claim("Rikki \u202e\U0001F469\u200d\U0001F33E\n<b>1</b>\x07"); err != nil {
		t.Fatal(err)
	}
	own, err := w.Own(t.Context(), p)
	if err != nil || own.Claim.Messages[0].Text != "Rikki \U0001F469\u200d\U0001F33E\n<b>1</b>" {
		t.Errorf("%q (%v)", own.Claim.Messages[0].Text, err)
	}
}
