package editing_test

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/contenttest"
	"talkoot.fi/content/internal/person/sessions"
)

// opens moves the campaign to a stage.
func (e *editing) opens(to campaigns.Stage) {
	e.Tx(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, e.id, to, campaigns.Scheduler(), e.Now())
	})
}

func (e *editing) texts(query string, args ...any) (list []string) {
	e.t.Helper()
	if err := e.DB.Raw(query, args...).Scan(&list).Error; err != nil {
		e.t.Fatal(err)
	}
	return list
}

func (e *editing) put(path, body string, as int64) contenttest.Answer {
	return e.Send(http.MethodPut, path, strings.NewReader(body), as)
}

func (e *editing) lift(path string, as int64) contenttest.Answer {
	return e.Call(http.MethodDelete, path, as)
}

// listed is how many campaigns a public list has.
func (e *editing) listed(path string) int {
	e.t.Helper()
	var a api.CampaignPreviewsAnswer
	e.Get(path, 0).JSON(&a)
	return len(a.Previews)
}

func TestHold_IsForStaff_SaysWhy_AndIsLifted(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	hold := fmt.Sprintf("/campaigns/%d/hold/", e.id)
	body := `{"kind": "on_hold", "reason": "looked_into", "sentence": "Kysymme valmistajalta.", "tells_on": "2126-12-01"}`
	e.refused(e.put(hold, body, staff), http.StatusConflict, "campaign_not_open") // a draft takes nothing
	e.opens(campaigns.StageFunding)
	if n := e.listed("/campaigns/preview/fi/"); n != 1 {
		t.Fatalf("%d campaigns are listed", n)
	}
	e.refused(e.put(hold, body, e.creator), http.StatusForbidden, "forbidden")
	e.refused(e.put(hold, `{"kind": "on_hold", "reason": "looked_into", "tells_on": "2020-01-01"}`, staff), http.StatusUnprocessableEntity, "invalid_fields", "tells_on")
	a := e.must(e.put(hold, body, staff))
	if a.Stage != 2 || a.Held == nil || a.Held.Kind != api.OnHold || a.Held.Reason != api.HoldReasonLookedInto || *a.Held.Sentence != "Kysymme valmistajalta." {
		t.Errorf("on hold it is %+v", a.Held)
	}
	since := a.Held.Since
	a = e.must(e.put(hold, `{"kind": "on_hold", "reason": "rules"}`, staff)) // other words
	if a.Held.Reason != api.HoldReasonRules || a.Held.Sentence != nil || a.Held.TellsOn != nil || !a.Held.Since.Equal(since) {
		t.Errorf("with other words it is %+v", a.Held)
	}
	var page api.CampaignAnswer
	e.Get(fmt.Sprintf("/campaigns/%d/fi/", e.id), 0).JSON(&page)
	if page.Campaign.Hold == nil || *page.Campaign.Hold != api.OnHold || page.Campaign.Held.Reason != api.HoldReasonRules || page.Campaign.Stage != 2 {
		t.Errorf("its page says %+v", page.Campaign.Held)
	}
	if n := e.listed("/campaigns/preview/fi/") + e.listed("/v2/campaigns/preview/fi/"); n != 0 {
		t.Errorf("%d campaigns are listed", n)
	}
	for range 2 { // a repeat changes nothing
		if a = e.must(e.lift(hold, staff)); a.Held != nil {
			t.Errorf("lifted it is %+v", a.Held)
		}
	}
	if n := e.listed("/campaigns/preview/fi/"); n != 1 {
		t.Errorf("afterwards %d campaigns are listed", n)
	}
	if got := e.texts(`SELECT payload ->> 'is_on_hold' FROM outbox WHERE kind = 'campaign.hold' ORDER BY id`); !slices.Equal(got, []string{"true", "false"}) {
		t.Errorf("the payment service was told %v", got)
	}
	if got := e.texts(`SELECT action FROM audit_log WHERE campaign_id = ? AND action LIKE '%hold' ORDER BY id`, e.id); !slices.Equal(got, []string{"hold", "hold", "lift_hold"}) {
		t.Errorf("the audit trail has %v", got)
	}
	if stale, err := campaigns.RecomputePreviews(t.Context(), e.DB); err != nil || len(stale) > 0 {
		t.Errorf("%v, %v", stale, err)
	}
}

func TestStop_ClosesForGood_AndSaysWhy(t *testing.T) {
	for name, before := range map[string]string{"at once": "", "after a hold": `{"kind": "on_hold", "reason": "looked_into"}`} {
		t.Run(name, func(t *testing.T) {
			e := newEditing(t)
			staff := e.Person("Henna", "view", "edit")
			e.opens(campaigns.StageFunding)
			hold := fmt.Sprintf("/campaigns/%d/hold/", e.id)
			if before != "" {
				e.must(e.put(hold, before, staff))
			}
			a := e.must(e.put(hold, `{"kind": "stopped", "reason": "rules", "sentence": "Pyörää ei voi valmistaa."}`, staff))
			if a.Stage != 5 || a.Held.Kind != api.Stopped || *a.Held.Sentence != "Pyörää ei voi valmistaa." {
				t.Errorf("stopped it is %d, %+v", a.Stage, a.Held)
			}
			e.refused(e.put(hold, `{"kind": "on_hold", "reason": "rules"}`, staff), http.StatusConflict, "campaign_not_open")
			if a = e.must(e.lift(hold, staff)); a.Held == nil {
				t.Error("what was stopped goes on")
			}
		})
	}
}

func TestClose_OfACampaignOnHold_StopsItWithTheWordsThatWereSaid(t *testing.T) {
	e := newEditing(t)
	staff := e.Person("Henna", "view", "edit")
	e.opens(campaigns.StageFunding)
	e.must(e.put(fmt.Sprintf("/campaigns/%d/hold/", e.id), `{"kind": "on_hold", "reason": "looked_into", "sentence": "Kysymme."}`, staff))
	if a := e.must(e.Patch(e.admin, `{"stage": 5, "reason": "Huijaus"}`, staff)); a.Stage != 5 || a.Held.Kind != api.Stopped || *a.Held.Sentence != "Kysymme." {
		t.Errorf("closed it is %d, %+v", a.Stage, a.Held)
	}
}

func TestBlockedCreator_HasTheirCampaignOnHold_AndOnlyStaffLiftIt(t *testing.T) {
	e := newEditing(t)
	admin := e.Person("Aino", "view", "edit", "admin")
	e.opens(campaigns.StageFunding)
	account := fmt.Sprintf("/users/%d/admin/", e.creator)
	var person api.PersonAdminAnswer
	e.Get(account, admin).JSON(&person)
	if person.Person.OpenCampaigns != 1 || len(person.Person.HeldCampaigns) != 0 {
		t.Errorf("before the block: %+v", person.Person)
	}
	e.Patch(account, `{"blocked": true, "reason": "Huijaus"}`, admin).JSON(&person)
	if person.Person.OpenCampaigns != 0 || len(person.Person.HeldCampaigns) != 1 {
		t.Errorf("after it: %+v", person.Person)
	}
	hold := fmt.Sprintf("/campaigns/%d/hold/", e.id)
	e.refused(e.lift(hold, admin), http.StatusConflict, "creator_blocked")
	var page api.CampaignAnswer
	e.Get(fmt.Sprintf("/campaigns/%d/fi/", e.id), 0).JSON(&page)
	if page.Campaign.Held == nil || page.Campaign.Held.Reason != api.HoldReasonLookedInto {
		t.Errorf("everybody reads %+v", page.Campaign.Held)
	}
	if got := e.texts(`SELECT payload ->> 'reason' FROM outbox WHERE kind = 'mail.blocked'`); !slices.Equal(got, []string{"Huijaus"}) {
		t.Errorf("they are mailed %v", got)
	}
	e.Patch(account, `{"blocked": false}`, admin).JSON(&person)
	if len(person.Person.HeldCampaigns) != 1 {
		t.Errorf("unblocked: %+v", person.Person)
	}
	if a := e.must(e.lift(hold, admin)); a.Held != nil {
		t.Errorf("lifted it is %+v", a.Held)
	}
}

// tookMonth has a month of support been paid that is over.
func (e *editing) tookMonth() {
	e.Exec(`INSERT INTO subscriptions (id, campaign_id, status, amount_minor, currency, email, first_name, last_name, language, payable_until, begun_on, created_at, updated_at)
		VALUES ('s', ?, 'canceled', 700, 'EUR', 'leena@example.fi', 'Leena', 'H', 'fi', now(), now(), now(), now())`, e.id)
	e.Exec(`INSERT INTO subscription_charges (subscription_id, campaign_id, period, period_day, payment_id, amount_minor, receipt_number, paid_at)
		VALUES ('s', ?, 1, now(), 'p', 700, 'TK-1', now())`, e.id)
}

// payout is what the staff's table says of the money of the campaign that is its creator's.
func (e *editing) payout(staff int64) (got api.StoppedPayout) {
	e.t.Helper()
	var table api.CampaignTableAnswer
	e.Get("/campaigns/admin/fi/", staff).JSON(&table)
	if len(table.Campaigns) != 1 {
		e.t.Fatalf("the table has %+v", table.Campaigns)
	}
	if table.Campaigns[0].Payout != nil {
		got = *table.Campaigns[0].Payout
	}
	return got
}

// What staff have stopped stays stopped, and so nothing would ever free what its creator had earned before.
func TestStopped_WhatIsItsCreatorsIsPaidOutWhenStaffSaySo(t *testing.T) {
	e := newEditing(t)
	admin := e.Person("Aino", "view", "edit", "admin")
	goes, waits := `{"payout": "goes"}`, `{"payout": "waits"}`
	payout := fmt.Sprintf("/campaigns/%d/payout/", e.id)
	e.opens(campaigns.StageRecurring)
	e.tookMonth()
	e.refused(e.put(payout, goes, admin), http.StatusConflict, "campaign_not_open")
	e.must(e.put(fmt.Sprintf("/campaigns/%d/hold/", e.id), `{"kind": "stopped", "reason": "rules", "sentence": "Ei ehtojen mukainen."}`, admin))
	is := func(want api.StoppedPayout) {
		t.Helper()
		if got := e.payout(admin); got != want {
			t.Errorf("it %q, want %q", got, want)
		}
	}
	is(api.PayoutWaits)
	e.refused(e.put(payout, goes, e.creator), http.StatusForbidden, "forbidden")
	for _, c := range []struct {
		body string
		want api.StoppedPayout
	}{{goes, api.PayoutGoes}, {goes, api.PayoutGoes}, {waits, api.PayoutWaits}, {goes, api.PayoutGoes}} {
		if a := e.must(e.put(payout, c.body, admin)); a.Held == nil || a.Held.Kind != api.Stopped || *a.Held.Sentence != "Ei ehtojen mukainen." {
			t.Errorf("after %s it is %+v", c.body, a.Held)
		}
		is(c.want)
	}
	if status := e.Patch(fmt.Sprintf("/users/%d/admin/", e.creator), `{"blocked": true, "reason": "Huijaus"}`, admin).Status; status != http.StatusOK {
		t.Errorf("the block answered %d", status)
	}
	is(api.PayoutWaits)
	e.refused(e.put(payout, goes, admin), http.StatusConflict, "creator_blocked")
	if got := e.texts(`SELECT concat_ws(' ', payload ->> 'is_on_hold', payload ->> 'pays_out') FROM outbox WHERE kind = 'campaign.hold' ORDER BY id`); !slices.Equal(got,
		[]string{"true", "true true", "true", "true true", "true"}) {
		t.Errorf("the payment service was told %q", got)
	}
}

func TestStopped_OfWhichNothingIsItsCreators_PaysNothingOut(t *testing.T) {
	e := newEditing(t)
	admin := e.Person("Aino", "view", "edit", "admin")
	e.opens(campaigns.StageFunding)
	e.must(e.put(fmt.Sprintf("/campaigns/%d/hold/", e.id), `{"kind": "stopped", "reason": "rules"}`, admin))
	if got := e.payout(admin); got != "" {
		t.Errorf("the table says that it %q", got)
	}
	e.refused(e.put(fmt.Sprintf("/campaigns/%d/payout/", e.id), `{"payout": "goes"}`, admin), http.StatusConflict, "campaign_not_open")
}

// A payout cannot be called back: money of a campaign that is over waits as well when its creator is blocked, or when staff look into it, also when the
// campaign was closed since, as support ends. What goes back to backers goes back.
func TestBlockedCreator_OfAClosedCampaign_IsNotPaid(t *testing.T) {
	for name, c := range map[string]struct {
		before func(e *editing)
		want   bool
	}{
		"its goal was reached, and it was closed since": {func(e *editing) {
			e.opens(campaigns.StageFunding)
			e.opens(campaigns.StageSucceeded)
			e.opens(campaigns.StageClosed)
		}, true},
		"it was support, and was closed": {func(e *editing) {
			e.opens(campaigns.StageRecurring)
			e.tookMonth()
			e.opens(campaigns.StageClosed)
		}, true},
		"it was closed before its last day": {func(e *editing) {
			e.opens(campaigns.StageFunding)
			e.opens(campaigns.StageClosed)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			for what, do := range map[string]func(e *editing, admin int64){
				"their block": func(e *editing, admin int64) {
					if status := e.Patch(fmt.Sprintf("/users/%d/admin/", e.creator), `{"blocked": true, "reason": "Huijaus"}`, admin).Status; status != http.StatusOK {
						t.Errorf("the block answered %d", status)
					}
				},
				"a hold": func(e *editing, admin int64) {
					e.put(fmt.Sprintf("/campaigns/%d/hold/", e.id), `{"kind": "on_hold", "reason": "looked_into"}`, admin)
				},
			} {
				e := newEditing(t)
				admin := e.Person("Aino", "view", "edit", "admin")
				c.before(e)
				do(e, admin)
				told := e.texts(`SELECT payload ->> 'is_on_hold' FROM outbox WHERE kind = 'campaign.hold' ORDER BY id`)
				if is := slices.Equal(told, []string{"true"}); is != c.want || !is && len(told) > 0 {
					t.Errorf("by %s the payment service was told %v", what, told)
				}
			}
		})
	}
}

// Somebody who was blocked registers their address again, and has a campaign that staff have approved open, or is put first in a team.
func TestAddressOfABlockedPerson_BringsNoCampaignBack(t *testing.T) {
	e := newEditing(t)
	e.Exec(`UPDATE users SET blocked_at = now(), email = 'Paluu@example.com' WHERE id = ?`, e.third)
	e.Exec(`UPDATE users SET verified = false, email = 'paluu@EXAMPLE.com' WHERE id = ?`, e.creator)
	if answer := e.Post(fmt.Sprintf("/campaigns/%d/review/", e.id), "", e.creator); answer.Status != http.StatusForbidden {
		t.Errorf("its review: %d %s", answer.Status, answer.Body)
	}
	e.opens(campaigns.StageFunding)
	if got := e.texts(`SELECT hold FROM campaigns WHERE id = ?`, e.id); !slices.Equal(got, []string{"on_hold"}) {
		t.Errorf("opened it is %v", got)
	}
}

// The command line locks a person first, an opening their campaign.
func TestBlockedCreator_WhoseCampaignOpensAtThatMoment_HasItOnHold(t *testing.T) {
	e := newEditing(t)
	var email string
	if err := e.DB.Raw(`SELECT email FROM users WHERE id = ?`, e.creator).Scan(&email).Error; err != nil {
		t.Fatal(err)
	}
	e.Race(func(ctx context.Context, tx *gorm.DB) error {
		return campaigns.MoveStage(ctx, tx, e.id, campaigns.StageFunding, campaigns.Scheduler(), e.Now())
	}, func() contenttest.Answer {
		if changed, err := sessions.SetBlocked(t.Context(), e.DB, email, true, e.Now()); !changed || err != nil {
			t.Errorf("blocking: %t, %v", changed, err)
		}
		return contenttest.Answer{}
	})
	if got := e.texts(`SELECT stage || ' ' || hold FROM campaigns WHERE id = ?`, e.id); !slices.Equal(got, []string{"2 on_hold"}) {
		t.Errorf("it is %v", got)
	}
}
