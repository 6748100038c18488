//go:build unix

package audit_test

// notCompared are the tables and columns of both databases in which the audit need not see another value: database.table,
// database.table.column or, of JSON objects, database.table.column.key, each with the reason.
var notCompared = byColumn(map[string][]string{
	"no money is in it, and nothing about money is decided by it": {
		"content.audit_log", "content.backup_codes", "content.calendar_feeds", "content.campaign_custom_texts", "content.campaign_search",
		"content.campaign_staff_listings", "content.campaign_tags", "content.campaign_texts", "content.campaign_visit_counts", "content.campaign_visits",
		"content.categories", "content.category_texts", "content.content_variations", "content.demo_content", "content.email_verifications",
		"content.experiment_custom_texts", "content.experiment_invitations", "content.experiment_listings", "content.experiment_stages", "content.experiment_tags", "content.experiment_team",
		"content.experiment_texts", "content.experiments", "content.forum_nonces", "content.front_page", "content.front_page_picks", "content.history_totals",
		"content.letter_refusals", "content.letter_rounds", "content.letters", "content.passkeys", "content.password_failures", "content.password_resets",
		"content.place_names", "content.post_texts", "content.posts", "content.recommendation_changes", "content.recommendation_interests",
		"content.open_editors", "content.receipt_links", "content.recommendation_lists", "content.recommendation_pairs", "content.region_forms", "content.region_places", "content.regions", "content.reviewed_parts", "content.review_events", "content.review_notes", "content.reward_texts",
		"content.search_documents", "content.search_vocabulary", "content.second_step_challenges", "content.sessions", "content.subscription_goal_texts", "content.subscription_goals", "content.subscription_links",
		"content.tag_texts", "content.tags", "content.team_invitation_links", "content.team_invitations", "content.totp_apps", "content.upload_totals",
		"content.undeliverable_addresses", "content.user_tags", "content.users",
	},
	"who is paid, as the law asks for it: sealed, and no money is in it; whether payouts wait for it is a rule with a table of tests":                   {"payments.tax_records"},
	"is compared with the provider's answer by every process, before its first call":                                                                    {"payments.provider_accounts"},
	"what the daily comparison has seen of the book and the provider, both of which are compared; what it says of them is a rule with a table of tests": {"payments.balance_days"},
	"the migration tool's own": {
		"content.goose_db_version", "content.migration_checksums", "payments.goose_db_version", "payments.migration_checksums",
	},
	"likes are planted in the table of faults; nobody likes anything in this world": {
		"content.campaign_likes", "content.experiment_likes",
	},
	"all can be paid in this world, so nobody waits for a way to; faults are planted": {
		"content.payment_reminders", "content.reminder_refusals", "content.unpayable_campaigns",
	},
	"whether a card was to be offered once more; one that is offered is compared with its payer": {
		"payments.attempts.keeps",
	},
	"only monthly campaigns have it, for which a fault is planted": {"content.campaign_previews.preview.subscriptions"},
	"no campaign is on hold or has ended in this world, so nobody makes a claim; holds, endings and claims are planted": {
		"content.withdrawal_terms", "content.rewards.kind", "content.pledges.bought.kind", "content.pledges.sent_on",
		"content.campaign_holds", "payments.campaign_holds", "content.campaign_endings", "payments.campaign_endings", "payments.refund_runs",
		"payments.settlement_rates", "payments.settlement_runs", "payments.settlement_lines", "payments.settlement_approvals", "payments.settlement_moves",
		"payments.settlement_steps", "content.claims", "content.claim_messages", "content.agreed_refunds",
		"payments.settlement_reserves", "payments.settlement_restored", "payments.settlement_returns", "payments.transfer_reversals", "payments.fee_documents", "payments.debt_write_offs",
	},
	"what a person has said to a bank; what the bank decides is compared":                {"payments.dispute_evidence", "payments.disputes.round", "payments.disputes.wants"},
	"when the next refund of a whole campaign has its turn; that it is made is compared": {"payments.refund_pace"},
	"who acts at the desk; what they do is compared by what it has changed":              {"payments.operators"},
	"only what repeats a caller's answer; the money that a repeat could double is compared": {
		"content.idempotency_keys", "payments.idempotency_keys", "payments.refunds.request_key", "payments.provider_invoices.request_key", "payments.attempts.caller_key",
	},
	"only the erased have it; their pledges, months and payments are compared like all others": {
		"content.kept_receipts", "content.kept_subscription_receipts", "payments.erased_backers", "content.pledges.erased_with",
		"content.subscriptions.erased_with",
	},
	"only what closed before its payment began has a row; a payment that began later is found by the time": {
		"payments.closed_subjects",
	},
	"nobody is paid by an account of their own in this world; faults are planted by adding some, and in the world of provider B": {
		"content.payout_reminders", "content.payout_accounts", "content.campaigns.payment_account_id", "content.campaigns.payment_user_id", "content.campaigns.payment_wallet_id",
		"content.campaigns.payment_accounts_number", "payments.payees", "payments.campaign_accounts", "payments.campaign_wallets", "payments.payee_banks", "payments.provider_switches",
		"payments.kept_cards", "payments.kept_accounts",
	},
	"the words and pictures of a page": {
		"content.campaigns.slug", "content.campaigns.language", "content.campaigns.category_id", "content.campaigns.place", "content.campaigns.picture", "content.campaigns.creator_pic",
		"content.campaigns.video_url", "content.campaigns.contact_email", "content.campaigns.legal_creator", "content.campaigns.legal_creator_type",
		"content.campaigns.external_link_1", "content.campaigns.review", "content.rewards.image",
		"content.campaign_previews.preview.categories", "content.campaign_previews.preview.category", "content.campaign_previews.preview.category_id",
		"content.campaign_previews.preview.creator", "content.campaign_previews.preview.has_video", "content.campaign_previews.preview.language",
		"content.campaign_previews.preview.place", "content.campaign_previews.preview.project_pic", "content.campaign_previews.preview.short_description",
		"content.campaign_previews.preview.slug", "content.campaign_previews.preview.tagline", "content.campaign_previews.preview.tags",
		"content.campaign_previews.preview.title",
	},
	"what creators ask for; pledges keep what they were shown, and that is compared": {
		"content.campaigns.funding_rule", "content.rewards.stock", "content.rewards.active", "content.rewards.vat_tenths", "content.rewards.added_costs",
		"content.rewards.offer_version",
	},
	"what a pledge was before it was changed, in its own words, and who changed it; its sums are compared": {
		"content.pledge_changes.at", "content.pledge_changes.cause", "content.pledge_changes.before.reward_id", "content.pledge_changes.before.quantity",
		"content.pledge_changes.before.vat_minor", "content.pledge_changes.before.bought", "content.pledge_changes.request_key", "content.pledge_changes.request_hash",
	},
	"how long a further charge could wait, and what it held then; what is held now is compared": {
		"content.pledge_raises.reserved_until", "content.pledge_raises.released_at", "content.pledge_raises.held_quantity",
		"content.pledge_raises.created_at", "content.pledge_raises.updated_at",
	},
	"which charges give money back; what went back of each is compared": {"content.outbox.payload.further_ids"},
	"when an account was closed, and up to which of the ids that have the same entries before them; what they add up to is compared": {
		"payments.ledger_closings.up_to", "payments.ledger_closings.made_at",
	},
	"counts versions and says when somebody wrote": {
		"content.campaigns.version", "content.campaigns.created_at", "content.campaigns.updated_at", "content.rewards.version", "content.rewards.created_at",
		"content.rewards.updated_at",
	},
	"the backer's own words and choices": {
		"content.pledges.email", "content.pledges.first_name", "content.pledges.last_name", "content.pledges.details", "content.pledges.anonymous", "content.pledges.hide_amount",
		"content.pledges.last_name_initial", "content.subscriptions.email", "content.subscriptions.first_name", "content.subscriptions.last_name",
		"content.subscriptions.anonymous", "content.subscriptions.hide_amount", "payments.spending_limits.amount_minor", "payments.spending_limits.counts_pledges",
		"payments.subscriptions.notify_before",
	},
	"where the backer came from": {
		"content.pledges.visitor", "content.pledges.source", "content.subscriptions.visitor", "content.subscriptions.source",
	},
	"how a reward was worded when it was chosen; its price and its tax are compared": {
		"content.pledges.bought.added_cost", "content.pledges.bought.delivery", "content.pledges.bought.description", "content.pledges.bought.language",
		"content.pledges.bought.needs_address", "content.subscription_charges.title_language", "content.pledges.bought.questions", "content.pledges.bought.title", "content.subscriptions.bought.added_cost",
		"content.subscriptions.bought.delivery", "content.subscriptions.bought.description", "content.subscriptions.bought.language",
		"content.subscriptions.bought.needs_address", "content.subscriptions.bought.questions", "content.subscriptions.next_bought",
		"payments.payments.description", "payments.payments.title", "payments.payments.return_path", "payments.subscriptions.description", "payments.subscriptions.title",
		"payments.subscriptions.level.description", "payments.subscriptions.level.title", "payments.subscriptions.next_level.description",
		"payments.subscriptions.next_level.title",
	},
	"the price of what was chosen for each month; its tax is compared to the cent": {
		"content.subscriptions.bought.amount_minor",
	},
	"an event of long ago is no more compared, so one that says so is left out": {
		"payments.outbox.payload.occurred_at",
	},
	"how deliveries are tried; what is not delivered is found, and what was delivered is compared": {
		"content.outbox.kind", "content.outbox.stream", "content.outbox.dedupe_key", "content.outbox.created_at", "content.outbox.attempts",
		"content.outbox.next_attempt_at", "content.outbox.last_error", "content.outbox.done_at", "content.outbox.traceparent", "payments.outbox.kind", "payments.outbox.stream",
		"payments.outbox.dedupe_key", "payments.outbox.created_at", "payments.outbox.attempts", "payments.outbox.next_attempt_at", "payments.outbox.last_error",
		"payments.outbox.done_at", "payments.outbox.traceparent",
	},
	"of other messages than those about money": {
		"content.outbox.payload.user_id", "content.outbox.payload.subject_id", "content.outbox.payload.subject_kind", "content.outbox.payload.reason",
		"content.outbox.payload.pledge_id", "content.outbox.payload.refund", "content.outbox.payload.withdrawal", "content.outbox.payload.change", "content.outbox.payload.refund_id",
		"content.outbox.payload.amount_minor", "content.outbox.payload.currency", "content.outbox.payload.at", "content.outbox.payload.event",
		"content.outbox.payload.provider", "content.outbox.payload.state", "content.outbox.payload.bank", "content.outbox.payload.campaign_id", "content.outbox.payload.payout", "payments.outbox.payload.kind", "payments.outbox.payload.ref",
	},
	"how the provider's events are taken up; what none was heard of is found in the provider's own lists": {
		"payments.webhook_events.provider", "payments.webhook_events.about", "payments.webhook_events.money_ref", "payments.webhook_events.attempts",
		"payments.webhook_events.next_attempt_at", "payments.webhook_events.last_error", "payments.webhook_events.received_at", "payments.webhook_events.traceparent",
	},
	"how work is planned; what is late, or not planned, is found": {
		"payments.attempts.tries", "payments.attempts.look", "payments.disputes.look", "payments.disputes.losses", "payments.disputes.repay_refusals", "payments.payments.next_check_at",
		"payments.refunds.bookings", "payments.refunds.deferred_until", "payments.refunds.try", "payments.refunds.failures", "payments.subscriptions.setups", "payments.payers.number", "payments.subscriptions.setup_ref",
		"payments.subscriptions.noticed_period", "payments.subscriptions.faults", "payments.subscriptions.card_warned", "payments.subscription_periods.waits_for",
		"payments.reconcile_runs.provider", "payments.reconcile_runs.name", "payments.reconcile_runs.slot", "payments.reconcile_runs.started_at", "payments.reconcile_runs.found",
		"payments.reconcile_runs.foreign_count",
	},
	"what the bank or the provider said of a card; it decides no sum": {
		"payments.attempts.action_required", "payments.attempts.declines", "payments.attempts.last_decline", "payments.attempts.failure_reported",
		"payments.attempts.prefilled", "payments.attempts.page_url", "payments.payments.failure_code", "payments.refunds.failure_code",
		"payments.subscription_periods.failure_code", "payments.subscription_tries.failure_code", "payments.subscriptions.card_refused", "payments.subscriptions.card_expires", "payments.disputes.respond_by",
	},
	"of one that nobody pays any more": {
		"payments.payments.payable_until", "payments.payments.period_day",
	},
	"left over from a month that was held before; that it is held is compared": {
		"payments.subscriptions.held_period",
	},
	"why a row changed; what it changed is compared": {
		"payments.payment_transitions.cause", "payments.subscription_transitions.cause", "payments.subscription_transitions.period",
		"payments.subscription_transitions.detail", "payments.ledger_transactions.note", "payments.operator_actions.note", "payments.operator_actions.before",
		"payments.operator_actions.after.status", "payments.operator_actions.after.returned", "payments.operator_actions.after.year", "content.subscription_charges.dispute_sequence",
	},
	"what an anomaly said when it was found": {
		"payments.anomalies.provider", "payments.anomalies.detail", "payments.anomalies.times", "payments.anomalies.found_at",
	},
	"a card or payer that is not to be used again; who uses one is compared": {
		"payments.forgotten",
	},
})

func byColumn(reasons map[string][]string) map[string]string {
	out := map[string]string{}
	for reason, columns := range reasons {
		for _, c := range columns {
			out[c] = reason
		}
	}
	return out
}
