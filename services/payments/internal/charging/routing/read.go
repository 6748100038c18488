package routing

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/payout/payees"
)

// Routes reads the facts and goes by them; it is safe for concurrent use.
type Routes struct {
	has map[string]bool
	now func() time.Time
}

// New makes routes between the providers that we have a key of.
func New(names []string, now func() time.Time) *Routes {
	has := map[string]bool{}
	for _, name := range names {
		has[name] = true
	}
	return &Routes{has, now}
}

// factsSQL gives a row for each account that one of these campaigns is paid through, one of no provider for each of them that was ever on
// hold, and one of no campaign for each provider that was ever switched. An account that is not known here takes nothing.
const factsSQL = `
	SELECT a.campaign_id, a.provider, coalesce(p.state, 'begun') AS state, false AS is_off FROM campaign_accounts a
	LEFT JOIN payees p ON p.provider = a.provider AND p.ref = a.account_ref AND p.ref <> ''
	WHERE a.campaign_id IN @campaigns AND a.account_ref <> ''
	UNION ALL
	(SELECT DISTINCT ON (campaign_id) campaign_id, '', '', is_on_hold FROM campaign_holds WHERE campaign_id IN @campaigns
	ORDER BY campaign_id, number DESC)
	UNION ALL
	(SELECT DISTINCT ON (provider) 0, provider, '', NOT is_on FROM provider_switches ORDER BY provider, number DESC)`

// Facts reads what the methods of a campaign follow from.
func (r *Routes) Facts(ctx context.Context, db *gorm.DB, campaignID int64) (Facts, error) {
	all, err := r.factsOf(ctx, db, []int64{campaignID})
	return all(campaignID), err
}

func (r *Routes) factsOf(ctx context.Context, db *gorm.DB, campaignIDs []int64) (of func(campaignID int64) Facts, err error) {
	var rows []struct {
		CampaignID int64
		Provider   string
		State      payees.State
		IsOff      bool
	}
	isOff, held, accounts := map[string]bool{}, map[int64]bool{}, map[int64]map[string]payees.State{}
	if err = db.WithContext(ctx).Raw(factsSQL, map[string]any{"campaigns": campaignIDs}).Scan(&rows).Error; err != nil {
		err = fmt.Errorf("read how %d campaigns are paid: %w", len(campaignIDs), err)
	}
	for _, row := range rows {
		switch {
		case row.CampaignID == 0:
			isOff[row.Provider] = row.IsOff
		case row.Provider == "":
			held[row.CampaignID] = row.IsOff
		case accounts[row.CampaignID] == nil:
			accounts[row.CampaignID] = map[string]payees.State{row.Provider: row.State}
		default:
			accounts[row.CampaignID][row.Provider] = row.State
		}
	}
	return func(id int64) Facts {
		return Facts{Has: r.has, IsOff: isOff, Accounts: accounts[id], OnHold: held[id]}
	}, err
}

// Payable gives those of campaigns that can be paid to now, each for a sum of its way's currency.
func (r *Routes) Payable(ctx context.Context, db *gorm.DB, campaigns []payments.Way) ([]int64, error) {
	ids := make([]int64, len(campaigns))
	for i, w := range campaigns {
		ids[i] = w.CampaignID
	}
	of, err := r.factsOf(ctx, db, ids)
	if err != nil {
		return nil, err
	}
	payable := make([]int64, 0, len(ids))
	for _, w := range campaigns {
		list, _ := Offered(of(w.CampaignID), w.Amount)
		if slices.ContainsFunc(list, func(o Offer) bool { return o.Monthly || !w.IsMonthly }) {
			payable = append(payable, w.CampaignID)
		}
	}
	return payable, nil
}

// Route names who takes what begins now; it is a payments.Router. Errors: ConfigurationError (provider_off, payee_not_ready),
// CampaignOnHold, PaymentMethodUnsupported.
func (r *Routes) Route(ctx context.Context, db *gorm.DB, w payments.Way) (string, error) {
	f, err := r.Facts(ctx, db, w.CampaignID)
	if err != nil {
		return "", err
	}
	return taker(f, w.Amount, w.Method, w.IsMonthly)
}

// Switch is a word of an operator's about a provider.
type Switch struct {
	Provider      string
	IsOn          bool
	Reason, Actor string
	At            time.Time
}

// Switch turns a provider off for what begins, or on again; to say what is so already changes nothing. Errors: a provider that we have no
// key of, a word without a reason.
func (r *Routes) Switch(ctx context.Context, db *gorm.DB, s Switch) error {
	if !r.has[s.Provider] {
		return fmt.Errorf("%q is no provider of ours", s.Provider)
	}
	if strings.TrimSpace(s.Reason) == "" || strings.TrimSpace(s.Actor) == "" {
		return errors.New("say who switches it and why")
	}
	err := db.WithContext(ctx).Exec(`INSERT INTO provider_switches (provider, is_on, reason, actor, at)
		SELECT @provider, @on, @reason, @actor, @at WHERE @on <> coalesce(
			(SELECT is_on FROM provider_switches WHERE provider = @provider ORDER BY number DESC LIMIT 1), true)`,
		map[string]any{"provider": s.Provider, "on": s.IsOn, "reason": s.Reason, "actor": s.Actor, "at": r.now().UTC()}).Error
	if err != nil {
		return fmt.Errorf("switch %s: %w", s.Provider, err)
	}
	return nil
}

// OffSince names the providers that have been off since a time or longer.
func (r *Routes) OffSince(ctx context.Context, db *gorm.DB, at time.Time) (names []string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT provider FROM (SELECT DISTINCT ON (provider) provider, is_on, at FROM provider_switches
		ORDER BY provider, number DESC) s WHERE NOT is_on AND at <= ? ORDER BY 1`, at.UTC()).Scan(&names).Error
	if err != nil {
		return nil, fmt.Errorf("read which providers are off: %w", err)
	}
	return names, nil
}

// Switches lists what was switched, the newest first.
func Switches(ctx context.Context, db *gorm.DB) (list []Switch, err error) {
	err = db.WithContext(ctx).Raw(`SELECT provider, is_on, reason, actor, at FROM provider_switches ORDER BY number DESC`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list what was switched: %w", err)
	}
	return list, nil
}

// zero is any sum of a currency.
func zero(currency string) money.Amount { return money.New(0, money.Currency(currency)) }
