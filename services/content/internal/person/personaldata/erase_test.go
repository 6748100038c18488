//go:build unix

package personaldata_test

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/discovery/likes"
	"talkoot.fi/content/internal/discovery/recommend"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/mail/mails"
	"talkoot.fi/content/internal/media/pictures"
	"talkoot.fi/content/internal/person/personaldata"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/pledging/pledges"
	"talkoot.fi/content/internal/writing/changes"
)

func (w *world) mustErase() {
	w.t.Helper()
	if err := w.EraseProven(w.t.Context(), w.aamu); err != nil {
		w.t.Fatal(err)
	}
}

func TestErase_NothingNamesThePersonButTheirReceipts(t *testing.T) {
	w := withAamu(t)
	for _, table := range []string{"users", "sessions", "passkeys", "pledges", "subscriptions", "audit_log", "campaigns", "campaign_texts", "campaign_previews",
		"experiment_listings", "team_invitations", "email_verifications", "password_resets", "outbox", "payout_accounts"} {
		if w.named(marks...)[table] == "" {
			t.Errorf("the fixture has nothing of Aamu's in %s", table)
		}
	}
	for _, table := range []string{"calendar_feeds", "subscription_links"} {
		if w.number(`SELECT count(*) FROM `+table) != 1 {
			t.Errorf("the fixture has nothing of Aamu's in %s", table)
		}
	}
	w.mustErase()
	hash := sha256.Sum256([]byte(address))
	got := w.named(append(marks, hex.EncodeToString(hash[:]))...)
	delete(got, "outbox") // the message that deletes the picture has its name
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"kept_receipts", "kept_subscription_receipts"}) {
		t.Errorf("Aamu is still in %v", got)
	}
	for what, query := range map[string]string{
		"sessions": `SELECT count(*) FROM sessions WHERE user_id = ?`, "tags": `SELECT count(*) FROM user_tags WHERE user_id = ?`,
		"second steps": `SELECT count(*) FROM passkeys NATURAL FULL JOIN backup_codes WHERE user_id = ?`,
		"pledges":      `SELECT count(*) FROM pledges WHERE user_id = ?`,
		"mails":        `SELECT count(*) FROM outbox WHERE kind LIKE 'mail.%' AND CAST(payload ->> 'user_id' AS bigint) = ?`,
		"counts":       `SELECT count(*) FROM upload_totals NATURAL FULL JOIN history_totals WHERE user_id = ?`,
		"memberships":  `SELECT count(*) FROM campaign_team c JOIN campaigns USING (id) WHERE user_id = ?`,
		"invitations":  `SELECT count(*) FROM team_invitations WHERE ended_at IS NULL AND invited_by = ?`,
		"feeds":        `SELECT count(*) FROM calendar_feeds WHERE user_id = ?`,
		"links":        `SELECT count(*) FROM subscription_links WHERE 0 <> ?`,
	} {
		if what == "memberships" {
			query = `SELECT count(*) FROM campaign_team WHERE campaign_id NOT IN (` + jsonOf(w.over) + `, ` + jsonOf(w.shared) + `) AND user_id = ?`
		}
		if n := w.number(query, w.aamu); n != 0 {
			t.Errorf("%d %s are left", n, what)
		}
	}
}

func jsonOf(v any) string {
	text, _ := json.Marshal(v)
	return string(text)
}

func TestErase_AmountsDaysAndReceiptNumbersStayAndTotalsToo(t *testing.T) {
	w := withAamu(t)
	const kept = `SELECT jsonb_agg(jsonb_build_array(receipt_number, amount_minor, paid_at, status, payment_method, lines, vat_minor, backer_number)
		ORDER BY receipt_number) FROM pledges WHERE receipt_number IS NOT NULL`
	var before, after string
	w.DB.Raw(kept).Scan(&before)
	w.mustErase()
	w.DB.Raw(kept).Scan(&after)
	if before != after || before == "" {
		t.Errorf("receipts were %s and are %s", before, after)
	}
	drifts, err := campaigns.Recompute(t.Context(), w.DB)
	stale, staleErr := campaigns.RecomputePreviews(t.Context(), w.DB)
	if errors.Join(err, staleErr) != nil || len(drifts)+len(stale) > 0 {
		t.Error(drifts, stale, err, staleErr)
	}
	if n := w.number(`SELECT stock_reserved FROM rewards WHERE id = ?`, w.reward); n != 2 {
		t.Errorf("%d pieces are reserved, want those of the two paid pledges", n)
	}
	receipt, err := pledges.ReadKeptReceipt(t.Context(), w.DB, w.receipt)
	if err != nil || receipt.FirstName+" "+receipt.LastName != "Aamunkoitto Tuulenpesä" || receipt.Address != "Kaarnakuja 7, 33100 Tampere, FI" ||
		receipt.KeepUntil.Format(time.DateOnly) != "2032-12-31" {
		t.Errorf("%+v, %v", receipt, err)
	}
	// Two pledges, one of them made with her address without signing in: one person, before and afterwards.
	var backers struct {
		Total    int
		Previews []struct {
			Name      string
			Anonymous bool
		}
	}
	w.Get("/campaigns/"+jsonOf(w.open)+"/backers/", 0).JSON(&backers)
	if backers.Total != 1 || len(backers.Previews) != 1 || !backers.Previews[0].Anonymous || backers.Previews[0].Name != "" {
		t.Errorf("%+v", backers)
	}
}

// Who is who changes when accounts are merged, and the counts with it.
func TestMerge_CountsThePersonOnce(t *testing.T) {
	w := newWorld(t)
	category, creator := w.Category("kyla"), w.Person("Reijo")
	campaign := func(slug string, stage campaigns.Stage) int64 {
		return w.Campaign(campaigns.New{Slug: slug, Language: "fi", CategoryID: category, TeamUserIDs: []int64{creator}, TargetGoalMinor: 24_000_00,
			FirstDay: "2026-11-01", LastDay: "2026-11-30", Texts: map[string]campaigns.Text{"fi": {Title: slug}}}, stage)
	}
	w.open = campaign("hoyry", campaigns.StageFunding)
	monthly := campaign("kuoro", campaigns.StageRecurring)
	w.Tx(func(ctx context.Context, tx *gorm.DB) (err error) {
		w.reward, err = rewards.Create(ctx, tx, rewards.New{CampaignID: w.open, AmountMinor: 45_00, Stock: 100, Active: true,
			Texts: map[string]rewards.Text{"fi": {Title: "Iltavuoro", Questions: rewards.QuestionTexts{"ask_for_address", "Nimi kauhaan?"}}}}, w.Now())
		return err
	})
	one, other := w.Person("Aamu"), w.Person("Ilta")
	for _, account := range []int64{one, other} {
		w.pay(w.pledge(account, address))
		w.Exec(`INSERT INTO subscriptions (id, campaign_id, user_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, begun_on,
			created_at, updated_at) VALUES (?, ?, ?, 'active', 700, 'EUR', ?, 'A', 'T', 'fi', now(), now(), now(), now())`,
			fmt.Sprintf("%026d", account), monthly, account, address)
	}
	w.Exec(`UPDATE campaign_totals SET subscriptions = 2, subscriptions_amount_minor = 1400 WHERE campaign_id = ?`, monthly)
	counted := func(want string) {
		t.Helper()
		got := fmt.Sprint(w.number(`SELECT backers FROM campaign_totals WHERE campaign_id = ?`, w.open), w.number(`SELECT backers FROM rewards WHERE id = ?`, w.reward),
			w.number(`SELECT subscriptions FROM campaign_totals WHERE campaign_id = ?`, monthly))
		if got != want {
			t.Errorf("backers, of the reward, supporters: %s, want %s", got, want)
		}
	}
	counted("2 2 2")
	w.into(one, other)
	counted("1 1 1")
	drifts, err := campaigns.Recompute(t.Context(), w.DB)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error { return campaigns.RefreshPreviews(ctx, tx, monthly) }) // the support was planted
	stale, staleErr := campaigns.RecomputePreviews(t.Context(), w.DB)
	if errors.Join(err, staleErr) != nil || len(drifts)+len(stale) > 0 {
		t.Error(drifts, stale, err, staleErr)
	}
}

func TestErase_UnpaidPledgesAreReleasedAndTheirPaymentsClosed(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM pledges WHERE receipt_number IS NULL AND status = 'expired' AND released_at IS NOT NULL`); n != 1 {
		t.Errorf("%d pledges are released", n)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'payment.close' AND payload ->> 'subject_kind' = 'pledge'`); n != 1 {
		var kinds []string
		w.DB.Raw(`SELECT kind FROM outbox`).Scan(&kinds)
		t.Errorf("%d payments are closed; %v", n, kinds)
	}
}

func TestErase_ThePaymentServiceIsToldToForgetThePerson(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'payer.erase' AND payload = jsonb_build_object('user_id', CAST(? AS bigint))`, w.aamu); n != 1 {
		t.Errorf("the payment service is told %d times", n)
	}
}

func TestErase_MonthlySupportEndsAndItsReceiptStays(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM subscriptions s JOIN subscription_charges c ON c.subscription_id = s.id
		WHERE s.status = 'canceled' AND s.ended_because = 'person_erased' AND c.receipt_number LIKE 'TM-%' AND c.amount_minor = 700`); n != 1 {
		t.Errorf("%d charges are kept of support that has ended", n)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'payment.close' AND payload ->> 'reason' = 'person_erased'`); n != 1 {
		t.Errorf("the payment service is told %d times", n)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE jsonb_exists(payload, 'subscription_id')`); n != 0 {
		t.Errorf("%d mails about it are left", n)
	}
	if n := w.number(`SELECT count(*) FROM kept_subscription_receipts WHERE first_name = 'Aamunkoitto' AND keep_until = '2032-12-31'`); n != 1 {
		t.Errorf("%d names are kept for its receipt", n)
	}
}

func TestErase_OthersGoOnInTheirTeamsAndSeeAFormerMember(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	for what, want := range map[string]int64{
		`SELECT count(*) FROM campaigns WHERE id = ` + jsonOf(w.draft):                                                             0,
		`SELECT user_id FROM campaign_team WHERE position = 0 AND campaign_id = ` + jsonOf(w.shared):                               w.aamu,
		`SELECT user_id FROM campaign_team WHERE position = 0 AND campaign_id = ` + jsonOf(w.over):                                 w.aamu,
		`SELECT user_id FROM experiment_team WHERE position = 0 AND experiment_id = ` + jsonOf(w.laboratory):                       w.aamu,
		`SELECT count(*) FROM audit_log WHERE campaign_id = ` + jsonOf(w.draft) + ` AND action = 'delete' AND entity = 'campaign'`: 1,
	} {
		if got := w.number(what); got != want {
			t.Errorf("%s: %d, want %d", what, got, want)
		}
	}
	for language, want := range map[string]string{"fi": "Entinen jäsen", "en": "Former member", "sv": "Tidigare medlem"} {
		var creator, owner string
		w.DB.Raw(`SELECT preview -> 'creator' ->> 'name' FROM campaign_previews WHERE campaign_id = ? AND language = ?`, w.over, language).Scan(&creator)
		var page struct {
			Experiment struct {
				OwnerName string `json:"owner_name"`
			}
		}
		w.Get("/experiments/"+jsonOf(w.experiment)+"/"+language+"/", 0).JSON(&page)
		owner = page.Experiment.OwnerName
		var post struct{ Post struct{ Author string } }
		w.Get("/campaigns/"+jsonOf(w.shared)+"/posts/"+jsonOf(w.post)+"/?language="+language, w.other).JSON(&post)
		if creator != want || owner != want || post.Post.Author != want {
			t.Errorf("%s: creator %q, owner %q, author %q", language, creator, owner, post.Post.Author)
		}
	}
	if got := w.Get("/users/"+jsonOf(w.aamu)+"/profile", 0); got.Status != 404 {
		t.Error("the public page is still there:", got.Status)
	}
}

func TestErase_TheWorkerTakesLikesBackAndDeletesThePictures(t *testing.T) {
	w := withAamu(t)
	w.Exec(`INSERT INTO audit_log (at, actor, action, entity, entity_id, version, before, after)
		VALUES (now(), 'user', 'change_image', 'user', ?, 2, '{"image_collection": "aamu-eilinen.jpg"}', '{"image_collection": "aamu-kuva.jpg"}')`, fmt.Sprint(w.aamu))
	w.Exec(`UPDATE users SET image = 'aamu-kuva.jpg' WHERE id = ?`, w.other) // the same picture: it stays
	w.mustErase()
	removed := []string{}
	handlers := map[string]outbox.Handler{
		likes.KindWithdraw:  likes.Withdrawer(w.DB, campaigns.Likes(), experiments.Likes()),
		pictures.KindRemove: pictures.Remover(w.DB, func(_ context.Context, name string) error { removed = append(removed, name); return nil }),
	}
	var messages []outbox.Message
	if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind IN ? ORDER BY id`, slices.Collect(maps.Keys(handlers))).Scan(&messages).Error; err != nil {
		t.Fatal(err)
	}
	for range 2 { // a repeat changes nothing
		for _, m := range messages {
			if err := handlers[m.Kind](t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
	}
	if n := w.number(`SELECT sum(likes) FROM campaign_totals`) + w.number(`SELECT sum(like_count) FROM experiments`); n != 0 {
		t.Errorf("%d likes are counted", n)
	}
	slices.Sort(removed)
	if got := slices.Compact(removed); !slices.Equal(got, []string{"aamu-eilinen.jpg", "aamu-kuva2.jpg"}) {
		t.Errorf("removed %v", got)
	}
	if _, err := recommend.Recount(t.Context(), w.DB); err != nil || w.number(`SELECT count(*) FROM recommendation_interests WHERE user_id = ?`, w.aamu) != 0 {
		t.Error("suggestions are still made from Aamu's", err)
	}
}

func TestErase_WhatIsOpenStandsInTheWayAndNothingIsChanged(t *testing.T) {
	for name, c := range map[string]struct {
		open func(w *world)
		want personaldata.Reason
	}{
		"a campaign that collects": {func(w *world) { w.Exec(`UPDATE campaign_team SET user_id = ? WHERE campaign_id = ?`, w.aamu, w.open) }, personaldata.OfCampaign},
		"money that has reached nobody": {func(w *world) {
			w.Exec(`UPDATE campaign_totals SET funding_reached_minor = 1 WHERE campaign_id = ?`, w.over)
		},
			personaldata.OfCampaign},
		"a payment that a bank confirms": {func(w *world) { w.apply(w.pledge(w.aamu, address), pledges.PaymentProcessing) }, personaldata.OfPayment},
		"a disputed payment": {func(w *world) {
			p := w.pledge(w.aamu, address)
			w.pay(p)
			w.apply(p, pledges.PaymentDisputed)
		}, personaldata.OfPayment},
		"rights of staff": {func(w *world) { w.Exec(`UPDATE users SET scope = '{view,edit}' WHERE id = ?`, w.aamu) }, personaldata.OfStaff},
	} {
		t.Run(name, func(t *testing.T) {
			w := withAamu(t)
			c.open(w)
			look, err := w.Look(t.Context(), w.aamu, "en")
			if err != nil || len(look.Blockers) != 1 || look.Blockers[0].Reason != c.want || look.Blockers[0].Title == "" && c.want != personaldata.OfStaff {
				t.Errorf("%+v, %v", look.Blockers, err)
			}
			before := w.rows()
			if err := w.EraseProven(t.Context(), w.aamu); !errors.Is(err, personaldata.ErrBlocked) {
				t.Errorf("%v", err)
			}
			if !reflect.DeepEqual(before, w.rows()) {
				t.Error("something has changed")
			}
		})
	}
}

// A bank that keeps the money by its decision needs its payer no more, of a pledge and of a month alike. That is asked for: no event says it.
func TestErase_ALostDisputeKeepsNobodyAndOneThatIsOpenDoes(t *testing.T) {
	w := withAamu(t)
	given := w.pledge(w.aamu, address)
	w.pay(given)
	w.apply(given, pledges.PaymentDisputed)
	var month string
	if err := w.DB.Raw(`UPDATE subscription_charges SET is_disputed = true WHERE period = 1 RETURNING payment_id`).Scan(&month).Error; err != nil || month == "" {
		t.Fatal(month, err)
	}
	pledge := "pay-" + given.ID
	for _, decided := range [][]string{nil, {pledge}, {month}} {
		w.decided = decided
		look, err := w.Look(t.Context(), w.aamu, "en")
		if err != nil || len(look.Blockers) != 2-len(decided) || look.Blockers[0].Reason != personaldata.OfPayment {
			t.Errorf("with %q decided: %+v, %v", decided, look.Blockers, err)
		}
		if err := w.EraseProven(t.Context(), w.aamu); !errors.Is(err, personaldata.ErrBlocked) {
			t.Errorf("with %q decided: %v", decided, err)
		}
	}
	w.isAway = true
	if err := w.EraseProven(t.Context(), w.aamu); !errors.Is(err, apperr.New(apperr.Unavailable)) {
		t.Errorf("while nobody can be asked: %v", err)
	}
	w.decided, w.isAway = []string{pledge, month}, false
	if look, err := w.Look(t.Context(), w.aamu, "en"); err != nil || len(look.Blockers) != 0 {
		t.Errorf("with both decided: %+v, %v", look.Blockers, err)
	}
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM pledges WHERE id = ? AND status = 'disputed' AND email = ''`, given.ID); n != 1 {
		t.Error("the pledge is not as its bank has left it, without a name")
	}
	w.apply(given, pledges.PaymentReinstated) // on appeal, of nobody
}

func TestErase_IsWholeOrNothingWhereverItBreaks(t *testing.T) {
	w := withAamu(t)
	before := w.rows()
	fault := errors.New("the machine stops")
	for broken := 1; ; broken++ {
		statements := 0
		stop := func(db *gorm.DB) {
			if statements++; statements == broken {
				_ = db.AddError(fault)
			}
		}
		db := w.DB.Session(&gorm.Session{NewDB: true})
		callbacks := db.Callback()
		for _, register := range []error{callbacks.Raw().Before("gorm:raw").Replace("test:stop", stop), callbacks.Row().Before("gorm:row").Replace("test:stop", stop),
			callbacks.Query().Before("gorm:query").Replace("test:stop", stop), callbacks.Create().Before("gorm:create").Replace("test:stop", stop),
			callbacks.Update().Before("gorm:update").Replace("test:stop", stop), callbacks.Delete().Before("gorm:delete").Replace("test:stop", stop)} {
			if register != nil {
				t.Fatal(register)
			}
		}
		err := w.EraseProven(t.Context(), w.aamu)
		broken, done := broken, statements
		statements = -1 << 30 // what follows goes through
		if err == nil {
			if done < 40 {
				t.Errorf("only %d statements were tried", done)
			}
			return
		}
		if !errors.Is(err, fault) {
			t.Fatalf("statement %d: %v", broken, err)
		}
		if !reflect.DeepEqual(before, w.rows()) {
			t.Fatalf("broken off at statement %d something has changed", broken)
		}
	}
}

// Pledging locks the campaign, then its reward; in another order the two would wait for each other.
func TestErase_LocksCampaignsBeforeTheRewardsThatItGivesBack(t *testing.T) {
	w := withAamu(t)
	w.joined()
	pledging := w.DB.Begin()
	if err := pledging.Exec(`SELECT FROM campaigns WHERE id = ? FOR KEY SHARE`, w.open).Error; err != nil {
		t.Fatal(err)
	}
	erased := make(chan error)
	go func() { erased <- w.EraseProven(t.Context(), w.aamu) }()
	w.waiting(1)
	if err := pledging.Exec(`SELECT FROM rewards WHERE id = ? FOR UPDATE NOWAIT`, w.reward).Error; err != nil {
		t.Error(err)
	}
	if err := errors.Join(pledging.Rollback().Error, <-erased); err != nil {
		t.Error(err)
	}
}

func TestErase_OfTwoAtOnceOneErases(t *testing.T) {
	w := withAamu(t)
	var wait sync.WaitGroup
	faults := make([]error, 4)
	for i := range faults {
		wait.Go(func() { faults[i] = w.EraseProven(t.Context(), w.aamu) })
	}
	wait.Wait()
	done := 0
	for _, err := range faults {
		switch {
		case err == nil:
			done++
		case !errors.Is(err, sessions.ErrEnded):
			t.Error(err)
		}
	}
	if done != 1 || w.number(`SELECT count(*) FROM audit_log WHERE action = 'erase'`) != 1 {
		t.Errorf("%d erased", done)
	}
}

func TestErase_TheAddressBeginsAnewAndSeesNothingOfBefore(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	again := w.register(address)
	w.Exec(`UPDATE users SET verified = true WHERE id = ?`, again)
	page, err := w.support.ListOwn(t.Context(), again, "fi", "", 50, 0)
	if err != nil || again == w.aamu || len(page.List)+len(page.Sums) != 0 {
		t.Errorf("%d sees %+v, %v", again, page, err)
	}
	if _, err := w.accounts.SignIn(t.Context(), address, "seitsemän harmaata kiveä", sessions.Origin{}); err != nil {
		t.Error(err)
	}
}

// The account is gone when the mail is sent, and nothing of the person is in the outbox afterwards.
func TestErase_TheyAreToldThatItIsDone(t *testing.T) {
	w := withAamu(t)
	o, err := w.Look(t.Context(), w.aamu, "fi")
	if err != nil || len(o.Monthly) != 1 || o.Monthly[0].Supports != 1 || o.Monthly[0].AmountMinor != 7_00 {
		t.Errorf("%+v, %v", o.Monthly, err)
	}
	w.mustErase()
	told, refused := []mails.Mail{}, errors.New("the mail server is away")
	sender, err := mails.NewSender(mails.Options{DB: w.DB, PublicURL: "https://talkoot.test", Zone: w.Zone, Links: w.Links, Now: w.Now,
		Send: func(_ context.Context, m mails.Mail) error {
			told = append(told, m)
			if len(told) == 1 {
				return refused
			}
			return nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	deliver := func() error {
		t.Helper()
		var m outbox.Message
		if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind = 'mail.account_erased'`).Scan(&m).Error; err != nil || m.ID == 0 {
			t.Fatal("nothing to send", err)
		}
		return sender.Handlers()[m.Kind](t.Context(), m)
	}
	if err := deliver(); !errors.Is(err, refused) {
		t.Error(err)
	}
	if err := errors.Join(deliver(), deliver()); err != nil { // the last one has been sent before
		t.Error(err)
	}
	if len(told) != 2 || told[1].To != address || told[1].Subject != "Tilisi on poistettu" || !strings.Contains(told[1].Text, "yksi tuki, 7,00") {
		t.Errorf("%+v", told)
	}
	if row := w.named("aamunkoi", "tuulenpes")["outbox"]; row != "" {
		t.Error(row)
	}
}

func TestErase_AnAddressThatIsSomebodyElsesIsNotTold(t *testing.T) {
	w := newWorld(t)
	w.aamu = w.register(address)
	w.Exec(`UPDATE users SET verified = true WHERE id = ?`, w.register(address))
	w.mustErase()
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'mail.account_erased'`); n != 0 {
		t.Errorf("%d mails", n)
	}
}

func TestErase_NobodyIsMailedAfterwards(t *testing.T) {
	w := withAamu(t)
	var id string
	w.DB.Raw(`SELECT id FROM pledges WHERE receipt_number = ?`, w.receipt).Scan(&id)
	w.mustErase()
	view, err := w.support.View(t.Context(), id, "fi")
	if err != nil {
		t.Fatal(err)
	}
	w.Advance(400 * 24 * time.Hour)
	w.apply(view, pledges.PaymentRefunded)
	receipt, err := pledges.ReadKeptReceipt(t.Context(), w.DB, w.receipt)
	if err != nil || receipt.KeepUntil.Format(time.DateOnly) != "2033-12-31" {
		t.Errorf("after a refund in the next year: %+v, %v", receipt, err)
	}
}

func TestPruneReceipts_DeletesNamesAfterTheLastDayInHelsinki(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	for _, c := range []struct {
		at   string
		want int64
	}{{"2032-12-31T21:59:59Z", 2}, {"2032-12-31T22:00:00Z", 0}} {
		at, err := time.Parse(time.RFC3339, c.at)
		if err != nil {
			t.Fatal(err)
		}
		w.Advance(at.Sub(w.Now()))
		if err := w.support.PruneReceipts(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := w.number(`SELECT count(*) FROM kept_receipts`); n != c.want {
			t.Errorf("%s: %d names are kept, want %d", c.at, n, c.want)
		}
	}
	if _, err := pledges.ReadKeptReceipt(t.Context(), w.DB, w.receipt); !errors.Is(err, apperr.New(apperr.NotFound)) {
		t.Error(err)
	}
}

func TestTidy_ErasesAPledgeThatWasUnderWay(t *testing.T) {
	w := withAamu(t)
	w.mustErase()
	late, waits := w.pledge(w.aamu, address), w.pledge(w.aamu, address)
	w.apply(waits, pledges.PaymentProcessing)
	tidy := func() {
		if err := personaldata.Tidy(t.Context(), w.DB, w.support, w.Subscriptions, w.payments); err != nil {
			t.Fatal(err)
		}
	}
	tidy()
	if n := w.number(`SELECT count(*) FROM pledges WHERE user_id = ?`, w.aamu); n != 2 {
		t.Errorf("%d pledges, want both until the bank has decided", n)
	}
	w.apply(waits, pledges.PaymentFailed)
	tidy()
	if n := w.number(`SELECT count(*) FROM pledges WHERE user_id = ? OR email <> '' AND id IN ?`, w.aamu, []string{late.ID, waits.ID}); n != 0 {
		t.Errorf("%d pledges name the person", n)
	}
	if n := w.number(`SELECT count(*) FROM outbox WHERE kind = 'payer.erase' AND payload ->> 'user_id' = ?`, strconv.FormatInt(w.aamu, 10)); n != 2 {
		t.Errorf("the payment service is told %d times, want again of what had begun meanwhile", n)
	}
}

func TestRedactPerson_KeepsWhatWasDoneAndWhen(t *testing.T) {
	w := withAamu(t)
	const rows = `SELECT count(*) FROM audit_log WHERE entity = 'user' AND entity_id = ?`
	before := w.number(rows, jsonOf(w.aamu))
	w.mustErase()
	if got := w.number(rows, jsonOf(w.aamu)); got != before+1 {
		t.Errorf("%d rows, want %d and the erasure", got, before)
	}
	var change string
	w.DB.Raw(`SELECT CAST(after AS text) FROM audit_log WHERE entity = 'user' AND action = 'change_profile'`).Scan(&change)
	if change != `{"first_name": null, "meta.phone": null}` {
		t.Error(change)
	}
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return changes.RedactPerson(ctx, tx, changes.Person{ID: w.aamu})
	})
}
