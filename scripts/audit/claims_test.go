//go:build unix

package audit_test

// claimFaults are planted into claims and what was agreed to go back.
func claimFaults() []corruption {
	const (
		last   = "a claim is where its last step led"
		once   = "what claims came to is agreed once"
		told   = "the payment service hears of what is agreed"
		same   = "what is agreed goes back once, and nothing else for that"
		claim  = `INSERT INTO claims (id, reference, pledge_id, campaign_id, kind, state, waits_from, due_at, created_at, updated_at) `
		step   = `INSERT INTO claim_messages (claim_id, at, role, act, from_state, to_state, amount_minor) `
		agreed = `INSERT INTO agreed_refunds (id, pledge_id, campaign_id, claim_id, reason, amount_minor, currency, begun_minor, created_at) `
	)
	of := func(state, due string) string {
		return claim + `SELECT 'claim', 'H-1', @plain, campaign_id, 'other', '` + state + `', now(), ` + due + `, now(), now() FROM pledges WHERE id = @plain`
	}
	with := func(made, then string) string {
		return `WITH made AS (` + made + ` RETURNING id) ` + step + `SELECT id, ` + then + ` FROM made`
	}
	return []corruption{
		{what: "a claim has no steps", check: last, content: of("open", "now() + interval '1 day'")},
		{what: "a claim's last step led elsewhere", check: last, content: with(of("agreed", "NULL"), `now(), 'backer', 'make', '', 'open', NULL`)},
		{what: "a claim waits after its time", check: last, content: with(of("open", "'2020-01-01'"), `now(), 'backer', 'make', '', 'open', NULL`)},
		{what: "a claim came to money that nobody agreed to", check: once,
			content: with(of("agreed", "NULL"), `now(), 'creator', 'refund', 'open', 'agreed', 100`)},
		{what: "the payment service was never told", check: told,
			content: agreed + `SELECT 'agreed', @plain, campaign_id, NULL, 'by_creator', 100, 'EUR', NULL, '2020-01-01' FROM pledges WHERE id = @plain`},
		{what: "more was begun than agreed", check: told,
			content: agreed + `SELECT 'agreed', @plain, campaign_id, NULL, 'by_creator', 100, 'EUR', 101, now() FROM pledges WHERE id = @plain`},
		{what: "what was agreed has no refund", check: same,
			content: agreed + `SELECT 'agreed', @plain, campaign_id, NULL, 'by_creator', 100, 'EUR', 100, now() FROM pledges WHERE id = @plain`},
		{what: "money goes back for an agreement that nobody made", check: same,
			payments: `UPDATE refunds SET reason = 'by_creator', request_key = 'nobodys' WHERE id = @full_refund`},
	}
}
