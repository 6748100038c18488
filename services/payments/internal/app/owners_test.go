package app_test

import (
	"testing"

	"talkoot.fi/kit/dbtest"
)

func TestTables_AreWrittenByTheirOwnersOnly(t *testing.T) {
	dbtest.Tables{Packages: "..", Migrations: "../../migrations", Skip: []string{"paymentstest"},
		Owners: map[string][]string{
			"payments": {"payments"}, "attempts": {"payments"}, "payment_transitions": {"payments"}, "closed_subjects": {"payments"},
			"operator_actions": {"payments"}, "erased_backers": {"payments"},
			// payments gives a payment's refunds, disputes, warnings and anomalies to the payment that takes its money over
			"refunds": {"refunds", "payments"}, "disputes": {"disputes", "payments"}, "anomalies": {"anomalies", "payments"}, "fraud_warnings": {"warnings", "payments"},
			"ledger_accounts": {"ledger"}, "ledger_guards": {"ledger"}, "ledger_transactions": {"ledger"}, "ledger_entries": {"ledger"}, "ledger_days": {"ledger"}, "ledger_closings": {"ledger"},
			"subscriptions": {"subscriptions"}, "subscription_periods": {"subscriptions"}, "subscription_tries": {"subscriptions"},
			"subscription_transitions": {"subscriptions"}, "forgotten": {"vault"}, "payers": {"vault"}, "kept_cards": {"vault"}, "kept_accounts": {"vault"}, "campaign_holds": {"holds"}, "campaign_endings": {"endings"}, "refund_runs": {"endings"}, "refund_pace": {"refunds"}, "spending_limits": {"limits"},
			"payees": {"payees"}, "campaign_accounts": {"payees"}, "campaign_wallets": {"payees"}, "payee_banks": {"payees"}, "tax_records": {"taxdata"}, "provider_switches": {"routing"},
			"operators": {"desk"}, "provider_accounts": {"pins"}, "provider_invoices": {"invoices"},
			"settlement_rates": {"settlements"}, "settlement_runs": {"settlements"}, "settlement_lines": {"settlements"}, "settlement_approvals": {"settlements"},
			"settlement_moves": {"settlements"}, "balance_days": {"reconcile"}, "settlement_steps": {"settlements"}, "settlement_reserves": {"settlements"}, "settlement_restored": {"settlements"}, "settlement_returns": {"settlements"}, "transfer_reversals": {"settlements"}, "dispute_evidence": {"disputes"}, "fee_documents": {"settlements"}, "debt_write_offs": {"settlements"},
			"webhook_events": {"webhooks"}, "reconcile_runs": {"reconcile"},
			"outbox": {"kit/outbox"}, "idempotency_keys": {"kit/idem"},
		}}.Check(t)
}
