//go:build unix

package personaldata_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/team"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/writing/changes"
)

// patch changes a campaign; the call has to succeed.
func (w *world) patch(campaign int64, call, body string, as int64) {
	w.t.Helper()
	if answer := w.Patch(fmt.Sprintf("/campaigns/%d/%s/", campaign, call), body, as); answer.Status != 200 {
		w.t.Fatal(call, answer.Status, string(answer.Body))
	}
}

func TestRedactPerson_EmptiesWhoACreatorIsWhoeverWroteIt(t *testing.T) {
	for name, write := range map[string]func(w *world, staff int64){
		"a text by the person": func(w *world, _ int64) {
			w.patch(w.shared, "language", `{"fi": {"about_creator": "Lumikkojen rannalta"}}`, w.aamu)
		},
		"a text by a colleague": func(w *world, _ int64) {
			w.patch(w.shared, "language", `{"sv": {"about_creator": "Lumikkojen by"}}`, w.other)
		},
		"a text by staff": func(w *world, staff int64) {
			w.patch(w.over, "language", `{"en": {"title": "Over", "about_creator": "Lumikkojen"}}`, staff)
		},
		"a link by a colleague": func(w *world, _ int64) {
			w.patch(w.shared, "meta", `{"external_link_1": "https://tuulenpesa.example/me"}`, w.other)
		},
		"the legal creator by staff": func(w *world, staff int64) {
			w.patchedBeforeOpening(w.over, "settings", `{"legal_creator": "Aamunkoitto Tuulenpesä Oy"}`, staff)
		},
		"the address by a colleague": func(w *world, _ int64) {
			w.patch(w.shared, "settings", `{"contact_email": "toinen@tuulenpesa.example"}`, w.other)
		},
		"the account for payouts":     func(w *world, _ int64) { w.payout(w.over) },
		"as a member, by the creator": func(w *world, _ int64) { w.patch(w.joined(), "settings", `{"contact_email": "`+address+`"}`, w.other) },
		"as a member, the name by staff": func(w *world, staff int64) {
			w.patchedBeforeOpening(w.joined(), "settings", `{"legal_creator": "Tuulenpesä Aamunkoitto-Ilona"}`, staff)
		},
		"as a member, by themself": func(w *world, _ int64) {
			w.patch(w.joined(), "meta", `{"external_link_1": "https://tuulenpesa.example/me"}`, w.aamu)
		},
		"as the creator of before": func(w *world, _ int64) {
			w.patch(w.shared, "meta", `{"external_link_1": "https://tuulenpesa.example/me"}`, w.other)
			w.Exec(`UPDATE campaign_team SET position = position + 10 WHERE campaign_id = ?`, w.shared)
			w.Exec(`UPDATE campaign_team SET position = CASE user_id WHEN ? THEN 0 ELSE 1 END WHERE campaign_id = ?`, w.other, w.shared)
			w.Exec(`INSERT INTO audit_log (at, actor, action, entity, entity_id, version, before, after, campaign_id)
				SELECT now(), 'user', 'change_team', 'campaign', id, 9, jsonb_build_object('team', jsonb_build_array(CAST(? AS bigint), CAST(? AS bigint))), '{"team": []}', id FROM campaigns WHERE id = ?`,
				w.aamu, w.other, w.shared)
			w.patch(w.shared, "meta", `{"external_link_1": "https://reijo.example"}`, w.other)
		},
		"an invitation": func(w *world, _ int64) {
			w.Tx(func(ctx context.Context, tx *gorm.DB) error {
				return team.Invite(ctx, tx, campaigns.Edit{CampaignID: w.open, By: changes.User(w.other), Now: w.Now()}, w.other, []string{address})
			})
		},
		"a reason of staff": func(w *world, staff int64) {
			w.Tx(func(ctx context.Context, tx *gorm.DB) error {
				return changes.Record(ctx, tx, "close", "campaign", w.over, changes.User(staff), nil, map[string]any{"reason": "Pyytäjä: Aamunkoitto-Ilona Tuulenpesä"}, w.Now())
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			w := withAamu(t)
			w.Exec(`UPDATE audit_log SET before = '{}', after = '{}'`)
			write(w, w.Person("Ylläpitäjä", "view", "edit"))
			if w.named(marks...)["audit_log"] == "" {
				t.Fatal("the log has nothing of Aamu's")
			}
			w.mustErase()
			if left := w.named(marks...)["audit_log"]; left != "" {
				t.Errorf("the log still has %s", left)
			}
		})
	}
}

// payout says where a campaign's money goes, as its creator does.
func (w *world) payout(campaign int64) {
	w.t.Helper()
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.ChangePaymentAccount(ctx, tx, campaigns.Edit{CampaignID: campaign, By: changes.User(w.aamu), Now: w.Now()}, w.aamu,
			campaigns.PaymentAccount{AccountID: "acct_tuulenpesa_2"})
	})
}

// joined is a campaign of somebody else, whose team Aamu is in.
func (w *world) joined() int64 {
	w.t.Helper()
	w.Exec(`INSERT INTO campaign_team VALUES (?, ?, 1)`, w.open, w.aamu)
	return w.open
}

// withoutHistory is withAamu, of whose campaigns nothing is told yet but who has begun them.
func withoutHistory(t *testing.T) *world {
	w := withAamu(t)
	w.Exec(`UPDATE audit_log SET before = '{}', after = '{}' WHERE action <> 'create_campaign'`)
	return w
}

// into merges accounts, one into the next.
func (w *world) into(accounts ...int64) {
	w.t.Helper()
	for i, to := range accounts[1:] {
		w.Advance(time.Hour)
		w.Tx(func(ctx context.Context, tx *gorm.DB) error {
			return w.Merge(ctx, tx, accounts[i], to, accounts[i])
		})
	}
}

// history is all that the log of campaigns says.
func (w *world) history() (said string) {
	w.t.Helper()
	w.DB.Raw(`SELECT coalesce(string_agg(before::text || after::text, ' ' ORDER BY id), '') FROM audit_log WHERE entity = 'campaign'`).Scan(&said)
	return said
}

// patchedBeforeOpening changes what is fixed from the opening on: history has it from before.
func (w *world) patchedBeforeOpening(campaign int64, path, body string, by int64) {
	w.t.Helper()
	stage := w.number(`SELECT stage FROM campaigns WHERE id = ?`, campaign)
	w.Exec(`UPDATE campaigns SET stage = 0 WHERE id = ?`, campaign)
	w.patch(campaign, path, body, by)
	w.Exec(`UPDATE campaigns SET stage = ? WHERE id = ?`, stage, campaign)
}

func TestErase_OfAMergedAccount_TakesItsAddressOutOfWhatOthersWrote(t *testing.T) {
	w := withoutHistory(t)
	w.patch(w.joined(), "settings", `{"contact_email": "`+address+`"}`, w.other)
	staff := w.Person("Yllapitaja", "view", "edit")
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return changes.Record(ctx, tx, "close", "campaign", w.over, changes.User(staff), nil, map[string]any{"reason": "Pyytäjä " + address}, w.Now())
	})
	other := w.register("toinen@tuulenpesa.example")
	w.patchedBeforeOpening(w.open, "settings", `{"legal_creator": "Aamunkoitto Tuulenpesä"}`, w.other) // both have this name
	w.into(w.aamu, other)
	w.mustErase()
	if said := w.history(); strings.Contains(said, address) || !strings.Contains(said, "Aamunkoitto Tuulenpesä") {
		t.Error(said)
	}
}

func TestErase_OfMergedAccounts_KeepsWhatTheLastOneSays(t *testing.T) {
	w := withoutHistory(t)
	middle, last := w.register("keski@tuulenpesa.example"), w.register("viimeinen@tuulenpesa.example")
	first := w.aamu
	w.into(first, middle, last)
	w.patchedBeforeOpening(w.shared, "settings", `{"legal_creator": "Uusi Yritys Oy"}`, last)
	for _, w.aamu = range []int64{middle, first} {
		w.mustErase()
		if said := w.history(); !strings.Contains(said, "Uusi Yritys Oy") {
			t.Error(said)
		}
	}
	w.aamu = last
	w.mustErase()
	if said := w.history(); strings.Contains(said, "Uusi Yritys Oy") {
		t.Error(said)
	}
}

func TestRedactPerson_LeavesWhoOthersAre(t *testing.T) {
	w := withAamu(t)
	w.joined()
	w.patchedBeforeOpening(w.open, "settings", `{"contact_email": "reijo@example.fi", "legal_creator": "Reijo Testinen"}`, w.other)
	w.patch(w.shared, "settings", `{"place": "Nokia"}`, w.other)
	before := w.number(`SELECT count(*) FROM audit_log`)
	w.mustErase()
	var after []string
	w.DB.Raw(`SELECT CAST(after AS text) FROM audit_log WHERE actor_user_id = ? ORDER BY id`, w.other).Scan(&after)
	if fmt.Sprint(after) != `[{"contact_email": "reijo@example.fi", "legal_creator": "Reijo Testinen"} {"place": "Nokia"}]` {
		t.Error(after)
	}
	if n := w.number(`SELECT count(*) FROM audit_log`); n < before {
		t.Errorf("%d of %d rows are left", n, before)
	}
}

// A request that passed its checks before the account was erased ends without a change.
func TestErase_ARequestThatWasUnderWayChangesNothing(t *testing.T) {
	w := withAamu(t)
	w.patch(w.over, "language", `{"fi": {"about_creator": "Lumikkojen"}}`, w.aamu)
	w.mustErase()
	before := w.rows()
	late := campaigns.Edit{CampaignID: w.over, By: changes.User(w.aamu), Now: w.Now()}
	link, about := "https://tuulenpesa.example", "Lumikkojen kylästä"
	for name, write := range map[string]func() error{
		"a link": func() error {
			_, err := campaigns.ChangeMeta(t.Context(), w.DB, late, campaigns.MetaChange{ExternalLink: &link})
			return err
		},
		"a text that goes on": func() error {
			_, _, err := campaigns.ChangeTexts(t.Context(), w.DB, late, map[string]campaigns.TextsChange{"fi": {AboutCreator: &about}})
			return err
		},
		"joining a team": func() error {
			edit := campaigns.Edit{CampaignID: w.open, By: late.By, Now: w.Now()}
			return w.DB.Transaction(func(tx *gorm.DB) error { return campaigns.Join(t.Context(), tx, edit, w.aamu) })
		},
		"an experiment": func() error {
			_, err := experiments.Begin(t.Context(), w.DB, experiments.Draft{UserID: w.aamu, Language: "fi", Text: experiments.Text{Title: "Koe"}}, w.Now())
			return err
		},
	} {
		if err := write(); !errors.Is(err, apperr.New(apperr.NotAuthenticated)) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if after := w.rows(); fmt.Sprint(after) != fmt.Sprint(before) {
		t.Error("something has changed")
	}
}
