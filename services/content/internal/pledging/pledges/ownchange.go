package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/writing/changes"
)

// NameShown is how others see a backer. The creator sees the name in any case.
type NameShown string

// The ways to be seen.
const (
	FullName    NameShown = "full_name" // Leena Hakkarainen
	InitialOnly NameShown = "initial"   // Leena H.
	NoName      NameShown = "anonymous"
)

func nameShown(anonymous, initial bool) NameShown {
	switch {
	case anonymous:
		return NoName
	case initial:
		return InitialOnly
	}
	return FullName
}

// Shipping is where a reward is sent, and until when that may change.
type Shipping struct {
	Address
	Lock
}

// Lock says whether an address may still be changed.
type Lock struct {
	State LockState
	// At is when the state began, or, of AddressOpen, when the month of delivery begins; nil when that is not known.
	At *time.Time
}

// LockState is why an address is locked, or that it is not.
type LockState string

// The states of an address.
const (
	AddressOpen   LockState = "open"
	AddressPacked LockState = "packed"         // the creator has taken the addresses since the campaign ended
	DeliveryMonth LockState = "delivery_month" // the month of delivery, or the first of several, has begun
)

// packedSQL is when the creator of the campaign of a pledge p first took the table of backers after its last day, nil before.
// A table that was taken earlier is no packing list: backers still come. The index audit_log_backers_tables serves it.
const packedSQL = `SELECT min(a.at) FROM campaigns c JOIN audit_log a ON a.campaign_id = c.id
	WHERE c.id = p.campaign_id AND a.action = 'take_backers_table' AND a.at > c.funding_deadline`

// lockOf decides whether an address may be changed: until the creator packs by it, which is when they have taken the
// addresses after the campaign's end, and at the latest when the month of delivery begins in the platform's time zone.
func lockOf(delivery string, packedAt *time.Time, now time.Time, zone *time.Location) Lock {
	first, _, _ := strings.Cut(delivery, "/")
	month, err := time.ParseInLocation("2006-01", first, zone)
	hasMonth := err == nil
	switch {
	case packedAt != nil && (!hasMonth || packedAt.Before(month)):
		return Lock{AddressPacked, packedAt}
	case !hasMonth:
		return Lock{State: AddressOpen}
	case now.Before(month):
		return Lock{AddressOpen, &month}
	}
	return Lock{DeliveryMonth, &month}
}

// Errors of changing a pledge.
var (
	// ErrAddressLocked: the address is being packed by.
	ErrAddressLocked = apperr.New(apperr.AddressLocked)
	// errNothingSent: there is no address to change.
	errNothingSent = apperr.New(apperr.InvalidFields).WithField("address", apperr.RuleFixed)
)

// OwnChange is what a person changes of their pledge; nil stays.
type OwnChange struct {
	NameShown  *NameShown
	HideAmount *bool
	Address    *Address
}

// ChangeOwn changes a person's own pledge in one transaction and returns it. The same values again are no change. The audit
// row tells that an address changed, never which. Errors: ErrUnknown, also for another's pledge; InvalidFields;
// ErrAddressLocked; HistoryLimit.
func (s *Service) ChangeOwn(ctx context.Context, userID int64, id, language string, wanted OwnChange) (Own, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return Own{}, ErrUnknown
	}
	if err := wanted.check(); err != nil {
		return Own{}, err
	}
	if err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error { return s.changeOwn(ctx, tx, userID, id, wanted) }); err != nil {
		return Own{}, err
	}
	return s.own(ctx, userID, id, language)
}

func (c *OwnChange) check() error {
	if c.Address == nil {
		return nil
	}
	c.Address.normalise()
	return c.Address.check(apperr.New(apperr.InvalidFields), "address.", true).OrNil()
}

// changeable is a person's pledge as changeOwn needs it, locked.
type changeable struct {
	CampaignID                 int64
	Status                     Status
	ReceiptNumber              string
	Anonymous, LastNameInitial bool
	HideAmount                 bool
	Details, Bought            json.RawMessage
}

// anybody is who has a link that opens the pledge.
const anybody = 0

func (s *Service) changeOwn(ctx context.Context, tx *gorm.DB, userID int64, id string, wanted OwnChange) error {
	var p changeable
	found := tx.WithContext(ctx).Raw(`
		SELECT campaign_id, status, coalesce(receipt_number, '') AS receipt_number, anonymous, last_name_initial, hide_amount, details, bought
		FROM pledges p
		WHERE id = @id AND (@user = 0 OR user_id = @user AND status <> 'expired'
		    OR user_id IS NULL AND status NOT IN ('created', 'awaiting_payment', 'expired')
		        AND EXISTS (SELECT FROM users u WHERE u.id = @user AND u.verified AND lower(u.email) = lower(p.email)))
		FOR NO KEY UPDATE`, map[string]any{"id": id, "user": userID}).Scan(&p)
	if found.Error != nil {
		return fmt.Errorf("lock own pledge: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return ErrUnknown
	}
	columns, before, after := map[string]any{}, map[string]any{}, map[string]any{}
	if was := nameShown(p.Anonymous, p.LastNameInitial); wanted.NameShown != nil && *wanted.NameShown != was {
		columns["anonymous"], columns["last_name_initial"] = *wanted.NameShown == NoName, *wanted.NameShown == InitialOnly
		before["name_shown"], after["name_shown"] = was, *wanted.NameShown
	}
	if wanted.HideAmount != nil && *wanted.HideAmount != p.HideAmount {
		columns["hide_amount"] = *wanted.HideAmount
		before["hide_amount"], after["hide_amount"] = p.HideAmount, *wanted.HideAmount
	}
	details, err := s.readdress(ctx, tx, id, p, wanted.Address)
	if err != nil {
		return err
	}
	if details != nil {
		columns["details"], after["address"] = string(details), "changed"
	}
	if len(columns) == 0 {
		return nil
	}
	columns["updated_at"] = s.now()
	if err := tx.WithContext(ctx).Table("pledges").Where("id = ?", id).Updates(columns).Error; err != nil {
		return fmt.Errorf("change own pledge: %w", err)
	}
	if details != nil {
		if err := readdressRaise(ctx, tx, id, *wanted.Address); err != nil {
			return err
		}
	}
	after["campaign_id"], after["receipt_number"] = p.CampaignID, p.ReceiptNumber // the row stands by the person, so these say which pledge it was
	if userID == anybody {
		return nil // the pledge may be nobody's whose history it would be in
	}
	return changes.Record(ctx, tx, "change_pledge", "user", userID, changes.User(userID), before, after, s.now())
}

// readdress is the pledge's details with another address, nil when it is the same. The campaign is held meanwhile, so
// that its creator takes the addresses before it or after it (overview.BackersTable).
func (s *Service) readdress(ctx context.Context, tx *gorm.DB, id string, p changeable, wanted *Address) ([]byte, error) {
	if wanted == nil {
		return nil, nil
	}
	var bought rewards.Bought
	if len(p.Bought) > 0 {
		if err := json.Unmarshal(p.Bought, &bought); err != nil {
			return nil, fmt.Errorf("decode what is bought: %w", err)
		}
	}
	if !bought.NeedsAddress || !p.Status.HoldsStock() {
		return nil, errNothingSent
	}
	var meta Meta
	if err := json.Unmarshal(p.Details, &meta); err != nil {
		return nil, fmt.Errorf("decode details: %w", err)
	}
	if meta.address() == *wanted {
		return nil, nil
	}
	if _, err := campaigns.LockStage(ctx, tx, p.CampaignID); err != nil {
		return nil, err
	}
	var taken struct{ PackedAt *time.Time }
	if err := tx.WithContext(ctx).Raw(`SELECT (`+packedSQL+`) AS packed_at FROM pledges p WHERE p.id = ?`, id).Scan(&taken).Error; err != nil {
		return nil, fmt.Errorf("ask whether addresses were taken: %w", err)
	}
	if lockOf(bought.Delivery, taken.PackedAt, s.now(), s.zone).State != AddressOpen {
		return nil, ErrAddressLocked
	}
	meta.sendTo(*wanted)
	return json.Marshal(meta)
}

// readdressRaise has a change that waits for its money be sent to where the pledge is now, where it is sent at all.
func readdressRaise(ctx context.Context, tx *gorm.DB, pledgeID string, to Address) error {
	list, err := readRaises(ctx, tx, `pledge_id = ? AND status IN ('created', 'awaiting_payment', 'processing', 'failed', 'expired')
		AND released_at IS NULL AND (bought ->> 'needs_address')::boolean`, pledgeID)
	if err != nil {
		return err
	}
	for _, r := range list {
		var meta Meta
		if err := json.Unmarshal(r.Details, &meta); err != nil {
			return fmt.Errorf("decode details: %w", err)
		}
		meta.sendTo(to)
		details, err := json.Marshal(meta)
		if err == nil {
			err = tx.WithContext(ctx).Exec(`UPDATE pledge_raises SET details = ? WHERE id = ?`, string(details), r.ID).Error
		}
		if err != nil {
			return fmt.Errorf("send a raise elsewhere: %w", err)
		}
	}
	return nil
}
