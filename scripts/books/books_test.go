//go:build unix

package books_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/content/migrations"
	"talkoot.fi/kit/dbtest"
	payments "talkoot.fi/payments/migrations"
	"talkoot.fi/scripts/books"
	"talkoot.fi/scripts/dataset"
)

// platform is two databases and a provider, with one paid pledge that all three agree on.
type platform struct {
	t                 *testing.T
	content, payments *pgx.Conn
	sources           books.Sources
	intents, refunds  []map[string]any
	disputes          []map[string]any
}

const (
	pledgeID  = "00000000000000000000pledge"
	paymentID = "0000000000000000000payment"
)

func newPlatform(t *testing.T) *platform {
	t.Helper()
	p := &platform{t: t}
	p.sources.ContentURL, p.sources.PaymentsURL = dbtest.New(t, migrations.FS).URL, dbtest.New(t, payments.FS).URL
	p.content, p.payments = p.connect(p.sources.ContentURL), p.connect(p.sources.PaymentsURL)
	server := httptest.NewServer(http.HandlerFunc(p.provide))
	t.Cleanup(server.Close)
	p.sources.Provider, p.sources.Key = server.URL, "sk_test_books"
	p.addPaidPledge()
	return p
}

func (p *platform) connect(url string) *pgx.Conn {
	p.t.Helper()
	conn, err := pgx.Connect(p.t.Context(), url)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { conn.Close(p.t.Context()) })
	return conn
}

// provide answers the provider's lists, one object a page.
func (p *platform) provide(w http.ResponseWriter, r *http.Request) {
	list := map[string][]map[string]any{"/v1/payment_intents": p.intents, "/v1/refunds": p.refunds, "/v1/disputes": p.disputes}[r.URL.Path]
	if after := r.URL.Query().Get("starting_after"); after != "" {
		for i, object := range list {
			if object["id"] == after {
				list = list[i+1:]
				break
			}
		}
	}
	page := list[:min(1, len(list))]
	_ = json.NewEncoder(w).Encode(map[string]any{"data": append([]map[string]any{}, page...), "has_more": len(list) > 1})
}

func (p *platform) addPaidPledge() {
	p.t.Helper()
	made, err := dataset.Add(p.t.Context(), p.content, dataset.Campaign{Title: "Audit", Rewards: []dataset.Reward{{Title: "Kirja", Euros: 25, Stock: 3}}})
	if err != nil {
		p.t.Fatal(err)
	}
	p.inContent(`INSERT INTO pledges (id, campaign_id, reward_id, status, amount_minor, currency, quantity, lines, stock_held, email, first_name,
		last_name, language, reserved_until, receipt_number, paid_at, created_at, updated_at)
		VALUES ($1, $2, $3, 'paid', 2500, 'EUR', 1, '[]', true, 'a@posti.example', 'Aino', 'K', 'fi', now(), 'TK-1', now(), now(), now())`,
		pledgeID, made.ID, made.Rewards[0])
	p.inContent(`INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at) VALUES ($1, 'created', 'paid', 'payment.succeeded', now())`, pledgeID)
	p.inContent(`UPDATE rewards SET stock_reserved = 1, backers = 1`)
	p.inContent(`UPDATE campaign_totals SET funding_reached_minor = 2500, backers = 1`)
	p.listsShow(2500)

	p.inPayments(`INSERT INTO orders (pledge_id, amount_minor, currency, description, language, campaign_id, campaign_slug, campaign_title, reserved_until, fetched_at)
		VALUES ($1, 2500, 'EUR', 'Kirja', 'fi', 1, 'audit', 'Audit', now(), now())`, pledgeID)
	p.inPayments(`INSERT INTO payments (id, pledge_id, provider, status, amount_minor, currency, closes_at, next_check_at, created_at, updated_at)
		VALUES ($1, $2, 'stripe', 'created', 2500, 'EUR', now(), now(), now(), now())`, paymentID, pledgeID)
	p.addSuccess("pi_1", "ch_1")
	p.inPayments(`UPDATE payments SET status = 'succeeded', paid_attempt_id = (SELECT id FROM attempts)`)
	p.addCharge("ch_1")
	p.intents = append(p.intents, intent("pi_1", pledgeID, 2500))
}

// listsShow puts a sum where lists have it.
func (p *platform) listsShow(minor int64) {
	p.t.Helper()
	p.inContent(`UPDATE campaign_listings SET funding_reached_minor = $1`, minor)
	p.inContent(`UPDATE campaign_previews SET preview = CAST(CAST(preview AS jsonb) || jsonb_build_object('funding_reached', $1::bigint / 100) AS json)`, minor)
}

func (p *platform) addSuccess(intentID, chargeID string) {
	p.t.Helper()
	p.inPayments(`INSERT INTO attempts (payment_id, kind, number, idempotency_key, status, provider_id, charge_id, amount_minor, created_at, updated_at)
		VALUES ($1, 'intent', (SELECT count(*) + 1 FROM attempts), $2::text, 'succeeded', $2::text, $3, 2500, now(), now())`, paymentID, intentID, chargeID)
}

// addCharge books a charge as balanced entries.
func (p *platform) addCharge(reference string) {
	p.t.Helper()
	p.inPayments(`INSERT INTO ledger_accounts (name, kind, currency) VALUES ('provider_clearing:stripe', 'asset', 'EUR'), ('backer_funds:1', 'liability', 'EUR')
		ON CONFLICT DO NOTHING`)
	p.inPayments(`WITH made AS (INSERT INTO ledger_transactions (kind, reference, payment_id, currency, occurred_at) VALUES ('charge', $1, $2, 'EUR', now()) RETURNING id)
		INSERT INTO ledger_entries (transaction_id, account_id, currency, amount_minor)
		SELECT made.id, a.id, 'EUR', CASE a.kind WHEN 'asset' THEN 2500 ELSE -2500 END FROM made, ledger_accounts a`, reference, paymentID)
}

func intent(id, pledge string, received int64) map[string]any {
	return map[string]any{"id": id, "status": "succeeded", "amount_received": received, "metadata": map[string]string{"pledge_id": pledge}}
}

func (p *platform) inContent(sql string, args ...any)  { p.t.Helper(); p.exec(p.content, sql, args) }
func (p *platform) inPayments(sql string, args ...any) { p.t.Helper(); p.exec(p.payments, sql, args) }

func (p *platform) exec(db *pgx.Conn, sql string, args []any) {
	p.t.Helper()
	if _, err := db.Exec(p.t.Context(), sql, args...); err != nil {
		p.t.Fatalf("%s: %v", sql, err)
	}
}

// pastTheLedgersGuards plants what the ledger's own triggers refuse.
func (p *platform) pastTheLedgersGuards(sql string, args ...any) {
	p.t.Helper()
	p.inPayments(`SET session_replication_role = replica`)
	p.inPayments(sql, args...)
	p.inPayments(`SET session_replication_role = origin`)
}

func (p *platform) refund(status, reason string, amount int64) {
	p.t.Helper()
	p.inPayments(`INSERT INTO refunds (id, payment_id, attempt_id, amount_minor, currency, reason, status, provider_id, created_at, updated_at)
		VALUES (lpad((SELECT count(*) FROM refunds)::text, 26, '0'), $1, (SELECT max(id) FROM attempts), $2, 'EUR', $3, $4, 're_1', now(), now())`,
		paymentID, amount, reason, status)
}

// refundThatFailed gives the pledge's money back everywhere, and then the backer's bank sent it back to the provider.
func (p *platform) refundThatFailed(resolvedAt string) {
	p.t.Helper()
	p.refund("failed", "requested", 2500)
	p.inPayments(`UPDATE payments SET status = 'refunded', amount_refunded_minor = 2500`)
	p.inPayments(`INSERT INTO anomalies (kind, reference, payment_id, detail, found_at, resolved_at)
		SELECT 'refund_failed', id, payment_id, '{}', now(), ` + resolvedAt + ` FROM refunds`)
	p.inContent(`UPDATE pledges SET status = 'refunded', amount_refunded_minor = 2500, stock_held = false`)
	p.inContent(`INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at) VALUES ($1, 'paid', 'refunded', 'payment.refunded', now())`, pledgeID)
	p.inContent(`UPDATE rewards SET stock_reserved = 0, backers = 0`)
	p.inContent(`UPDATE campaign_totals SET funding_reached_minor = 0, backers = 0`)
	p.listsShow(0)
	p.refunds = append(p.refunds, map[string]any{"id": "re_1", "payment_intent": "pi_1", "amount": 2500, "status": "failed"})
}

func TestBooksInOrderHaveNoFinding(t *testing.T) {
	p := newPlatform(t)
	report, err := books.Run(t.Context(), p.sources)
	if err != nil || report.Err() != nil {
		t.Fatalf("%v, %v", err, report.Err())
	}
	if report.Pledges != 1 || report.Payments != 1 || report.Checks < 15 {
		t.Errorf("looked at %+v", report)
	}
}

func TestEachCheckFindsItsFault(t *testing.T) {
	for _, tc := range []struct {
		check string
		plant func(*platform)
	}{
		{"stock is held by exactly the pledges that hold it", func(p *platform) { p.inContent(`UPDATE rewards SET stock_reserved = 2`) }},
		{"stock is held by the statuses that hold it", func(p *platform) {
			p.inContent(`UPDATE pledges SET stock_held = false`)
			p.inContent(`UPDATE rewards SET stock_reserved = 0`)
		}},
		{"rewards count those who paid for them", func(p *platform) { p.inContent(`UPDATE rewards SET backers = 7`) }},
		{"totals are what pledges add up to", func(p *platform) { p.inContent(`UPDATE campaign_totals SET backers = 2`) }},
		{"totals are what pledges add up to", func(p *platform) { p.inContent(`UPDATE campaign_totals SET funding_settling_minor = 1`) }},
		{"lists show the totals", func(p *platform) {
			p.inContent(`UPDATE campaign_previews SET preview = CAST(CAST(preview AS jsonb) || '{"funding_reached": 0}' AS json) WHERE language = 'sv'`)
		}},
		{"lists show the totals", func(p *platform) {
			p.inContent(`UPDATE campaign_listings SET funding_reached_minor = 0 WHERE category_id = 0`)
		}},
		{"a pledge's last transition is its status", func(p *platform) {
			p.inContent(`INSERT INTO pledge_transitions (pledge_id, from_status, to_status, cause, at) VALUES ($1, 'paid', 'refunded', 'x', now())`, pledgeID)
		}},
		{"receipts are given once", func(p *platform) {
			p.inContent(`ALTER TABLE pledges DROP CONSTRAINT pledges_receipt_number_key`)
			p.inContent(`INSERT INTO pledges SELECT (jsonb_populate_record(g, '{"id": "0000000000000000000another"}')).* FROM pledges g`)
		}},
		{"no mail is stuck", func(p *platform) { p.inContent(`INSERT INTO outbox (kind, payload) VALUES ('mail.receipt', '{}')`) }},
		{"every ledger transaction balances", func(p *platform) {
			p.pastTheLedgersGuards(`UPDATE ledger_entries SET amount_minor = amount_minor + 1 WHERE amount_minor > 0`)
		}},
		{"every ledger transaction balances", func(p *platform) {
			p.pastTheLedgersGuards(`INSERT INTO ledger_transactions (kind, reference, payment_id, currency, occurred_at) VALUES ('refund', 're_9', $1, 'EUR', now())`, paymentID)
		}},
		{"every success is in the ledger, once", func(p *platform) {
			p.pastTheLedgersGuards(`UPDATE ledger_transactions SET reference = 'ch_other'`)
		}},
		{"every settled refund is in the ledger, once", func(p *platform) { p.refund("succeeded", "requested", 100) }},
		{"one success counts, others go back", func(p *platform) {
			p.addSuccess("pi_2", "ch_2")
			p.addCharge("ch_2")
		}},
		{"refunds never exceed the payment", func(p *platform) {
			p.inPayments(`ALTER TABLE payments DROP CONSTRAINT payments_refunded`)
			p.inPayments(`UPDATE payments SET amount_refunded_minor = 2501`)
		}},
		{"no refund is stuck", func(p *platform) { p.refund("failed", "requested", 100) }},
		{"no refund is stuck", func(p *platform) { p.refundThatFailed("NULL") }},
		{"no anomaly is open", func(p *platform) { p.refundThatFailed("NULL") }},
		{"the provider's list equals ours", func(p *platform) { p.refundThatFailed("NULL") }},
		{"the provider's list equals ours", func(p *platform) { // more than what went another way
			p.refundThatFailed("now()")
			p.intents = append(p.intents, intent("pi_2", pledgeID, 900))
		}},
		{"no refund is stuck", func(p *platform) { // its dispute is over
			p.disputed("lost")
			p.refund("creating", "requested", 100)
		}},
		{"one success counts, others go back", func(p *platform) { // refused for a dispute that is won
			p.disputed("won")
			p.addSuccess("pi_2", "ch_2")
			p.addCharge("ch_2")
			p.refund("creating", "duplicate", 2500)
		}},
		{"disputes are what the ledger says", func(p *platform) {
			p.disputed("open")
			p.inPayments(`UPDATE disputes SET fee_minor = 0`)
		}},
		{"disputes are what the ledger says", func(p *platform) {
			p.disputed("won")
			p.inPayments(`UPDATE disputes SET withdrawn_minor = 2500`)
		}},
		{"disputes are what the ledger says", func(p *platform) {
			p.disputed("won")
			p.inPayments(`DELETE FROM disputes`)
			p.bookDispute("dispute", "txn_9", 100)
		}},
		{"a payment is disputed while a bank has its money", func(p *platform) {
			p.disputed("open")
			p.inPayments(`UPDATE payments SET status = 'succeeded'`)
		}},
		{"a payment is disputed while a bank has its money", func(p *platform) {
			p.disputed("won")
			p.inPayments(`UPDATE payments SET status = 'disputed'`)
		}},
		{"the provider's disputes are ours", func(p *platform) {
			p.disputed("open")
			p.disputes[0]["status"] = "lost"
		}},
		{"the provider's disputes are ours", func(p *platform) {
			p.disputed("open")
			p.inPayments(`DELETE FROM disputes`)
		}},
		{"the provider's disputes are ours", func(p *platform) {
			p.disputed("lost")
			p.disputes = nil
		}},
		{"the provider's list equals ours", func(p *platform) { // we think that the money is there
			p.disputed("lost")
			p.inPayments(`UPDATE disputes SET withdrawn_minor = 0`)
		}},
		{"totals are what pledges add up to", func(p *platform) {
			p.disputed("open")
			p.inContent(`UPDATE campaign_totals SET funding_reached_minor = 2500`)
		}},
		{"no webhook waits", func(p *platform) {
			p.inPayments(`INSERT INTO webhook_events (event_id, provider, type, api_version, livemode, object_id, intent_id, body, status, received_at, next_attempt_at)
				VALUES ('evt_1', 'stripe', 't', 'v', false, '', '', '', 'received', now(), now())`)
		}},
		{"no event is undelivered", func(p *platform) { p.inPayments(`INSERT INTO outbox (kind, payload) VALUES ('event', '{}')`) }},
		{"no anomaly is open", func(p *platform) {
			p.inPayments(`INSERT INTO anomalies (kind, reference, detail, found_at) VALUES ('unknown_charge', 'pi_9', '{}', now())`)
		}},
		{"pledge and payment agree", func(p *platform) {
			p.inContent(`UPDATE pledges SET status = 'expired', stock_held = false`)
		}},
		{"pledge and payment agree", func(p *platform) { p.inContent(`UPDATE pledges SET amount_minor = 2600`) }},
		{"pledge and payment agree", func(p *platform) { p.inContent(`DELETE FROM pledges`) }},
		{"nobody is charged twice", func(p *platform) { p.intents = append(p.intents, intent("pi_2", pledgeID, 2500)) }},
		{"the provider's list equals ours", func(p *platform) { p.intents = nil }},
		{"the provider's list equals ours", func(p *platform) {
			p.intents = append(p.intents, intent("pi_3", "0000000000000000000unknown", 900))
		}},
		{"the provider's list equals ours", func(p *platform) {
			p.refunds = append(p.refunds, map[string]any{"id": "re_1", "payment_intent": "pi_1", "amount": 2500, "status": "succeeded"})
		}},
	} {
		t.Run(tc.check, func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t)
			tc.plant(p)
			report, err := books.Run(t.Context(), p.sources)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range report.Findings {
				if f.Check == tc.check {
					return
				}
			}
			t.Errorf("not found; the findings are %v", report.Err())
		})
	}
}

func TestSecondChargeThatWentBackIsNoFinding(t *testing.T) {
	p := newPlatform(t)
	p.intents = append(p.intents, intent("pi_2", pledgeID, 2500))
	p.refunds = append(p.refunds, map[string]any{"id": "re_1", "payment_intent": "pi_2", "amount": 2500, "status": "succeeded"})
	report, err := books.Run(t.Context(), p.sources)
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}

func TestFailedRefundThatAPersonHasSettledIsNoFinding(t *testing.T) {
	p := newPlatform(t)
	p.refundThatFailed("now()")
	report, err := books.Run(t.Context(), p.sources)
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}

func TestDisputesAreNoFinding(t *testing.T) {
	for _, status := range []string{"open", "lost", "won"} {
		t.Run(status, func(t *testing.T) {
			t.Parallel()
			p := newPlatform(t)
			p.disputed(status)
			if status == "open" { // a refund waits for its end
				p.refund("creating", "requested", 2500)
			}
			report, err := books.Run(t.Context(), p.sources)
			if err != nil || report.Err() != nil {
				t.Errorf("%v, %v", err, report.Err())
			}
		})
	}
}

func TestSecondChargeThatTheBankTookBackIsNoFinding(t *testing.T) {
	p := newPlatform(t)
	p.addSuccess("pi_2", "ch_2")
	p.addCharge("ch_2")
	p.refund("canceled", "duplicate", 2500)
	p.addDispute("pi_2", "lost")
	p.intents = append(p.intents, intent("pi_2", pledgeID, 2500))
	report, err := books.Run(t.Context(), p.sources)
	if err != nil || report.Err() != nil {
		t.Errorf("%v, %v", err, report.Err())
	}
}

func TestUnreadableProviderIsAnErrorNotAnAnswer(t *testing.T) {
	p := newPlatform(t)
	refusing := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(refusing.Close)
	p.sources.Provider = refusing.URL
	if _, err := books.Run(t.Context(), p.sources); err == nil || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v", err)
	}
}
