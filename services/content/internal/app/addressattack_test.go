package app_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/content/internal/app"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/pledging/closing"
)

func (p *mailedPlatform) do(t *testing.T, query string, args ...any) {
	t.Helper()
	if err := p.db.Exec(query, args...).Error; err != nil {
		t.Fatal(err)
	}
}

func (p *mailedPlatform) erase(t *testing.T, session, email, password string) int {
	t.Helper()
	return call(t.Context(), p.checked(t), "POST", "/users/me/erasure/", fmt.Sprintf(`{"email": %q, "password": %q}`, email, password), bearer(session)...).Code
}

func (p *mailedPlatform) merge(t *testing.T, session, link string) int {
	t.Helper()
	return call(t.Context(), p.checked(t), "POST", "/users/verifications/", fmt.Sprintf(`{"token": %q, "merge": true}`, link), bearer(session)...).Code
}

// two are a confirmed account of Aino's and a second one, with the second one's link.
func (p *mailedPlatform) two(t *testing.T) (first, second, link string, firstID, secondID int64) {
	t.Helper()
	first, firstID = p.registered(t, aino, "the first word")
	if got := p.confirm(t, first, p.deliver(t, aino)[0]); got != http.StatusOK {
		t.Fatal(got)
	}
	second, secondID = p.registered(t, aino, "the second word")
	links := p.deliver(t, aino)
	return first, second, links[len(links)-1], firstID, secondID
}

// Whoever registers the owner's address and erases that account gets no new guesses at the owner's password.
func TestErase_OfAnotherAccountOfTheAddressKeepsThePauses(t *testing.T) {
	p := withMails(t)
	p.two(t)
	p.ahead += 25 * time.Hour
	looked := 0
	for range 2 { // in all fewer than begin a pause, but for those of the erased account
		stranger, _ := p.registered(t, aino, "a stranger's word")
		for range 3 {
			a := call(t.Context(), p.checked(t), "POST", "/users/tokens/", `{"email": "`+aino+`", "password": "no such word"}`)
			if a.Code == http.StatusUnauthorized {
				looked++
			}
		}
		p.erase(t, stranger, aino, "a stranger's word")
	}
	if looked > 5 {
		t.Errorf("%d guesses without a pause", looked)
	}
}

// A stranger's account of the address mails the owner no notices about changes of that account.
func TestAddress_GetsFewNoticesAboutStrangersAccounts(t *testing.T) {
	p := withMails(t)
	p.two(t)
	stranger, _ := p.registered(t, aino, "stranger word 0")
	for i := range 2 {
		body := fmt.Sprintf(`{"old_password": "stranger word %d", "new_password": "stranger word %d"}`, i, i+1)
		if a := call(t.Context(), p.checked(t), "POST", "/users/me/password/", body, bearer(stranger)...); a.Code != http.StatusNoContent {
			t.Fatal(i, a.Code, a.Body)
		}
	}
	p.deliver(t, aino)
	n := 0
	for _, m := range p.sent {
		if m.To == aino && strings.Contains(m.Subject, "password was changed") {
			n++
		}
	}
	if n > 0 {
		t.Errorf("the owner gets %d mails that their password was changed, which it was not", n)
	}
}

// An invitation reaches who has the address, however many accounts it has.
func TestInvitation_IsMailedToAnAddressWithSeveralAccounts(t *testing.T) {
	p := withMails(t)
	p.two(t)
	p.do(t, `INSERT INTO team_invitations (campaign_id, email, invited_by, invited_at, expires_at)
		SELECT campaign_id, ?, user_id, now(), now() + interval '1 day' FROM campaign_team WHERE position = 0 ORDER BY 1 LIMIT 1`, aino)
	id := p.number(t, `SELECT max(id) FROM team_invitations`)
	if to, _, ok, err := team.Issue(t.Context(), p.db, id, time.Now()); err != nil || !ok {
		t.Errorf("no mail: %+v, %v, %v", to, ok, err)
	}
}

// A campaign and the accounts for its payouts go to the same person.
func TestMerge_MovesCampaignsWithThePayoutAccounts(t *testing.T) {
	p := withMails(t)
	_, second, link, firstID, secondID := p.two(t)
	c := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	p.do(t, `UPDATE campaign_team SET user_id = ? WHERE campaign_id = ? AND position = 0`, secondID, c)
	p.do(t, `UPDATE campaigns SET payment_account_id = 'acct_1' WHERE id = ?`, c)
	p.do(t, `INSERT INTO payout_accounts (user_id, provider, account_id) VALUES (?, 'stripe', 'acct_1')`, secondID)
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatal(got)
	}
	if n := p.number(t, `SELECT count(*) FROM campaign_team WHERE campaign_id = ? AND user_id = ? AND position = 0`, c, firstID); n != 1 {
		t.Error("the campaign has another creator")
	}
	if n := p.number(t, `SELECT count(*) FROM payout_accounts WHERE user_id = ?`, firstID); n != 1 {
		t.Error("the payout account is forgotten")
	}
	if n := p.number(t, `SELECT count(*) FROM outbox WHERE kind = 'payer.merge'
		AND payload @> jsonb_build_object('from_user_id', CAST(? AS bigint), 'into_user_id', CAST(? AS bigint))`, secondID, firstID); n != 1 {
		t.Errorf("the payment service is told %d times", n)
	}
	if n := p.number(t, `SELECT count(*) FROM campaigns WHERE id = ? AND payment_account_id = 'acct_1'`, c); n != 1 {
		t.Error("the campaign has lost where its money is paid out")
	}
}

// Whoever erases their account while it takes another one in does not lose the other one's pledges to nobody.
func TestMerge_IntoAnAccountThatIsErasedMeanwhile(t *testing.T) {
	p := withMails(t)
	first, second, link, firstID, _ := p.two(t)
	open := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	pledged := call(t.Context(), p.handler, "POST", fmt.Sprintf("/campaigns/%d/pledges/", open),
		`{"amount": 20, "pledge_meta": {"email": "`+aino+`", "first_name": "Aino", "last_name": "V"}}`, bearer(second)...)
	if pledged.Code/100 != 2 {
		t.Fatalf("a pledge: %d %s", pledged.Code, pledged.Body)
	}
	paying := p.db.Begin()
	if err := paying.Exec(`SELECT FROM pledges WHERE lower(email) = ? FOR UPDATE`, aino).Error; err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 1)
	go func() { ended <- p.merge(t, second, link) }()
	p.waits(t, 1, ended)
	erased := make(chan int, 1)
	go func() { erased <- p.erase(t, first, aino, "the first word") }()
	p.waits(t, 2, erased)
	paying.Rollback()
	if taken, gone := <-ended, <-erased; taken != http.StatusOK || gone != http.StatusNoContent {
		t.Errorf("taken in %d, erased %d", taken, gone)
	}
	if n := p.number(t, `SELECT count(*) FROM pledges p JOIN users u ON u.id = p.user_id WHERE u.id = ? AND u.erased_at IS NOT NULL`, firstID); n != 0 {
		t.Errorf("%d pledges belong to an erased account", n)
	}
}

// While the mail server is away, attempts to send are no mails: the link is sent once it is back.
func TestAddress_IsMailedItsLinkAfterAnOutageOfTheMailServer(t *testing.T) {
	p := withMails(t)
	now := func() time.Time { return time.Now().Add(p.ahead) }
	fails := true
	sent := 0
	sender, err := mails.NewSender(mails.Options{DB: p.db, PublicURL: publicURL, Zone: p.options.Zone, Now: now, Send: func(_ context.Context, m mails.Mail) error {
		if fails {
			return errors.New("away")
		}
		if m.To == aino {
			sent++
		}
		return nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	relay, err := app.NewRelay(app.RelayOptions{DB: p.db, Log: p.options.Log, Now: now, Mails: sender,
		Payments: closing.ClientConfig{URL: "http://payments.invalid", Secret: []byte(serviceSecret), Now: now}})
	if err != nil {
		t.Fatal(err)
	}
	p.registered(t, aino, "the first word")
	for i := range 16 {
		p.ahead += 65 * time.Minute
		fails = i < 12
		if _, err := relay.RunOnce(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	if sent != 1 {
		t.Errorf("%d mails; tries left %d", sent, p.number(t, `SELECT count(*) FROM outbox WHERE kind = 'mail.verification' AND done_at IS NULL`))
	}
}

// Who registers after a stranger, pays and forgets the password gets that account by a link for a new one.
func TestReset_GivesTheAccountThatHasPaidThoughAStrangerRegisteredFirst(t *testing.T) {
	p := withMails(t)
	p.registered(t, aino, "a stranger's word")
	own, ownID := p.registered(t, aino, "the owner's word")
	open := p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`)
	pledged := call(t.Context(), p.handler, "POST", fmt.Sprintf("/campaigns/%d/pledges/", open),
		`{"amount": 20, "pledge_meta": {"email": "`+aino+`", "first_name": "Aino", "last_name": "V"}}`, bearer(own)...)
	if pledged.Code/100 != 2 {
		t.Fatalf("a pledge: %d %s", pledged.Code, pledged.Body)
	}
	p.do(t, `UPDATE pledges SET status = 'paid', paid_at = now(), backer_number = 900000, receipt_number = 'T-x' WHERE user_id = ?`, ownID)
	call(t.Context(), p.checked(t), "POST", "/users/password_resets/", `{"email": "`+aino+`"}`)
	body := fmt.Sprintf(`{"email": %q, "token": %q, "new_password": "seven grey stones"}`, aino, p.linkIn(t, aino))
	if a := call(t.Context(), p.checked(t), "POST", "/users/password_changes/", body); a.Code != http.StatusNoContent {
		t.Fatal(a.Code, a.Body)
	}
	if got := p.verified(t); !slices.Equal(got, []int64{ownID}) {
		t.Errorf("confirmed is %v, want %d", got, ownID)
	}
}

// Whose an address is, is for whoever reads its mail to say: nothing that a stranger makes in an account of it, not even by
// paying, takes the owner's link away or comes in its place.
func TestReset_OffersTheOwnersAccountWhateverAStrangerHasMadeInAnother(t *testing.T) {
	for name, make := range map[string]func(p *mailedPlatform, session string, id int64){
		"nothing": func(*mailedPlatform, string, int64) {},
		"a draft": func(p *mailedPlatform, session string, _ int64) {
			if a := call(t.Context(), p.checked(t), "POST", "/v3/campaigns/", `{"title": "Mine"}`, bearer(session)...); a.Code/100 != 2 {
				t.Fatal(a.Code, a.Body)
			}
		},
		"a place in teams": func(p *mailedPlatform, _ string, id int64) {
			p.do(t, `INSERT INTO campaign_team SELECT min(campaign_id), @id, 9 FROM campaign_team`, map[string]any{"id": id})
			p.do(t, `INSERT INTO experiment_team SELECT min(experiment_id), @id, 9 FROM experiment_team`, map[string]any{"id": id})
		},
		"a payment": func(p *mailedPlatform, _ string, id int64) {
			p.paidBy(t, p.number(t, `SELECT min(id) FROM campaigns WHERE stage = 2`), id, "somebody@example.fi")
		},
	} {
		p := withMails(t)
		_, ownID := p.registered(t, aino, "the owner's word")
		p.ahead = 3 * time.Minute
		stranger, strangersID := p.registered(t, aino, "a stranger's word")
		make(p, stranger, strangersID)
		call(t.Context(), p.checked(t), "POST", "/users/password_resets/", `{"email": "`+aino+`"}`)
		p.deliver(t, aino)
		token := ""
		text := ""
		for _, m := range p.sent {
			text += m.Text
		}
		if told := strings.Contains(text, "Support was paid with this account"); told != (name == "a payment") {
			t.Errorf("%s: the mail says that one has paid: %v", name, told)
		}
		for _, found := range resetLink.FindAllStringSubmatch(text, -1) {
			hash := sha256.Sum256([]byte(found[1]))
			if p.number(t, `SELECT user_id FROM password_resets WHERE token_hash = ?`, hash[:]) == ownID {
				token = found[1]
			}
		}
		body := fmt.Sprintf(`{"email": %q, "token": %q, "new_password": "seven grey stones"}`, aino, token)
		if a := call(t.Context(), p.checked(t), "POST", "/users/password_changes/", body); a.Code != http.StatusNoContent {
			t.Errorf("%s: the owner's link: %d %s", name, a.Code, a.Body)
		}
		if got := p.verified(t); !slices.Equal(got, []int64{ownID}) {
			t.Errorf("%s: confirmed is %v, want %d", name, got, ownID)
		}
	}
}

var resetLink = regexp.MustCompile(`/password-reset/#token=(\w+)&email=`)

// The history of a campaign that goes on keeps who said they are its creator: nobody has left it, also when the account that it
// came from is erased. That one's own words about its person go, as those of anybody who is erased.
func TestMerge_KeepsTheHistoryOfACampaignThatGoesOn(t *testing.T) {
	p := withMails(t)
	first, second, link, firstID, secondID := p.two(t)
	if made := call(t.Context(), p.checked(t), "POST", "/campaigns/", "", bearer(second)...); made.Code/100 != 2 {
		t.Fatalf("a draft: %d %s", made.Code, made.Body)
	}
	c := p.number(t, `SELECT max(id) FROM campaigns`)
	p.do(t, `INSERT INTO audit_log (at, action, entity, entity_id, campaign_id, actor, actor_user_id, version, before, after)
		VALUES (now(), 'change_settings', 'campaign', CAST(CAST(@c AS bigint) AS text), @c, 'user', @u, 0, '{"legal_creator": ""}', '{"legal_creator": "Talkooväki ry"}')`,
		map[string]any{"c": c, "u": secondID})
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatal(got)
	}
	const said = `SELECT count(*) FROM audit_log WHERE campaign_id = ? AND actor_user_id = ? AND after ->> 'legal_creator' <> ''`
	if n := p.number(t, said, c, secondID); n != 1 {
		t.Error("the history of a living campaign is emptied")
	}
	changed := call(t.Context(), p.checked(t), "PATCH", fmt.Sprintf("/campaigns/%d/settings/", c), `{"legal_creator": "Aino V"}`, bearer(first)...)
	if changed.Code != http.StatusOK {
		t.Fatal(changed.Code, changed.Body)
	}
	if got := p.erase(t, second, aino, "the second word"); got != http.StatusNoContent {
		t.Fatal(got)
	}
	if n := p.number(t, said, c, firstID); n != 1 {
		t.Error("erasing the account that is left empties what the other one says in its campaign")
	}
	if n := p.number(t, said, c, secondID); n != 0 {
		t.Error("what the erased account wrote about its person is kept")
	}
}

// Bringing two accounts together is in the history of the one that stays, and what it changes is the person's own doing.
func TestMerge_IsRecordedAsThePersons(t *testing.T) {
	p := withMails(t)
	_, second, link, firstID, secondID := p.two(t)
	if made := call(t.Context(), p.checked(t), "POST", "/campaigns/", "", bearer(second)...); made.Code/100 != 2 {
		t.Fatalf("a draft: %d %s", made.Code, made.Body)
	}
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatal(got)
	}
	if n := p.number(t, `SELECT count(*) FROM audit_log WHERE action = 'change_team' AND actor_user_id = ?`, secondID); n != 1 {
		t.Errorf("%d changes of teams are theirs", n)
	}
	if n := p.number(t, `SELECT count(*) FROM audit_log WHERE action = 'merge_accounts' AND entity = 'user' AND entity_id = ? AND actor_user_id = ?
		AND before ->> 'account' = ? AND after ->> 'account' = ?`, fmt.Sprint(firstID), secondID, fmt.Sprint(secondID), fmt.Sprint(firstID)); n != 1 {
		t.Errorf("the merge is recorded %d times", n)
	}
}

// The feed of charges that go on in the other account says that it is gone; an empty one would say that nothing is charged.
func TestMerge_TurnsTheCalendarFeedOff(t *testing.T) {
	p := withMails(t)
	_, second, link, _, secondID := p.two(t)
	p.do(t, `INSERT INTO calendar_feeds (user_id) VALUES (?)`, secondID)
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatal(got)
	}
	if n := p.number(t, `SELECT count(*) FROM calendar_feeds WHERE user_id = ? AND is_on`, secondID); n != 0 {
		t.Error("the feed of the account that was merged is on")
	}
}

// What somebody has written stays theirs when the account that wrote it goes into another one and is erased.
func TestMerge_MovesPosts(t *testing.T) {
	p := withMails(t)
	_, second, link, firstID, secondID := p.two(t)
	p.do(t, `INSERT INTO posts (campaign_id, author_id, language, created_at, status, published_at)
		SELECT min(id), ?, 'fi', now(), 'published', now() FROM campaigns WHERE stage = 2`, secondID)
	if got := p.merge(t, second, link); got != http.StatusOK {
		t.Fatal(got)
	}
	if got := p.erase(t, second, aino, "the second word"); got != http.StatusNoContent {
		t.Fatal(got)
	}
	if n := p.number(t, `SELECT count(*) FROM posts WHERE author_id = ?`, firstID); n != 1 {
		t.Errorf("%d posts are theirs", n)
	}
}

// A confirmation and an erasure at once leave no erased account confirmed.
func TestConfirm_OfAnAccountThatIsErasedMeanwhile(t *testing.T) {
	p := withMails(t)
	own, id := p.registered(t, aino, "the owner's word")
	link := p.deliver(t, aino)[0]
	busy := p.db.Begin()
	if err := busy.Exec(`SELECT FROM users WHERE id = ? FOR UPDATE`, id).Error; err != nil {
		t.Fatal(err)
	}
	ended := make(chan int, 2)
	confirmed := make(chan int, 1)
	go func() { confirmed <- p.confirm(t, own, link) }()
	p.waits(t, 1, ended)
	err := busy.Exec(`UPDATE users SET email = 'erased-' || id, password_hash = '', first_name = 'Former', last_name = 'member', phone = '',
		scope = '{view}', wants_letters = false, blocked_at = now(), erased_at = now() WHERE id = ?`, id).Error // as people.Erase
	if err != nil {
		t.Fatal(err)
	}
	busy.Commit()
	got := <-confirmed
	if got >= 500 {
		t.Error(got)
	}
	if n := p.number(t, `SELECT count(*) FROM users WHERE id = ? AND verified AND erased_at IS NOT NULL`, id); n != 0 {
		t.Errorf("%d: an erased account is confirmed", got)
	}
}
