package desk_test

import (
	"errors"
	"fmt"
	"testing"

	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/paymentstest"
	"talkoot.fi/payments/internal/watching/anomalies"
)

// Those of ownMoney that only the content service tells, by their address.
const guest, otherAccount = "they have paid it as a guest", "they have paid it by an account of which nobody knows that it is theirs"

// ownMoney makes a payment Saara's own.
var ownMoney = map[string]func(w *paymentstest.World, payment string){
	"they have paid it": func(w *paymentstest.World, payment string) {
		w.Exec(`UPDATE payments SET backer_user_id = ? WHERE id = ?`, saara, payment)
	},
	guest: func(w *paymentstest.World, payment string) {
		var pledge string
		w.Scan(&pledge, `SELECT subject_id FROM payments WHERE id = ?`, payment)
		w.Content.Pledge(w.Now(), func(o *contentclient.Order) { o.SubjectID, o.Email = pledge, fmt.Sprintf("user%d@example.com", saara) })
	},
	otherAccount: func(w *paymentstest.World, payment string) {
		var pledge string
		w.Scan(&pledge, `SELECT subject_id FROM payments WHERE id = ?`, payment)
		w.Content.Pledge(w.Now(), func(o *contentclient.Order) {
			o.SubjectID, o.Email, o.BackerUserID = pledge, fmt.Sprintf("User%d@example.com", saara), new(int64(777))
		})
	},
	"their campaign was paid, and they have no account at the provider yet": func(w *paymentstest.World, payment string) {
		w.Exec(`UPDATE payments SET payee_user_id = ? WHERE id = ?`, saara, payment)
	},
	"their campaign was paid": func(w *paymentstest.World, payment string) {
		w.Exec(`INSERT INTO payees (id, user_id, provider, kind, ref, state, created_at, updated_at) VALUES ('one', ?, 'stripe', 'natural', 'acct_own', 'begun', now(), now())`, saara)
		w.Exec(`INSERT INTO campaign_accounts (campaign_id, provider, account_ref, number) SELECT campaign_id, 'stripe', 'acct_own', 1 FROM payments WHERE id = ?
			ON CONFLICT (campaign_id, provider) DO UPDATE SET account_ref = excluded.account_ref`, payment)
	},
}

// A bank takes one answer: who has disputed the charge would give it a poor one, and nobody could give another.
func TestDispute_OfAnOperatorsOwnMoney_IsAnsweredByAnother(t *testing.T) {
	t.Parallel()
	for name, own := range ownMoney {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			appoint(w)
			ref, shown := contested(w)
			body := answer(w, shown, "It was sent.")
			own(w, shown.Dispute.PaymentID)
			path := fmt.Sprintf("disputes/%d/evidence", shown.Dispute.DisputeID)
			want(w, saara, path, answer(w, shown, "Never mind."), "own_money")
			if name != guest && name != otherAccount { // her other account has another address
				want(w, saarasOther, path, answer(w, shown, "Never mind."), "own_money")
			}
			if n, _ := submissions(w, ref); n != 0 {
				t.Errorf("the bank has %d", n)
			}
			want(w, ilkka, path, body, "")
		})
	}
}

// Nor does an operator give money back to themselves, or from their own campaign, by any other act.
func TestAct_OnAnOperatorsOwnMoney_IsForAnother(t *testing.T) {
	t.Parallel()
	for name, own := range ownMoney {
		if name == guest || name == otherAccount { // a command knows no address
			continue
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := paymentstest.New(t)
			appoint(w)
			_, payment, _ := w.Paid()
			own(w, payment)
			refund := func(who string) error {
				_, err := w.App.Payments.RefundByOperator(t.Context(), payment, 0, "key-of-"+who, payments.Operator{Actor: who, Note: "test"})
				return err
			}
			for _, who := range []string{"Saara Niemi", " saara NIEMI"} {
				if err := refund(who); !errors.Is(err, warnings.ErrOwnMoney) || w.Count("refunds") != 0 {
					t.Errorf("by whose it is: %v, %d refunds", err, w.Count("refunds"))
				}
			}
			if err := refund("Ilkka Mäkelä"); err != nil {
				t.Error(err)
			}
			_, err := anomalies.Open(t.Context(), w.App.DB, anomalies.Anomaly{Kind: anomalies.RefundStuck, Provider: "stripe", Reference: "one", PaymentID: &payment}, w.Now())
			if err != nil {
				t.Fatal(err)
			}
			var id int64
			w.Scan(&id, `SELECT id FROM anomalies`)
			want(w, saara, fmt.Sprintf("anomalies/%d/mended", id), because, "own_money")
			want(w, ilkka, fmt.Sprintf("anomalies/%d/mended", id), because, "")
		})
	}
}
