package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"talkoot.fi/kit/dbtest"

	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/migrations"
)

// secretColumnsSQL are the columns that can hold a token, a secret, a hash of one, or the number of a secret address.
const secretColumnsSQL = `
	SELECT c.table_name || '.' || c.column_name FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
	WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND t.table_name <> 'goose_db_version'
	    AND c.data_type NOT LIKE 'timestamp%' AND (c.data_type = 'bytea'
	    OR c.column_name ~ '(token|secret|hash|nonce|credential|passw|passkey|code|session|pending|ceremony|cookie|signature|otp|number|(^|_)(key|mac|pin)$)'
	    OR c.column_name = 'id' AND c.data_type NOT IN ('bigint', 'smallint', 'integer'))
	ORDER BY 1`

// kept are the secrets that outlive a new password, and why that lets nobody in.
var kept = map[string]string{
	"users.password_hash":                  "the password: who sets a new one replaces it, and a blocked or erased account signs nobody in",
	"totp_apps.secret":                     "a second step: adding one takes the password or another step and is mailed, and a mailbox alone must not take it off; of an unconfirmed address it goes",
	"passkeys.credential":                  "as the secret of a code app",
	"passkeys.credential_id":               "as the secret of a code app",
	"backup_codes.code_hash":               "as the secret of a code app",
	"email_verifications.token_hash":       "confirms an address only together with a session of it; goes with the confirming and with erasing",
	"second_step_challenges.session_id":    "names a session, whose challenges go with the account's",
	"second_step_challenges.ceremony":      "what a challenge waits for; goes with it",
	"forum_nonces.nonce_hash":              "a log-in request that has been answered: it is never answered again",
	"idempotency_keys.key":                 "gives its caller the answer that they have had, and only to the signed-in person or the network that sent it",
	"idempotency_keys.request_hash":        "of a body, not of a secret",
	"password_failures.key":                "a counter",
	"outbox.dedupe_key":                    "names a message that was queued",
	"pledges.id":                           "names it and opens nothing (package holders)",
	"claims.id":                            "names it and opens nothing: its calls ask whose it is",
	"agreed_refunds.id":                    "names it and opens nothing",
	"pledge_changes.id":                    "names it and opens nothing",
	"pledge_changes.request_key":           "names an act that its caller took",
	"pledge_changes.request_hash":          "of a body, not of a secret",
	"pledge_changes.number":                "a count",
	"pledge_raises.id":                     "names it and opens nothing (package holders)",
	"pledge_raises.request_key":            "names an act that its caller took",
	"pledge_raises.request_hash":           "of a body, not of a secret",
	"pledge_raises.number":                 "a count",
	"claim_messages.request_key":           "names an act that its caller took",
	"agreed_refunds.request_key":           "names an act that its caller took",
	"subscriptions.id":                     "names it and opens nothing (package holders)",
	"pledges.visitor":                      "a hash of who looked at a page, for counting",
	"subscriptions.visitor":                "a hash of who looked at a page, for counting",
	"campaign_visits.visitor":              "a hash of who looked at a page, for counting",
	"letters.address_hash":                 "of an address, so that nobody gets a letter twice",
	"letter_refusals.address_hash":         "of an address that wants no letters",
	"reminder_refusals.address_hash":       "of an address that wants no reminders",
	"undeliverable_addresses.address_hash": "of an address that takes no mail",
	"campaigns.hold_number":                "a count", "campaign_holds.number": "a count", "campaigns.payment_accounts_number": "a count",
	"pledges.backer_number": "a count", "campaign_totals.last_backer_number": "a count",
	"pledges.receipt_number": "of bookkeeping", "subscription_charges.receipt_number": "of bookkeeping",
	"campaign_custom_texts.key": "the name of a text", "experiment_custom_texts.key": "the name of a text",
	"categories.key": "a name", "tags.key": "a name", "recommendation_lists.key": "a name",
	"regions.key": "a name",
}

// ended counts what a person, @user, has of each secret that does not outlive their being in the account.
var ended = map[string]string{
	"sessions.id":                       `SELECT count(*) FROM sessions WHERE user_id = @user AND user_agent = 'stranger'`,
	"second_step_challenges.token_hash": `SELECT count(*) FROM second_step_challenges WHERE user_id = @user`,
	"totp_apps.pending":                 `SELECT count(*) FROM totp_apps WHERE user_id = @user AND pending IS NOT NULL`,
	"password_resets.token_hash":        `SELECT count(*) FROM password_resets WHERE user_id = @user`,
	"calendar_feeds.number":             `SELECT count(*) FROM calendar_feeds WHERE user_id = @user AND is_on`,
	"team_invitation_links.token_hash": `SELECT count(*) FROM team_invitation_links l JOIN team_invitations i ON i.id = l.invitation_id
		WHERE i.invited_by = @user`,
	"receipt_links.token_hash": `SELECT count(*) FROM receipt_links l JOIN pledges p ON p.id = l.pledge_id WHERE p.user_id = @user`,
	"subscription_links.token_hash": `SELECT count(*) FROM subscription_links l JOIN subscriptions s ON s.id = l.subscription_id
		WHERE s.user_id = @user`,
}

func TestSecrets_AreEndedWithTheAccountsSessionsOrListedWithAReason(t *testing.T) {
	var columns []string
	if err := dbtest.New(t, migrations.FS).Gorm.Raw(secretColumnsSQL).Scan(&columns).Error; err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, column := range columns {
		there[column] = true
		if (ended[column] != "") == (kept[column] != "") {
			t.Errorf("%s: package capabilities ends it, or the list of kept ones says why nobody comes in by it", column)
		}
	}
	for _, list := range []map[string]string{ended, kept} {
		for column := range list {
			if !there[column] {
				t.Errorf("%s is listed and not in the database", column)
			}
		}
	}
}

// plant makes one of each secret that ends in an account, as somebody would who was in it.
func (p *mailedPlatform) plant(t *testing.T, user int64) {
	t.Helper()
	who := map[string]any{"user": user, "id": fmt.Sprintf("%026d", user), "now": p.options.Now()}
	for _, statement := range []string{
		`INSERT INTO sessions (id, user_id, created_at, expires_at, user_agent) VALUES ('s' || @id, @user, @now, CAST(@now AS timestamptz) + interval '1 day', 'stranger')`,
		`INSERT INTO second_step_challenges (token_hash, purpose, user_id, expires_at) VALUES (decode(@id, 'hex'), 'second_step', @user, CAST(@now AS timestamptz) + interval '1 day')`,
		`INSERT INTO totp_apps (user_id, pending, pending_at) VALUES (@user, 'x', @now)`,
		`INSERT INTO password_resets VALUES (decode(@id, 'hex'), @user, 'x@example.fi', @now, CAST(@now AS timestamptz) + interval '1 day')`,
		`INSERT INTO calendar_feeds (user_id) VALUES (@user)`,
		`WITH sent AS (INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at)
			SELECT min(id), 'stranger' || @id || '@example.fi', @user, @now, CAST(@now AS timestamptz) + interval '9 days' FROM campaigns RETURNING id)
		 INSERT INTO team_invitation_links SELECT decode(@id, 'hex'), id FROM sent`,
		`WITH made AS (INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, language,
				payable_until, created_at, updated_at)
			SELECT @id, min(id), @user, 'created', 700, 'EUR', 'x@example.fi', 'A', 'B', 'fi', @now, @now, @now FROM campaigns WHERE stage = 6 RETURNING id)
		 INSERT INTO subscription_links SELECT decode(@id, 'hex'), id, 'cancel', 0, @now, CAST(@now AS timestamptz) + interval '45 days' FROM made`,
		`WITH made AS (INSERT INTO pledges (id, campaign_id, user_id, status, amount_minor, currency, quantity, lines, email, first_name, last_name,
				language, reserved_until, created_at, updated_at)
			SELECT @id, min(id), @user, 'created', 2000, 'EUR', 1, '[]', 'x@example.fi', 'A', 'B', 'fi', CAST(@now AS timestamptz) + interval '1 hour', @now, @now FROM campaigns
			WHERE stage = 2 RETURNING id)
		 INSERT INTO receipt_links SELECT decode(@id, 'hex'), id, @now, CAST(@now AS timestamptz) + interval '45 days' FROM made`,
	} {
		p.do(t, statement, who)
	}
	for column, query := range ended {
		if n := p.number(t, query, map[string]any{"user": user}); n != 1 {
			t.Fatalf("%s: %d were made", column, n)
		}
	}
}

func TestTakingAnAccountBack_LeavesNothingThatAStrangerMadeInIt(t *testing.T) {
	p := withMails(t)
	admin := p.token(t, p.number(t, `SELECT id FROM users WHERE email = 'admin@talkoot.example'`))
	p.do(t, `UPDATE sessions SET step_confirmed_at = confirmed_at`)
	must := func(t *testing.T, method, path, body, session string) {
		t.Helper()
		var headers []string
		if session != "" {
			headers = bearer(session)
		}
		if a := call(t.Context(), p.checked(t), method, path, body, headers...); a.Code/100 != 2 {
			t.Fatalf("%s %s: %d %s", method, path, a.Code, a.Body)
		}
	}
	for name, act := range map[string]func(t *testing.T, email, session string, id int64){
		"a new password by a mailed link": func(t *testing.T, email, _ string, _ int64) {
			must(t, "POST", "/users/password_resets/", fmt.Sprintf(`{"email": %q}`, email), "")
			must(t, "POST", "/users/password_changes/", fmt.Sprintf(`{"email": %q, "token": %q, "new_password": "seven grey stones"}`, email, p.linkIn(t, email)), "")
		},
		"a changed password": func(t *testing.T, _, session string, _ int64) {
			must(t, "POST", "/users/me/password", `{"old_password": "long enough", "new_password": "seven grey stones"}`, session)
		},
		"signing out everywhere": func(t *testing.T, _, session string, _ int64) { must(t, "DELETE", "/users/me/sessions/", "", session) },
		"a block by an admin": func(t *testing.T, _, _ string, id int64) {
			must(t, "PATCH", fmt.Sprintf("/users/%d/admin/", id), `{"blocked": true, "reason": "spam"}`, admin)
		},
		"a block on the machine": func(t *testing.T, email, _ string, _ int64) {
			if changed, err := sessions.SetBlocked(t.Context(), p.db, email, true, p.options.Now()); !changed || err != nil {
				t.Fatal(changed, err)
			}
		},
		"erasing": func(t *testing.T, email, session string, _ int64) {
			must(t, "POST", "/users/me/erasure/", fmt.Sprintf(`{"email": %q, "password": "long enough"}`, email), session)
		},
	} {
		t.Run(name, func(t *testing.T) {
			email := strings.ReplaceAll(name, " ", ".") + "@example.fi"
			session := p.person(t, email, "en")
			id := p.number(t, `SELECT id FROM users WHERE email = ?`, email)
			p.plant(t, id)
			act(t, email, session, id)
			for column, query := range ended {
				if n := p.number(t, query, map[string]any{"user": id}); n != 0 {
					t.Errorf("%s: %d are left", column, n)
				}
			}
		})
	}
}

// What a supporter has begun as a guest is in no feed that was made by whoever registered their address.
func TestCalendarFeed_OfAStrangerNeverShowsTheOwnersSupport_AndItsMakingIsMailed(t *testing.T) {
	const email = "kannattaja@example.fi"
	p := withMails(t)
	p.do(t, `INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until,
			begun_on, next_charge_on, created_at, updated_at)
		SELECT '01ARZ3NDEKTSV4RRFFQ69G5FAV', min(id), 'active', 700, 'EUR', ?, 'A', 'B', 'fi', now(), CAST(now() AS date), CAST(now() AS date) + 30, now(), now()
		FROM campaigns WHERE stage = 6`, email)
	stranger := p.person(t, email, "fi")
	made := call(t.Context(), p.checked(t), "PUT", "/users/me/calendar-feed/", "", bearer(stranger)...)
	var feed struct {
		FeedURL string `json:"feed_url"`
	}
	decode(t, made.Body.Bytes(), &feed)
	address := strings.TrimPrefix(feed.FeedURL, publicURL+"/content")
	if a := call(t.Context(), p.checked(t), "GET", address, ""); a.Code != http.StatusOK {
		t.Fatalf("the feed: %d %s at %s", a.Code, a.Body, address)
	}
	p.deliver(t, email)
	mailed := 0
	for _, m := range p.sent {
		if m.To == email && m.Subject == "Kalenterisyöte otettiin käyttöön" {
			mailed++
		}
	}
	if mailed != 1 {
		t.Errorf("%d mails tell that a feed was made", mailed)
	}
	call(t.Context(), p.checked(t), "POST", "/users/password_resets/", fmt.Sprintf(`{"email": %q}`, email))
	body := fmt.Sprintf(`{"email": %q, "token": %q, "new_password": "seven grey stones"}`, email, p.linkIn(t, email))
	if a := call(t.Context(), p.checked(t), "POST", "/users/password_changes/", body); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	if a := call(t.Context(), p.checked(t), "GET", address, ""); a.Code != http.StatusNotFound {
		t.Errorf("the stranger's feed: %d %s", a.Code, a.Body)
	}
}
