package settlements

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"slices"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/servicetoken"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/holds"
	"talkoot.fi/payments/internal/moneyback/warnings"
	"talkoot.fi/payments/internal/payout/endings"
)

// ending is what the content service has said of a campaign, as far as it matters here.
type ending struct {
	GoesTo        string
	EndedAt       time.Time
	AcceptedMinor int64
	Currency      string
}

func endingOf(ctx context.Context, db *gorm.DB, campaignID int64) (e ending, err error) {
	var list []ending
	err = db.WithContext(ctx).Raw(`SELECT goes_to, ended_at, accepted_minor, currency FROM campaign_endings WHERE campaign_id = ?`, campaignID).Scan(&list).Error
	if err != nil {
		return e, fmt.Errorf("read how campaign %d ended: %w", campaignID, err)
	}
	if len(list) == 0 || list[0].GoesTo != "creator" {
		return e, fmt.Errorf("campaign %d: %w", campaignID, ErrNoEnding)
	}
	return list[0], nil
}

// RatesOn are the rates that hold on a day.
func RatesOn(ctx context.Context, db *gorm.DB, day time.Time) (r Rates, err error) {
	err = db.WithContext(ctx).Raw(`SELECT from_day, fee_points, vat_points, vat_country, reserve_points, minimum_minor, reserve_days, reserve_debit_months FROM settlement_rates
		WHERE from_day <= ? ORDER BY from_day DESC LIMIT 1`, day.Format(time.DateOnly)).Scan(&r).Error
	if err == nil && r.FromDay.IsZero() {
		err = gorm.ErrRecordNotFound
	}
	if err != nil {
		return r, fmt.Errorf("read the rates of %s: %w", day.Format(time.DateOnly), err)
	}
	return r, nil
}

// stands is where the money of a charge is.
type stands struct {
	PaymentID, ChargeRef, Place string
	PaidOn                      time.Time
	Funds                       int64
}

// moneySQL gives for each charge of a campaign's pledges, or months until a day, at a provider whose money is wanted, which no bank
// contests and no open warning of fraud holds back, what is the campaign's of it, and where that is.
const moneySQL = `SELECT p.id AS payment_id, a.charge_ref, p.paid_on,
		coalesce(-sum(e.amount_minor) FILTER (WHERE l.class = 'backer_funds'), 0)::bigint AS funds,
		coalesce(max(split_part(l.name, ':', 3)) FILTER (WHERE t.kind = 'charge' AND l.class = 'provider_clearing'), '') AS place
	FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
	JOIN ledger_transactions t ON t.provider = a.provider AND t.charge_ref = a.charge_ref AND t.charge_ref <> '' AND t.currency = @currency
	JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts l ON l.id = e.account_id
	WHERE p.campaign_id = @campaign AND p.subject_kind = @subject AND a.provider = @provider AND NOT p.refused AND a.charge_ref <> ''
		AND (CAST(@until AS date) IS NULL OR p.paid_on <= CAST(@until AS date)) AND (@all OR a.charge_ref IN @charges)
		AND NOT EXISTS (SELECT FROM fraud_warnings w WHERE w.attempt_id = a.id AND w.status = 'open' AND w.opened_at > CAST(@held_since AS timestamptz))
	GROUP BY p.id, a.charge_ref
	HAVING coalesce(sum(e.amount_minor) FILTER (WHERE l.class = 'disputed_funds'), 0) = 0
		AND coalesce(sum(e.amount_minor) FILTER (WHERE l.class = 'dispute_hold'), 0) = 0
	ORDER BY a.charge_ref`

// moneyIn reads where the money of some charges of a run is, or of all that its campaign has at the provider.
func (s *Service) moneyIn(ctx context.Context, db *gorm.DB, r Run, charges []string) (list []stands, err error) {
	err = db.WithContext(ctx).Raw(moneySQL, map[string]any{"campaign": r.CampaignID, "provider": r.Provider, "currency": r.Currency,
		"subject": r.subject(), "until": r.until(), "held_since": s.Now().Add(-warnings.Holds), "all": charges == nil, "charges": append([]string{""}, charges...)}).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read the money of campaign %d: %w", r.CampaignID, err)
	}
	return list, nil
}

// moneyOf lists the charges that a run is of, also those of which nothing is left, so that they are seen: in a campaign's first run, or that
// of the month in which they were taken.
func (s *Service) moneyOf(ctx context.Context, db *gorm.DB, r Run) ([]stands, error) {
	list, err := s.moneyIn(ctx, db, r, nil)
	if err != nil {
		return nil, err
	}
	var before []string // charges that a run has had
	err = db.WithContext(ctx).Raw(`SELECT DISTINCT l.charge_ref FROM settlement_runs r JOIN settlement_lines l ON l.run_id = r.id AND l.version = r.version
		WHERE r.campaign_id = ? AND r.provider = ? AND r.number < ? AND r.state <> 'void'`, r.CampaignID, r.Provider, r.Number).Scan(&before).Error
	if err != nil {
		return nil, fmt.Errorf("look for earlier runs of campaign %d: %w", r.CampaignID, err)
	}
	had := map[string]bool{}
	for _, charge := range before {
		had[charge] = true
	}
	return slices.DeleteFunc(list, func(c stands) bool {
		isSeen := r.Month == nil && len(before) > 0 || r.Month != nil && c.PaidOn.Before(*r.Month) || had[c.ChargeRef]
		return c.Funds == 0 && isSeen
	}), nil
}

// isMore stops a campaign that has more money than the content service has accepted. What a bank has given back is not looked at: it was
// contested when the campaign ended, and is the creator's all the same. Nor is what a bank has confirmed since: the content service takes that
// late, or refuses it, and what it said of the ending stays.
func isMore(ctx context.Context, db *gorm.DB, campaignID int64, e ending) error {
	var ours int64
	err := db.WithContext(ctx).Raw(`SELECT coalesce(sum(minor), 0)::bigint FROM (SELECT -sum(e.amount_minor) AS minor
		FROM payments p JOIN attempts a ON a.id = p.paid_attempt_id
		JOIN ledger_transactions t ON t.provider = a.provider AND t.charge_ref = a.charge_ref AND t.charge_ref <> '' AND t.kind <> 'settlement'
		JOIN ledger_entries e ON e.transaction_id = t.id JOIN ledger_accounts l ON l.id = e.account_id AND l.class = 'backer_funds'
		WHERE p.campaign_id = ? AND p.subject_kind = 'pledge' AND NOT p.refused AND NOT EXISTS (SELECT FROM disputes d WHERE d.attempt_id = a.id)
		GROUP BY a.id HAVING min(t.booked_at) FILTER (WHERE e.amount_minor < 0) < ?) charges`, campaignID, e.EndedAt.Add(-servicetoken.Leeway)).Scan(&ours).Error
	if err != nil {
		return fmt.Errorf("add up campaign %d: %w", campaignID, err)
	}
	if ours > e.AcceptedMinor {
		return stop{MoreThanAccepted, fmt.Sprintf("%d here, %d accepted", ours, e.AcceptedMinor), again}
	}
	return nil
}

// ready stops a run whose money is not certain yet, or whose creator cannot be paid.
func (s *Service) ready(ctx context.Context, r Run) error {
	if s.Providers[r.Provider] == nil {
		return stop{NotOffered, "", again}
	}
	isOnHold, err := holds.StopPayouts(ctx, s.DB, r.CampaignID)
	if err != nil {
		return err //nolint:wrapcheck // it says all
	}
	is, err := s.standing(ctx, r)
	switch {
	case err != nil:
		return err
	case isOnHold:
		return stop{CampaignOnHold, "", again}
	case is.IsOpen:
		return stop{PaymentsOpen, "", again}
	case is.IsProcessing:
		return stop{PaymentsProcessing, "", again}
	case is.IsUntold:
		return stop{EventsUntold, "", again}
	}
	return s.Fresh(ctx, r.CampaignID)
}

// standing says what can still come of the payments that a run is of.
func (s *Service) standing(ctx context.Context, r Run) (endings.Standing, error) {
	if r.Month != nil {
		return s.StandingOfMonths(ctx, r.CampaignID, *r.until())
	}
	return s.Standing(ctx, r.CampaignID)
}

// frozen is what a run would be if it were frozen now.
type frozen struct {
	run      Run
	rates    Rates
	lines    []Line
	released []Kept
	restored []Restored
	bank     string // the provider's id of the bank account that has taken another's place, "" for the first one
}

// count divides what is there now. It stops when the run cannot be frozen.
func (s *Service) count(ctx context.Context, db *gorm.DB, r Run) (f frozen, err error) {
	accounts, err := s.accountsOf(ctx, db, r.CampaignID, r.Provider)
	if err != nil {
		return f, err
	}
	day, err := r.day(ctx, db)
	if err != nil {
		return f, err
	}
	rates, err := RatesOn(ctx, db, day)
	if err != nil {
		return f, err
	}
	charges, err := s.moneyOf(ctx, db, r)
	if err != nil {
		return f, err
	}
	if f.released, err = released(ctx, db, r); err != nil {
		return f, err
	}
	if f.restored, err = restored(ctx, db, r); err != nil {
		return f, err
	}
	c, err := f.choose(accounts, charges, r.Place)
	if err != nil {
		return f, err
	}
	payee, err := bookedAs(ctx, db, r.Provider, c)
	if err != nil {
		return f, err
	}
	// Whose account there was replaced by another one is sent it to that: it lies in the same place, and is payable to the same creator.
	f.released = slices.DeleteFunc(f.released, func(k Kept) bool { return k.Place != c.Place || k.PayeeID != payee })
	f.restored = slices.DeleteFunc(f.restored, func(b Restored) bool { return b.Place != c.Place || b.PayeeID != payee })
	charges = slices.DeleteFunc(charges, func(one stands) bool { return one.Funds > 0 && one.Place != c.Place })
	gross := make([]int64, len(charges))
	for i, one := range charges {
		gross[i] = one.Funds
	}
	shares, whole, err := divide(gross, rates)
	if err != nil {
		return f, err
	}
	back := sumReleased(f.released, f.restored)
	if whole.Gross+back == 0 {
		return f, stop{NothingToSettle, "", again}
	}
	f.run = r
	f.run.PayeeID, f.run.PayeeRef, f.run.Place, f.run.ToPlace, f.run.RatesFrom, f.run.Lines = payee, c.Ref, c.Place, c.Wallet, &rates.FromDay, len(charges)
	f.run.GrossMinor, f.run.FeeMinor, f.run.VatMinor, f.run.ReserveMinor, f.run.NetMinor = whole.Gross, whole.Fee, whole.VAT, whole.Reserve, whole.Net+back
	f.run.ReleasedMinor = back
	for i, one := range charges {
		f.lines = append(f.lines, Line{ChargeRef: one.ChargeRef, PaymentID: one.PaymentID, GrossMinor: shares[i].Gross, FeeMinor: shares[i].Fee,
			VatMinor: shares[i].VAT, ReserveMinor: shares[i].Reserve, NetMinor: shares[i].Net})
	}
	to, err := s.Bank(ctx, db, r.Provider, c.Ref)
	if err != nil {
		return f, err
	}
	if !to.IsFirst() {
		f.bank = to.Ref
	}
	f.rates = rates
	f.run.Hash = f.sum()
	return f, nil
}

// day is the one whose rates a run goes by: the last of its month, or that on which its campaign ended. It stops one of a campaign that has
// more than the content service has accepted; of months that is not counted there.
func (r Run) day(ctx context.Context, db *gorm.DB) (time.Time, error) {
	if r.Month != nil {
		return *r.until(), nil
	}
	e, err := endingOf(ctx, db, r.CampaignID)
	if err != nil {
		return time.Time{}, err
	}
	return calendar.DayOf(e.EndedAt), isMore(ctx, db, r.CampaignID, e)
}

// sum is the hash that approvals name: over the account, the bank account, the rates, the lines, and what was released or restored. Its version is in it, so
// that what has changed and changed back is approved anew.
func (f frozen) sum() string {
	h := sha256.New()
	write := func(h hash.Hash, values ...any) {
		raw, _ := json.Marshal(values) //nolint:errchkjson // texts and numbers
		h.Write(append(raw, '\n'))
	}
	r, rates := f.run, f.rates
	write(h, r.ID, r.Version, r.CampaignID, r.Provider, r.Number, r.Currency, r.PayeeID, r.PayeeRef, r.Place, r.ToPlace, f.bank)
	if r.Month != nil {
		write(h, r.Month.Format(time.DateOnly))
	}
	write(h, rates.FromDay.Format(time.DateOnly), rates.FeePoints, rates.VATPoints, rates.VATCountry, rates.ReservePoints)
	for _, l := range f.lines {
		write(h, l.ChargeRef, l.PaymentID, l.GrossMinor, l.FeeMinor, l.VatMinor, l.ReserveMinor, l.NetMinor)
	}
	for _, k := range f.released {
		write(h, k.reference(), k.ReleasedMinor)
	}
	for _, b := range f.restored {
		write(h, b.TransactionID, b.Minor)
	}
	return hex.EncodeToString(h.Sum(nil))
}

// freeze writes the lines of a run, unless they are as they were. Who has approved other lines has not approved these.
func (s *Service) freeze(ctx context.Context, tx *gorm.DB, r *Run) error {
	f, err := s.count(ctx, tx, *r)
	if err != nil || f.run.Hash == r.Hash && r.State == Proposed {
		return err
	}
	f.run.Version++
	f.run.Hash = f.sum()
	*r = f.run
	for batch := range slices.Chunk(f.lines, 500) {
		args := make([]any, 0, len(batch)*9)
		query := `INSERT INTO settlement_lines (run_id, version, charge_ref, payment_id, gross_minor, fee_minor, vat_minor, reserve_minor, net_minor) VALUES `
		for i, l := range batch {
			if i > 0 {
				query += ", "
			}
			query += "(?, ?, ?, ?, ?, ?, ?, ?, ?)"
			args = append(args, r.ID, r.Version, l.ChargeRef, l.PaymentID, l.GrossMinor, l.FeeMinor, l.VatMinor, l.ReserveMinor, l.NetMinor)
		}
		if err := tx.WithContext(ctx).Exec(query, args...).Error; err != nil {
			return fmt.Errorf("freeze the lines of run %s: %w", r.ID, err)
		}
	}
	if err := errors.Join(takeReleased(ctx, tx, *r, f.released), takeRestored(ctx, tx, *r, f.restored)); err != nil {
		return err
	}
	return s.do(ctx, tx, r, Act{Event: Frozen})
}

// off reports whether a provider is switched off.
func (s *Service) off(ctx context.Context, name string) (bool, error) {
	list, err := s.Off(ctx, s.DB, s.Now())
	return slices.Contains(list, name), err
}
