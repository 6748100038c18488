package app_test

import (
	"testing"

	"talkoot.fi/kit/dbtest"
)

func TestTables_AreWrittenByTheirOwnersOnly(t *testing.T) {
	dbtest.Tables{Packages: "..", Migrations: "../../migrations", Skip: []string{"contenttest"}, Owners: owners,
		// variations writes a campaign by its Edit alone
		Readers: []string{"variations: campaigns.Record"}}.Check(t)
}

var owners = map[string][]string{
	"audit_log":             {"changes"},
	"history_totals":        {"changes"},
	"campaigns":             {"campaigns", "changes"}, // changes writes the columns that a change of campaigns names
	"campaign_custom_texts": {"campaigns"},
	"campaign_totals":       {"campaigns"}, "campaign_texts": {"campaigns"}, "campaign_categories": {"campaigns"},
	"campaign_tags": {"campaigns"}, "campaign_holds": {"campaigns"}, "campaign_endings": {"campaigns"},
	"campaign_team": {"campaigns"}, "campaign_likes": {"campaigns"}, "campaign_listings": {"campaigns"},
	"campaign_search": {"campaigns"}, "campaign_staff_listings": {"campaigns"},
	"open_editors": {"presence"},
	"front_page":   {"frontpage", "changes"}, "front_page_picks": {"frontpage"},
	"campaign_previews": {"campaigns"}, "subscription_goals": {"campaigns"}, "subscription_goal_texts": {"campaigns"},
	"rewards": {"rewards"}, "reward_texts": {"rewards"},
	"content_variations": {"variations"}, "campaign_visits": {"variations"}, "campaign_visit_counts": {"variations"},
	"upload_totals": {"uploads"},
	"posts":         {"posts"}, "post_texts": {"posts"},
	"letter_rounds": {"letters"}, "letters": {"letters"}, "letter_refusals": {"letters"}, "undeliverable_addresses": {"undeliverable"},
	"unpayable_campaigns": {"reminders"}, "payment_reminders": {"reminders"}, "reminder_refusals": {"reminders"},
	// rewards marks what counts in the stock of a reward that becomes limited
	"pledges":       {"pledges", "rewards"},
	"receipt_links": {"receiptlinks", "capabilities"},
	"claims":        {"claims"}, "claim_messages": {"claims"}, "agreed_refunds": {"claims"},
	"pledge_transitions": {"pledges"}, "pledge_changes": {"pledges"}, "pledge_raises": {"pledges", "rewards"}, "payment_events": {"pledges"}, "kept_receipts": {"pledges"},
	"subscriptions": {"subscriptions"}, "subscription_transitions": {"subscriptions"}, "subscription_charges": {"subscriptions"},
	"subscription_events": {"subscriptions"}, "kept_subscription_receipts": {"subscriptions"}, "subscription_links": {"supportlinks", "capabilities"},
	"calendar_feeds": {"moneycalendar", "capabilities"}, // capabilities ends what lets somebody in
	"experiments":    {"experiments", "changes"}, "experiment_texts": {"experiments"}, "experiment_team": {"experiments"},
	"experiment_invitations": {"experiments", "capabilities"},
	"experiment_tags":        {"experiments"}, "experiment_stages": {"experiments"}, "experiment_custom_texts": {"experiments"},
	"experiment_likes": {"experiments"}, "experiment_listings": {"experiments"},
	// sessions registers accounts, verifications confirms their addresses, people changes what is shown of somebody
	"users":     {"profiles", "sessions", "verifications", "people"},
	"user_tags": {"people"},
	"sessions":  {"sessions", "capabilities"}, "password_failures": {"sessions"}, "email_verifications": {"verifications"},
	"password_resets": {"sessions", "capabilities"}, "totp_apps": {"secondstep", "capabilities"}, "passkeys": {"secondstep"}, "backup_codes": {"secondstep"},
	"second_step_challenges": {"secondstep", "capabilities"},
	"demo_content":           {"seed"}, "forum_nonces": {"forum"},
	"categories": {"taxonomy", "changes"}, "category_texts": {"taxonomy"}, "tags": {"taxonomy", "changes"}, "tag_texts": {"taxonomy"},
	"recommendation_changes": {"recommend"}, "recommendation_interests": {"recommend"}, "recommendation_pairs": {"recommend"},
	"recommendation_lists": {"recommend"},
	// what an edit does to an approval is written with it
	"review_events": {"review", "campaigns"}, "reviewed_parts": {"campaigns"}, "review_notes": {"review"}, "payout_accounts": {"accounts"}, "payout_reminders": {"accounts"},
	"team_invitations": {"team", "capabilities"}, "team_invitation_links": {"team", "capabilities"},
	// filled by the migrations, written by nobody
	"place_names": {"migrations"}, "regions": {"migrations"}, "region_forms": {"migrations"}, "region_places": {"migrations"},
	"withdrawal_terms": {"migrations"},
	"search_documents": {"migrations"}, "search_vocabulary": {"migrations"}, // written by the function search_refresh
	"idempotency_keys": {"kit/idem"}, "outbox": {"kit/outbox"},
}
