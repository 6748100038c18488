package withdrawal_test

import (
	"testing"
	"time"

	"talkoot.fi/content/internal/pledging/withdrawal"
	"talkoot.fi/content/internal/zone"
)

// Until when a pledge can be taken back: the whole rule.
func TestRight_ByKindAndDay(t *testing.T) {
	helsinki, err := zone.Load()
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) *time.Time {
		moment, err := time.ParseInLocation("2006-01-02 15:04:05", text, helsinki)
		if err != nil {
			t.Fatal(err)
		}
		return &moment
	}
	day := func(text string) *time.Time {
		d, err := time.Parse(time.DateOnly, text)
		if err != nil {
			t.Fatal(err)
		}
		return &d
	}
	deadline, ended := at("2026-09-30 23:59:59"), at("2026-10-01 01:00:00")
	funding := func(f withdrawal.Facts) withdrawal.Facts {
		f.IsFunding, f.FundingDeadline = true, deadline
		return f
	}
	over := func(f withdrawal.Facts) withdrawal.Facts {
		f.FundingDeadline, f.EndedAt, f.GoesTo = deadline, ended, "creator"
		return f
	}
	back := func(f withdrawal.Facts) withdrawal.Facts {
		f = over(f)
		f.GoesTo = "backers"
		return f
	}
	goods := withdrawal.Facts{RewardKind: withdrawal.Goods, TermDays: 14, TermStarts: withdrawal.FromDelivery, TransitDays: 7}
	sent := func(on string) withdrawal.Facts {
		f := over(goods)
		f.SentOn = day(on)
		return f
	}
	service := withdrawal.Facts{RewardKind: withdrawal.Service, TermDays: 14, TermStarts: withdrawal.FromContract}
	digital := withdrawal.Facts{RewardKind: withdrawal.Digital, TermDays: 14, TermStarts: withdrawal.FromContract}
	toOrder := withdrawal.Facts{RewardKind: withdrawal.MadeToOrder, TermStarts: withdrawal.FromContract}
	gift := withdrawal.Facts{RewardKind: withdrawal.Gift, TermStarts: withdrawal.FromContract}
	longer := service
	longer.TermDays = 30
	late := over(service)
	late.EndedAt = at("2026-10-14 23:30:00")
	unkept := over(service)
	unkept.EndedAt, unkept.GoesTo = nil, ""

	for what, c := range map[string]struct {
		facts  withdrawal.Facts
		now    *time.Time
		state  withdrawal.State
		reason withdrawal.Reason
		until  *time.Time
	}{
		"goods in the campaign's last second":          {funding(goods), at("2026-09-30 23:59:58"), withdrawal.Open, withdrawal.Campaign, deadline},
		"a service before the end":                     {funding(service), at("2026-09-01 12:00:00"), withdrawal.Open, withdrawal.Campaign, deadline},
		"what is made to order before the end":         {funding(toOrder), at("2026-09-01 12:00:00"), withdrawal.Open, withdrawal.Campaign, deadline},
		"a gift before the end":                        {funding(gift), at("2026-09-01 12:00:00"), withdrawal.Open, withdrawal.Campaign, deadline},
		"a campaign without a last day":                {withdrawal.Facts{RewardKind: withdrawal.Gift, IsFunding: true}, at("2026-09-01 12:00:00"), withdrawal.Open, withdrawal.Campaign, nil},
		"goods while it is counted":                    {funding(goods), deadline, withdrawal.Counting, "", nil},
		"a service while it is counted":                {funding(service), at("2026-10-01 00:30:00"), withdrawal.Counting, "", nil},
		"what is made to order while it is counted":    {funding(toOrder), deadline, withdrawal.Over, withdrawal.OfMadeToOrder, nil},
		"a gift while it is counted":                   {funding(gift), deadline, withdrawal.Over, withdrawal.OfGift, nil},
		"goods that are not sent":                      {over(goods), at("2027-03-01 12:00:00"), withdrawal.Open, withdrawal.NotSent, nil},
		"goods, 14 days after a week on their way":     {sent("2026-11-03"), at("2026-11-24 23:59:58"), withdrawal.Open, withdrawal.Sent, at("2026-11-24 23:59:59")},
		"goods, in the last second":                    {sent("2026-11-03"), at("2026-11-24 23:59:59"), withdrawal.Open, withdrawal.Sent, at("2026-11-24 23:59:59")},
		"goods, then":                                  {sent("2026-11-03"), at("2026-11-25 00:00:00"), withdrawal.Over, withdrawal.TermOver, nil},
		"goods, when it would end on a Sunday":         {sent("2026-11-01"), at("2026-11-23 12:00:00"), withdrawal.Open, withdrawal.Sent, at("2026-11-23 23:59:59")},
		"goods, when it would end on Independence Day": {sent("2027-11-15"), at("2027-12-06 12:00:00"), withdrawal.Open, withdrawal.Sent, at("2027-12-07 23:59:59")},
		"goods, over the end of summer time":           {sent("2026-10-06"), at("2026-10-27 12:00:00"), withdrawal.Open, withdrawal.Sent, at("2026-10-27 23:59:59")},
		"a service for 14 days after the end":          {over(service), at("2026-10-15 23:59:58"), withdrawal.Open, withdrawal.Contract, at("2026-10-15 23:59:59")},
		"a service, then":                              {over(service), at("2026-10-16 00:00:00"), withdrawal.Over, withdrawal.TermOver, nil},
		"a service, whenever it is delivered":          {func() withdrawal.Facts { f := over(service); f.SentOn = day("2026-12-01"); return f }(), at("2026-12-02 12:00:00"), withdrawal.Over, withdrawal.TermOver, nil},
		"a service, by Helsinki's day of the end":      {late, at("2026-10-28 12:00:00"), withdrawal.Open, withdrawal.Contract, at("2026-10-28 23:59:59")},
		"a service under another term":                 {over(longer), at("2026-10-30 12:00:00"), withdrawal.Open, withdrawal.Contract, at("2026-11-02 23:59:59")},
		"digital content for 14 days after the end":    {over(digital), at("2026-10-02 12:00:00"), withdrawal.Open, withdrawal.Contract, at("2026-10-15 23:59:59")},
		"what is made to order after the end":          {over(toOrder), at("2026-10-01 01:00:01"), withdrawal.Over, withdrawal.OfMadeToOrder, nil},
		"a gift after the end":                         {over(gift), at("2026-10-01 01:00:01"), withdrawal.Over, withdrawal.OfGift, nil},
		"goods of a campaign that returns everything":  {back(goods), at("2026-10-02 12:00:00"), withdrawal.Over, withdrawal.GoesBack, nil},
		"a gift to a campaign that returns everything": {back(gift), at("2026-10-02 12:00:00"), withdrawal.Over, withdrawal.GoesBack, nil},
		"an end from before endings were kept":         {unkept, at("2026-10-02 12:00:00"), withdrawal.Over, withdrawal.TermOver, nil},
	} {
		got := withdrawal.Right(c.facts, *c.now, helsinki)
		if got.State != c.state || got.Reason != c.reason || (got.Until == nil) != (c.until == nil) || c.until != nil && !got.Until.Equal(*c.until) {
			t.Errorf("%s: %s %s until %v, want %s %s until %v", what, got.State, got.Reason, got.Until, c.state, c.reason, c.until)
		}
	}
}
