package personaldata

import "talkoot.fi/content/internal/mail/undeliverable"

// part is one part of the file: a statement whose rows become JSON by their columns' names. Parameters are user, their
// confirmed address (empty without: another one may be a stranger's) and the reader's language.
type part struct {
	name  string
	isOne bool
	sql   string
}

// title is that of a campaign c in the reader's language.
const title = `(SELECT preview ->> 'title' FROM campaign_previews v WHERE v.campaign_id = c.id AND v.language = @language) AS title`

// own are a person's pledges, also those that lapsed and those that wait for their payment; as package pledges erases them.
const own = `(SELECT * FROM pledges WHERE user_id = @user
	UNION ALL SELECT * FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address)
		AND status NOT IN ('created', 'awaiting_payment', 'expired')
	UNION ALL SELECT * FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address) AND status = 'expired'
	UNION ALL SELECT * FROM pledges WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address)
		AND status IN ('created', 'awaiting_payment'))`

// ownMonthly is what a person supports monthly, or has; as package subscriptions erases it, but for what was begun with their address
// and not paid, which anybody can do.
const ownMonthly = `(SELECT * FROM subscriptions WHERE user_id = @user
	UNION ALL SELECT * FROM subscriptions WHERE user_id IS NULL AND @address <> '' AND lower(email) = lower(@address)
		AND (status NOT IN ('created', 'expired') OR is_processing))`

const major = ` / 100.0, 2)`

// parts are everything about a person in our database, in the order of the file. Nothing in it opens an account: no hash, no key, no
// token, no session's id.
var parts = []part{
	{"account", true, `
		SELECT u.id, u.email, u.verified AS email_confirmed, ` + undeliverable.RefusedAtSQL + ` AS email_refused_at, u.first_name, u.last_name, u.phone, u.short_description, u.long_description,
		       nullif(u.image, '') AS picture, u.links, u.skills, u.profile_verified AS verified_by_staff, u.scope AS rights,
		       u.created_at AS registered_at, u.updated_at AS changed_at,
		       json_build_object('language', u.language, 'letters', u.wants_letters, 'shows_number_of_backed_campaigns', u.shows_backed) AS settings,
		       (SELECT coalesce(json_agg(DISTINCT t.label), '[]') FROM user_tags g JOIN tag_texts t ON t.tag_id = g.tag_id AND t.language = @language
		        WHERE g.user_id = u.id) AS tags
		FROM users u WHERE u.id = @user`},
	{"sessions", false, `
		SELECT user_agent AS browser, created_at AS began_at, coalesce(seen_at, created_at) AS last_used_at, expires_at AS ends_at,
		       second_step_at IS NOT NULL AS with_second_step, confirmed_at, step_confirmed_at AS second_step_shown_at
		FROM sessions WHERE user_id = @user ORDER BY created_at`},
	{"passkeys", false, `SELECT name, added_at, used_at FROM passkeys WHERE user_id = @user ORDER BY added_at`},
	{"code_app", true, `SELECT added_at, used_at FROM totp_apps WHERE user_id = @user AND secret IS NOT NULL`},
	{"backup_codes", true, `SELECT count(*) AS left FROM backup_codes WHERE user_id = @user`},
	{"links_by_mail", false, `
		SELECT 'confirm_address' AS kind, email, created_at AS sent_at, expires_at FROM email_verifications WHERE user_id = @user
		UNION ALL SELECT 'new_password', email, created_at, expires_at FROM password_resets WHERE user_id = @user
		UNION ALL SELECT 'monthly_support_' || l.act, s.email, l.created_at, l.expires_at
		FROM ` + ownMonthly + ` s JOIN subscription_links l ON l.subscription_id = s.id ORDER BY sent_at`},
	{"pledges", false, `
		SELECT p.id, p.campaign_id, ` + title + `, p.status, round(p.amount_minor` + major + ` AS amount, p.currency,
		       round(p.amount_refunded_minor` + major + ` AS refunded, nullif(p.refund_reason, '') AS refund_reason,
		       round(p.charged_minor` + major + ` AS charged_before_changes, round(p.change_refunded_minor` + major + ` AS refunded_of_changes,
		       (SELECT coalesce(json_agg(json_build_object('at', at, 'by', cause, 'from', round(from_minor` + major + `, 'to', round(to_minor` + major + `,
		            'before', before -> 'lines') ORDER BY number), '[]') FROM pledge_changes WHERE pledge_id = p.id) AS changes,
		       (SELECT coalesce(json_agg(json_build_object('asked_at', created_at, 'by', cause, 'status', status, 'amount', round(amount_minor` + major + `,
		            'lines', lines, 'address_and_answers', details, 'paid_at', paid_at, 'paid_with', nullif(payment_method, ''),
		            'refunded', round(refunded_minor` + major + `) ORDER BY created_at, id), '[]') FROM pledge_raises WHERE pledge_id = p.id) AS further_charges,
		       round(p.vat_minor` + major + ` AS vat_included, p.quantity, p.lines, p.bought ->> 'title' AS reward,
		       p.receipt_number, CASE WHEN NOT c.hide_member_count THEN p.backer_number END AS backer_number, nullif(p.payment_method, '') AS paid_with, p.email, p.first_name, p.last_name,
		       p.details AS address_and_answers, p.anonymous, p.last_name_initial AS last_name_as_initial, p.hide_amount AS sum_hidden, p.language,
		       nullif(p.source, '') AS came_from, nullif(p.held_from, '') AS network, p.created_at, p.paid_at, p.released_at,
		       (SELECT coalesce(json_agg(json_build_object('at', at, 'to', to_status, 'because', cause) ORDER BY id), '[]')
		        FROM pledge_transitions WHERE pledge_id = p.id) AS history
		FROM ` + own + ` p JOIN campaigns c ON c.id = p.campaign_id ORDER BY p.created_at, p.id`},
	{"claims", false, `
		SELECT c.reference, c.pledge_id, c.kind, c.state, c.created_at AS made_at, c.due_at AS waits_until, c.decisions, round(c.offer_minor` + major + ` AS offered, c.offer_day, nullif(c.tracking, '') AS tracking,
		       (SELECT coalesce(json_agg(json_build_object('at', at, 'by', role, 'what', act, 'text', nullif(text, ''), 'amount', round(amount_minor` + major + `, 'day', day,
		            'tracking', nullif(tracking, '')) ORDER BY id), '[]') FROM claim_messages WHERE claim_id = c.id) AS history
		FROM ` + own + ` p JOIN claims c ON c.pledge_id = p.id ORDER BY c.created_at, c.id`},
	{"refunds_agreed", false, `
		SELECT r.pledge_id, round(r.amount_minor` + major + ` AS amount, r.currency, r.reason, nullif(r.note, '') AS note, r.created_at AS agreed_at
		FROM ` + own + ` p JOIN agreed_refunds r ON r.pledge_id = p.id ORDER BY r.created_at, r.id`},
	{"answers_to_claims", false, `
		SELECT c.campaign_id, m.at, m.role, m.act, nullif(m.text, '') AS text FROM claim_messages m JOIN claims c ON c.id = m.claim_id WHERE m.user_id = @user ORDER BY m.id`},
	{"refunds_given", false, `
		SELECT campaign_id, round(amount_minor` + major + ` AS amount, currency, nullif(note, '') AS note, created_at FROM agreed_refunds WHERE user_id = @user ORDER BY created_at, id`},
	{"monthly_support", false, `
		SELECT s.id, s.campaign_id, ` + title + `, s.status, round(s.amount_minor` + major + ` AS amount_a_month, s.currency,
		       round(s.next_amount_minor` + major + ` AS next_amount, s.bought ->> 'title' AS reward, s.next_bought ->> 'title' AS next_reward,
		       nullif(s.payment_method, '') AS paid_with, s.email, s.first_name, s.last_name, s.anonymous, s.hide_amount AS sum_hidden, s.language,
		       nullif(s.source, '') AS came_from, s.created_at, s.begun_on, s.next_charge_on, s.held_on, s.due_on, s.next_try_on, s.paid_until, s.ends_on,
		       nullif(s.ended_because, '') AS ended_because,
		       (SELECT coalesce(json_agg(json_build_object('month', period, 'for', period_day, 'paid_at', paid_at, 'amount', round(amount_minor` + major + `,
		            'vat_included', round(vat_minor` + major + `, 'refunded', round(amount_refunded_minor` + major + `, 'disputed', is_disputed,
		            'receipt_number', receipt_number, 'reward', nullif(title, '')) ORDER BY period), '[]')
		        FROM subscription_charges WHERE subscription_id = s.id) AS charges,
		       (SELECT coalesce(json_agg(json_build_object('at', at, 'to', to_status, 'because', cause) ORDER BY id), '[]')
		        FROM subscription_transitions WHERE subscription_id = s.id) AS history
		FROM ` + ownMonthly + ` s JOIN campaigns c ON c.id = s.campaign_id ORDER BY s.created_at, s.id`},
	{"page_visits", false, `
		SELECT DISTINCT v.campaign_id, v.source AS came_from, v.at
		FROM (SELECT campaign_id, visitor FROM ` + own + ` p UNION ALL SELECT campaign_id, visitor FROM ` + ownMonthly + ` s) p
		JOIN campaign_visits v ON v.campaign_id = p.campaign_id AND v.visitor = p.visitor ORDER BY v.at`},
	{"letters", false, `
		SELECT DISTINCT l.post_id, l.language, p.campaign_id FROM ` + own + ` p JOIN letters l ON l.pledge_id = p.id
		UNION SELECT l.post_id, l.language, s.campaign_id FROM ` + ownMonthly + ` s JOIN letters l ON l.subscription_id = s.id ORDER BY 1`},
	{"letters_refused", false, `
		SELECT f.campaign_id, f.created_at AS refused_at FROM letter_refusals f
		WHERE f.address_hash = sha256(convert_to(lower(@address), 'UTF8')) ORDER BY f.created_at`},
	{"payment_reminders", false, `
		SELECT r.campaign_id, ` + title + `, r.language, r.created_at AS asked_at FROM payment_reminders r JOIN campaigns c ON c.id = r.campaign_id
		WHERE @address <> '' AND lower(r.email) = lower(@address) ORDER BY r.id`},
	{"payment_reminders_refused", false, `
		SELECT f.campaign_id, f.created_at AS refused_at FROM reminder_refusals f
		WHERE f.address_hash = sha256(convert_to(lower(@address), 'UTF8')) ORDER BY f.created_at`},
	{"liked_campaigns", false, `
		SELECT c.id AS campaign_id, ` + title + `, l.created_at AS liked_at, l.counted FROM campaign_likes l JOIN campaigns c ON c.id = l.campaign_id
		WHERE l.user_id = @user ORDER BY l.created_at`},
	{"liked_experiments", false, `
		SELECT l.experiment_id, (SELECT title FROM experiment_texts x WHERE x.experiment_id = l.experiment_id
		           ORDER BY x.title = '', x.language = @language DESC, x.language LIMIT 1) AS title, l.created_at AS liked_at, l.counted
		FROM experiment_likes l WHERE l.user_id = @user ORDER BY l.created_at`},
	{"campaigns", false, `
		SELECT c.id AS campaign_id, ` + title + `, c.stage, CASE m.position WHEN 0 THEN 'creator' ELSE 'member' END AS role, c.created_at,
		       CASE m.position WHEN 0 THEN json_build_object('contact_email', nullif(c.contact_email, ''), 'legal_creator', nullif(c.legal_creator, ''),
		           'picture', nullif(c.creator_pic, ''), 'link', nullif(c.external_link_1, ''),
		           'about', (SELECT json_object_agg(x.language, x.about_creator) FROM campaign_texts x WHERE x.campaign_id = c.id AND x.about_creator <> ''),
		           'payout_account', nullif(concat_ws(' ', nullif(c.payment_account_id, ''), nullif(c.payment_user_id, ''), nullif(c.payment_wallet_id, '')), ''))
		       END AS said_of_the_creator
		FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id WHERE m.user_id = @user ORDER BY c.id`},
	{"experiments", false, `
		SELECT e.id AS experiment_id, (SELECT title FROM experiment_texts x WHERE x.experiment_id = e.id
		           ORDER BY x.title = '', x.language = @language DESC, x.language LIMIT 1) AS title,
		       e.stage, CASE m.position WHEN 0 THEN 'owner' ELSE 'member' END AS role, e.created_at
		FROM experiment_team m JOIN experiments e ON e.id = m.experiment_id WHERE m.user_id = @user ORDER BY e.id`},
	{"posts", false, `
		SELECT p.id AS post_id, p.campaign_id, p.status, p.created_at, p.published_at, p.deleted_at,
		       (SELECT coalesce(json_object_agg(x.language, json_build_object('title', x.title, 'html', x.html)), '{}')
		        FROM post_texts x WHERE x.post_id = p.id) AS texts
		FROM posts p WHERE p.author_id = @user ORDER BY p.id`},
	{"reviews", false, `SELECT campaign_id, event, round, at FROM review_events WHERE user_id = @user ORDER BY id`},
	{"review_notes", false, `SELECT campaign_id, part, text, quote, at FROM review_notes WHERE user_id = @user ORDER BY id`},
	{"invitations_sent", false, `
		SELECT campaign_id, email, invited_at, ended_at, expires_at FROM team_invitations WHERE invited_by = @user ORDER BY id`},
	{"invitations_received", false, `
		SELECT campaign_id, invited_at, ended_at, expires_at FROM team_invitations
		WHERE @address <> '' AND lower(email) = lower(@address) ORDER BY id`},
	{"invitations_to_experiments", false, `
		SELECT experiment_id, CASE WHEN as_owner THEN 'owner' ELSE 'member' END AS role, CASE invited_by WHEN @user THEN 'sent' ELSE 'received' END AS direction,
		       invited_at, ended_at, expires_at FROM experiment_invitations WHERE @user IN (user_id, invited_by) ORDER BY id`},
	{"payout_accounts", false, `SELECT provider, account_id, wallet_id, created_at FROM payout_accounts WHERE user_id = @user ORDER BY 1, 2`},
	{"suggestions_are_made_from", false, `
		SELECT kind, campaign_id FROM recommendation_interests WHERE user_id = @user ORDER BY kind, campaign_id`},
	{"mail_waiting", false, `
		SELECT kind, created_at FROM outbox WHERE done_at IS NULL AND starts_with(kind, 'mail.') AND (payload ->> 'user_id' = CAST(CAST(@user AS bigint) AS text)
			OR @address <> '' AND lower(payload ->> 'email') = lower(@address) OR payload ->> 'pledge_id' IN (SELECT p.id FROM ` + own + ` p)
			OR payload ->> 'subscription_id' IN (SELECT s.id FROM ` + ownMonthly + ` s)) ORDER BY id`},
	{"amount_sent", true, `
		SELECT (SELECT json_build_object('day', day, 'bytes', bytes) FROM upload_totals WHERE user_id = @user) AS pictures,
		       (SELECT json_build_object('day', day, 'bytes', bytes) FROM history_totals WHERE user_id = @user) AS changes`},
	{"changes_of_the_account", false, `
		SELECT at, action, actor, actor_user_id = @user AS by_oneself, before, after FROM audit_log
		WHERE entity = 'user' AND entity_id = CAST(CAST(@user AS bigint) AS text) ORDER BY id`},
	{"changes_made", false, `
		SELECT at, action, entity, entity_id, campaign_id FROM audit_log WHERE actor_user_id = @user AND entity <> 'user' ORDER BY id`},
}
