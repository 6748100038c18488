//go:build unix

package claims_test

import (
	"errors"
	"testing"
	"time"

	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/pledging/claims"
	"talkoot.fi/content/internal/pledging/pledges"
)

// contested is a pledge of 45.00 € of which 15.00 € and 10.00 € were charged further; a bank has the former.
func (w *world) contested() (id string) {
	w.t.Helper()
	id = w.pledge(pledges.Disputed, "2026-10")
	w.Exec(`UPDATE pledges SET charged_minor = 4500, uncontested_minor = 3000, payment_id = 'first' WHERE id = ?`, id)
	for i, minor := range []int64{15_00, 10_00} {
		further := string(rune('A'+i)) + id[1:]
		w.Exec(`INSERT INTO pledge_raises (id, pledge_id, status, amount_minor, from_minor, number, cause, quantity, lines, vat_minor, details, reserved_until,
				paid_at, payment_id, request_key, request_hash, created_at, updated_at)
			VALUES (@id, @pledge, 'paid', @minor, 1, 0, 'account', 1, '[]', 0, '{}', @at, @at, @payment, @id, '', @at, @at)`,
			map[string]any{"id": further, "pledge": id, "minor": minor, "payment": "of-" + further, "at": w.Now().Add(time.Duration(i-60) * time.Hour)})
	}
	w.Exec(`INSERT INTO payment_events (event_id, payment_id, pledge_id, sequence, type, body, outcome, received_at)
		VALUES (@event, 'of-A' || @rest, @id, 3, 'payment.disputed', '{}', 'applied', now())`, map[string]any{"event": "e" + id, "rest": id[1:], "id": id})
	return id
}

// While a bank has one of a pledge's charges, and when it keeps it, the rest can be claimed and given, from the others alone.
func TestClaim_OfAPledgeOfWhichABankHasSome_IsOfTheRest(t *testing.T) {
	w := setup(t)
	p := w.contested()
	own, err := w.Own(t.Context(), p)
	if err != nil || len(own.Kinds) == 0 {
		t.Errorf("about %v, %v", own.Kinds, err)
	}
	w.must(p, backer, newClaim)
	if err := w.act(p, w.team(), claims.Wish{Act: claims.OfferPart, Minor: 30_00}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("all of the rest was offered as a part: %v", err)
	}
	w.must(p, w.team(), claims.Wish{Act: claims.Refund})
	if got := w.stands(p); got != "agreed 3000 1" {
		t.Errorf("stands at %q", got)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'pledge.refund' AND payload -> 'further_ids' = jsonb_build_array('B' || substr(CAST(? AS text), 2))`, p); n != 1 {
		t.Error("the refund is to come from a charge that a bank has")
	}
	if _, err := w.GiveBack(t.Context(), claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: "TK-2026-000001", Minor: 1, Note: "x", Key: "a-key-0001",
		UserID: w.creator}); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("more than the rest was given: %v", err)
	}
}

func TestGiveBack_OfAPledgeOfWhichABankHasSome_IsTheRest(t *testing.T) {
	w := setup(t)
	p := w.contested()
	wish := claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: "TK-2026-000001", Minor: 30_01, Note: "x", Key: "a-key-0001", UserID: w.creator}
	if _, err := w.GiveBack(t.Context(), wish); !errors.Is(err, claims.ErrNoSum) {
		t.Errorf("more than the rest: %v", err)
	}
	wish.Minor = 0
	if given, err := w.GiveBack(t.Context(), wish); err != nil || given.Minor != 30_00 {
		t.Errorf("gave %+v, %v", given, err)
	}
	w.Exec(`UPDATE pledges SET amount_refunded_minor = 3000, uncontested_minor = 0 WHERE id = ?`, p)
	if err := w.act(p, backer, newClaim); !errors.Is(err, pledges.ErrContested) {
		t.Errorf("when a bank has all that is left: %v", err)
	}
}

// All that was left is what was left then: a late repeat is one also when a bank has returned the rest since.
func TestGiveBack_AllIsRepeatedAfterTheRestHasArrived(t *testing.T) {
	w := setup(t)
	p := w.contested()
	wish := claims.NewRefund{CampaignID: w.campaign, ReceiptNumber: "TK-2026-000001", Note: "x", Key: "a-key-0001", UserID: w.creator}
	if given, err := w.GiveBack(t.Context(), wish); err != nil || given.Minor != 30_00 {
		t.Fatalf("gave %+v, %v", given, err)
	}
	w.Exec(`UPDATE pledges SET status = 'partly_refunded', amount_refunded_minor = 3000, uncontested_minor = 0 WHERE id = ?`, p)
	if given, err := w.GiveBack(t.Context(), wish); err != nil || given.Minor != 30_00 {
		t.Errorf("the repeat gave %+v, %v", given, err)
	}
	wish.Minor = 30_00
	if _, err := w.GiveBack(t.Context(), wish); !errors.Is(err, idem.ErrMismatch) {
		t.Errorf("a part with the key of all: %v", err)
	}
	if n := w.number(`SELECT count(*) FROM agreed_refunds`); n != 1 {
		t.Errorf("%d go back", n)
	}
}

// What was agreed of a charge before its bank had it waits for that bank, and takes nothing of what the others have.
func TestClaim_WhatWasAgreedOfAContestedCharge_TakesNothingOfTheRest(t *testing.T) {
	w := setup(t)
	p := w.contested() // of 45.00 a bank has 15.00
	agreed := func(id, of string, minor int64) {
		w.Exec(`INSERT INTO agreed_refunds (id, pledge_id, campaign_id, reason, amount_minor, currency, begun_minor, begun_of, created_at)
			VALUES (@id, @p, @c, 'by_creator', @minor, 'EUR', @minor, jsonb_build_object(CAST(@of AS text), CAST(@minor AS bigint)), now())`,
			map[string]any{"id": id + p[1:], "p": p, "c": w.campaign, "minor": minor, "of": of})
	}
	left := func(want money.Decimal) {
		t.Helper()
		own, err := w.Own(t.Context(), p)
		if err != nil || own.Claim == nil || own.Claim.Left != want {
			t.Errorf("%+v, %v; want %d", own.Claim, err, want)
		}
	}
	agreed("X", "A"+p[1:], 12_00)
	w.must(p, backer, newClaim)
	left(30_00)
	agreed("Y", p, 5_00) // of the first charge, which no bank has
	left(25_00)
	w.Exec(`UPDATE pledges SET amount_refunded_minor = 500, uncontested_minor = 2500 WHERE id = ?`, p) // it has arrived
	left(25_00)
	w.must(p, w.team(), claims.Wish{Act: claims.Refund})
	if n := w.number(`SELECT amount_minor FROM agreed_refunds WHERE reason = 'claim'`); n != 25_00 {
		t.Errorf("%d go back", n)
	}
}
