package payees

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/ids"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/events"
	"talkoot.fi/payments/internal/provider"
)

// Bank is a bank account that a creator has given us for payouts. Its number is at the provider alone.
type Bank struct {
	ID, PayeeID       string
	Ref               string // the provider's id; "" until it is known
	Country, LastFour string
	State             BankState
	NameCheck         provider.NameCheck
	ActiveAt          *time.Time // when its owner had confirmed it
	PaysFrom          *time.Time // nothing is paid out to it before
	CreatedAt         time.Time
	HasFailed         bool `gorm:"->"` // the last payout to it has failed or come back
}

// Label is an account as people tell it from others: FI ···· 0785.
func (b Bank) Label() string { return b.Country + " ···· " + b.LastFour }

// IsFirst tells that it is the first one that its creator had in use.
func (b Bank) IsFirst() bool {
	return b.ActiveAt != nil && b.PaysFrom != nil && b.PaysFrom.Equal(*b.ActiveAt)
}

const bankColumns = `b.id, b.payee_id, b.ref, b.country, b.last_four, b.state, b.name_check, b.active_at, b.pays_from, b.created_at`

func readBanks(ctx context.Context, db *gorm.DB, where string, args ...any) (list []Bank, err error) {
	if err := db.WithContext(ctx).Raw(`SELECT `+bankColumns+` FROM payee_banks b `+where, args...).Scan(&list).Error; err != nil {
		return nil, fmt.Errorf("read bank accounts: %w", err)
	}
	return list, nil
}

// BankOf is the bank account to which an account's money is paid out; none without one. In a transaction it stays so until the end.
func (s *Service) BankOf(ctx context.Context, db *gorm.DB, name, ref string) (Bank, error) {
	list, err := readBanks(ctx, db, `JOIN payees p ON p.id = b.payee_id WHERE p.provider = ? AND p.ref = ? AND p.ref <> '' AND b.state = 'active' FOR SHARE OF b`, name, ref)
	if err != nil || len(list) == 0 {
		return Bank{}, err
	}
	return list[0], nil
}

// ShownBanks are the bank accounts that the owner of an account sees: the one in use, and before it the newest if that is another.
func (s *Service) ShownBanks(ctx context.Context, payeeID string) (shown []Bank, err error) {
	var list []Bank
	err = s.db.WithContext(ctx).Raw(`SELECT `+bankColumns+`, coalesce((SELECT m.state IN ('refused', 'returned') FROM settlement_moves m
			WHERE m.kind = 'payout' AND m.destination = b.ref AND b.ref <> '' ORDER BY m.at DESC LIMIT 1), false) AS has_failed
		FROM payee_banks b WHERE b.payee_id = ? ORDER BY b.created_at DESC, b.id DESC`, payeeID).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read bank accounts: %w", err)
	}
	for i, b := range list {
		if i == 0 || b.State == BankActive {
			shown = append(shown, b)
		}
		if b.State == BankActive {
			break
		}
	}
	return shown, nil
}

// banker is the provider of a name that pays out to bank accounts of ours. Error: ConfigurationError (provider_off) when there is none.
func (s *Service) banker(name string) (provider.PayeeBanks, error) {
	if p, has := s.providers[name].(provider.PayeeBanks); has {
		return p, nil
	}
	return nil, apperr.New(apperr.ConfigurationError).WithCode("provider_off")
}

// ofBanks is a person's own account, which can have a bank account. Error: PayoutBankNotReady.
func (s *Service) ofBanks(ctx context.Context, userID int64, name string) (Payee, provider.PayeeBanks, error) {
	prov, err := s.banker(name)
	if err != nil {
		return Payee{}, nil, err
	}
	p, err := s.Own(ctx, userID, name, "")
	if errors.Is(err, apperr.New(apperr.NotFound)) {
		return p, nil, apperr.New(apperr.PayoutBankNotReady)
	}
	if p, err = s.fresh(ctx, p, err); err == nil && p.State != Ready && p.State != Restricted {
		err = apperr.New(apperr.PayoutBankNotReady)
	}
	return p, prov, err
}

// BankFields is what is asked of a bank account of a person's in a country. Errors: PayoutBankNotReady, PayeeRefused of a country where
// something is asked that we do not ask for, those of the provider.
func (s *Service) BankFields(ctx context.Context, userID int64, name, country string) ([]provider.BankField, error) {
	p, prov, err := s.ofBanks(ctx, userID, name)
	if err != nil {
		return nil, err
	}
	list, err := prov.BankFields(ctx, p.Kind, country)
	if errors.Is(err, provider.ErrRefused) {
		err = apperr.New(apperr.PayeeRefused).Wrap(err)
	}
	return list, err
}

// AddBank registers a bank account of a person's at a provider. The one in use stays so until its owner has confirmed the new one; one that
// waits for that is given up. Errors: PayoutBankNotReady, PayeeRefused when the provider does not take it, ProviderUnavailable while it is not
// known what came of a call.
func (s *Service) AddBank(ctx context.Context, userID int64, name string, o provider.BankOrder) (Bank, error) {
	p, prov, err := s.ofBanks(ctx, userID, name)
	if err != nil {
		return Bank{}, err
	}
	open, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND state = 'asking'`, p.ID)
	if err == nil && len(open) > 0 {
		err = s.lookBanks(ctx, p)
	}
	if err != nil {
		return Bank{}, err
	}
	b := Bank{ID: ids.New(), PayeeID: p.ID, Country: o.IBAN[:2], LastFour: o.IBAN[len(o.IBAN)-4:], State: BankAsking, CreatedAt: s.now()}
	if err := s.writeBank(ctx, b); err != nil {
		return Bank{}, err
	}
	o.Key, o.ID, o.Payee, o.Kind = "bank:"+b.ID, b.ID, p.Ref, p.Kind
	made, err := prov.NewBank(ctx, o)
	saving, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookTimeout)
	defer cancel()
	switch {
	case errors.Is(err, provider.ErrBurned): // it hides what came of it
		return b, apperr.New(apperr.ProviderUnavailable).Wrap(err)
	case errors.Is(err, provider.ErrRefused), errors.Is(err, provider.ErrNotFound):
		_, failed := s.stepBank(saving, b, NotTaken, provider.PayeeBank{})
		return b, errors.Join(apperr.New(apperr.PayeeRefused).Wrap(err), failed)
	case err != nil:
		return b, err
	}
	b, err = s.stepBank(saving, b, BankEvent(made.State), made)
	s.endDropped(saving, prov, p)
	return b, err
}

// writeBank writes the row of a bank account before it is asked for; one that waits for its owner is given up. Error: ProviderUnavailable
// while it is not known what came of another one.
func (s *Service) writeBank(ctx context.Context, b Bank) error {
	err := dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		tx = tx.WithContext(ctx)
		if err := tx.Exec(`SELECT FROM payees WHERE id = ? FOR UPDATE`, b.PayeeID).Error; err != nil {
			return err
		}
		open, err := readBanks(ctx, tx, `WHERE payee_id = ? AND state IN ('asking', 'pending')`, b.PayeeID)
		if err != nil {
			return err
		}
		for _, one := range open {
			to := nextBank(one.State, Dropped)
			if to == one.State {
				return apperr.New(apperr.ProviderUnavailable).RetryAfter(max(callLife-b.CreatedAt.Sub(one.CreatedAt), time.Second))
			}
			if err := tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE id = ?`, to, b.CreatedAt, one.ID).Error; err != nil {
				return err
			}
		}
		return tx.Exec(`INSERT INTO payee_banks (id, payee_id, country, last_four, state, created_at, updated_at) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			b.ID, b.PayeeID, b.Country, b.LastFour, b.State, b.CreatedAt, b.CreatedAt).Error
	})
	if err != nil {
		return fmt.Errorf("write a bank account: %w", err)
	}
	return nil
}

// stepBank takes a bank account a step on, and tells its person when money goes to it from now on, or does no more. was is how it was when what
// is said of it was asked; that the provider has it nowhere counts only while it is so.
func (s *Service) stepBank(ctx context.Context, was Bank, e BankEvent, seen provider.PayeeBank) (b Bank, err error) {
	isTold := false
	err = dbx.InTx(ctx, s.db, func(tx *gorm.DB) error {
		isTold = false
		tx = tx.WithContext(ctx)
		owners, err := read(ctx, tx, `WHERE id = ? FOR UPDATE`, was.PayeeID)
		if err != nil || len(owners) == 0 {
			return errors.Join(err, gorm.ErrRecordNotFound)
		}
		list, err := readBanks(ctx, tx, `WHERE id = ? FOR UPDATE`, was.ID)
		if err != nil || len(list) == 0 {
			return errors.Join(err, gorm.ErrRecordNotFound)
		}
		owner, now := owners[0], s.now()
		b = list[0]
		before := b.State
		if e == SeenNowhere && b.State != was.State {
			return nil
		}
		if b.State = nextBank(before, e); owner.UserID == nil && (b.State == BankPending || b.State == BankActive) {
			b.State = BankEnding // whose it was has erased themselves
		}
		if b.Ref == "" {
			b.Ref = seen.Ref
		}
		if seen.Name != "" {
			b.NameCheck = seen.Name
		}
		change := contentclient.PayeeBankChangeChange("")
		switch {
		case b.State == BankActive && before != BankActive:
			if change, err = s.activate(ctx, tx, &b, now); err != nil {
				return err
			}
		case before == BankActive && b.State != BankActive:
			change = contentclient.BankRemoved
		}
		err = tx.Exec(`UPDATE payee_banks SET ref = @ref, state = @state, name_check = @name, active_at = @active, pays_from = @pays, updated_at = @now WHERE id = @id`,
			map[string]any{"ref": b.Ref, "state": b.State, "name": b.NameCheck, "active": b.ActiveAt, "pays": b.PaysFrom, "now": now, "id": b.ID}).Error
		if err != nil || change == "" || owner.UserID == nil {
			return err
		}
		isTold = true
		told := contentclient.PayeeBankChange{Change: change, Country: b.Country, LastFour: b.LastFour}
		if b.State == BankActive {
			told.PaysFrom = b.PaysFrom
		}
		return tellMore(ctx, tx, owner, func(e *contentclient.PayeeEvent) { e.Bank = &told })
	})
	if err != nil {
		return was, fmt.Errorf("take bank account %s on: %w", was.ID, err)
	}
	if isTold {
		s.wakeEvents()
	}
	return b, nil
}

// activate puts a bank account into use, in the place of the one before: also of one that its person had by an earlier account at the provider, since who
// replaces the account replaces where the money goes.
func (s *Service) activate(ctx context.Context, tx *gorm.DB, b *Bank, now time.Time) (change contentclient.PayeeBankChangeChange, err error) {
	earlier, err := readBanks(ctx, tx, `JOIN payees p ON p.id = b.payee_id JOIN payees n ON n.id = ? AND n.provider = p.provider AND (n.id = p.id OR n.user_id = p.user_id)
		WHERE b.active_at IS NOT NULL AND b.id <> ?`, b.PayeeID, b.ID)
	if err != nil {
		return "", err
	}
	from := paysFrom(now, len(earlier) == 0)
	b.ActiveAt, b.PaysFrom, change = &now, &from, contentclient.BankAdded
	for _, one := range earlier {
		if one.State != BankActive || one.PayeeID != b.PayeeID { // which another account of theirs goes on to be paid by
			continue
		}
		change = contentclient.BankReplaced
		if err := tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE id = ?`, nextBank(one.State, Dropped), now, one.ID).Error; err != nil {
			return "", err
		}
	}
	return change, nil
}

// keepBank keeps the bank account that a provider pays out to which its owner has told the provider and not us, in the place of the one before; nil
// when there is none. The account's row is locked. It gives what its person is told, if anything.
func (s *Service) keepBank(ctx context.Context, tx *gorm.DB, p Payee, seen *provider.OwnBank, now time.Time) (told *contentclient.PayeeBankChange, err error) {
	if _, isOurs := s.providers[p.Provider].(provider.PayeeBanks); isOurs {
		return nil, nil
	}
	rows, err := readBanks(ctx, tx, `WHERE payee_id = ? ORDER BY created_at FOR UPDATE`, p.ID)
	if err != nil {
		return nil, err
	}
	if p.UserID == nil || p.State == Closed || seen != nil && (len(seen.Country) != 2 || len(seen.LastFour) != 4) {
		seen = nil
	}
	var b Bank
	for _, one := range rows {
		if seen != nil && one.Ref == seen.Ref {
			b = one
		} else if one.State == BankActive && seen == nil {
			told = &contentclient.PayeeBankChange{Change: contentclient.BankRemoved, Country: one.Country, LastFour: one.LastFour}
		}
	}
	if seen != nil && b.State != BankActive {
		if b.ID == "" {
			b = Bank{ID: ids.New(), PayeeID: p.ID, Ref: seen.Ref, Country: seen.Country, LastFour: seen.LastFour, CreatedAt: now}
		}
		b.State = BankActive
		change, err := s.activate(ctx, tx, &b, now)
		if err != nil {
			return nil, err
		}
		told = &contentclient.PayeeBankChange{Change: change, Country: b.Country, LastFour: b.LastFour, PaysFrom: b.PaysFrom}
		err = tx.Exec(`INSERT INTO payee_banks (id, payee_id, ref, country, last_four, state, active_at, pays_from, created_at, updated_at)
			VALUES (@id, @payee, @ref, @country, @four, @state, @active, @pays, @now, @now)
			ON CONFLICT (id) DO UPDATE SET state = excluded.state, active_at = excluded.active_at, pays_from = excluded.pays_from, updated_at = excluded.updated_at`,
			map[string]any{"id": b.ID, "payee": b.PayeeID, "ref": b.Ref, "country": b.Country, "four": b.LastFour, "state": b.State, "active": b.ActiveAt,
				"pays": b.PaysFrom, "now": now}).Error
		if err != nil {
			return nil, err
		}
	}
	// There is nothing to end at the provider: its owner has done that.
	return told, tx.Exec(`UPDATE payee_banks SET state = ?, updated_at = ? WHERE payee_id = ? AND state IN ('active', 'ending') AND id <> ?`,
		BankEnded, now, p.ID, b.ID).Error
}

// lookBanks asks the provider about the bank accounts of an account, and has those end there that are in use no more.
func (s *Service) lookBanks(ctx context.Context, p Payee) error {
	prov, has := s.providers[p.Provider].(provider.PayeeBanks)
	if !has {
		return nil
	}
	rows, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND (state IN ('asking', 'pending', 'active', 'ending') OR state IN ('unmade', 'refused') AND created_at > ?)
		ORDER BY created_at`, p.ID, s.now().Add(-turnsUpFor))
	if err != nil || len(rows) == 0 {
		return err
	}
	there, err := prov.Banks(ctx, p.Ref)
	if errors.Is(err, provider.ErrNotFound) {
		if p.State != Closed {
			return nil // the whole account, which is not believed yet: see miss
		}
		there, err = nil, nil
	}
	if err != nil {
		return err
	}
	for _, b := range rows {
		e, seen := SeenNowhere, provider.PayeeBank{}
		for _, one := range there {
			if one.ID == b.ID || b.Ref != "" && one.Ref == b.Ref {
				e, seen = BankEvent(one.State), one
			}
		}
		if e == SeenNowhere && b.State == BankAsking && s.now().Sub(b.CreatedAt) < callLife {
			continue
		}
		if _, failed := s.stepBank(ctx, b, e, seen); failed != nil {
			err = errors.Join(err, failed)
		}
	}
	s.endDropped(ctx, prov, p)
	return err
}

// turnsUpFor is how long a bank account that was not there is looked for.
const turnsUpFor = 48 * time.Hour

// endDropped has the bank accounts of an account end at the provider that are in use no more. What fails is done by the next look, and stops
// no other.
func (s *Service) endDropped(ctx context.Context, prov provider.PayeeBanks, p Payee) {
	list, err := readBanks(ctx, s.db, `WHERE payee_id = ? AND state = 'ending'`, p.ID)
	for _, b := range list {
		failed := prov.EndBank(ctx, b.Ref)
		if failed == nil {
			_, failed = s.stepBank(ctx, b, SeenEnded, provider.PayeeBank{Ref: b.Ref})
		}
		err = errors.Join(err, failed)
	}
	if err != nil {
		s.log.WarnContext(ctx, "a bank account has not ended at its provider yet", "provider", p.Provider, "error", err)
	}
}

// OwnBank is a person's bank account at a provider. Error: NotFound also of one that is somebody else's.
func (s *Service) OwnBank(ctx context.Context, userID int64, name, id string) (Bank, Payee, error) {
	list, err := readBanks(ctx, s.db, `JOIN payees p ON p.id = b.payee_id WHERE b.id = ? AND p.user_id = ? AND p.provider = ?`, id, userID, name)
	if err == nil && len(list) == 0 {
		err = apperr.New(apperr.NotFound)
	}
	if err != nil {
		return Bank{}, Payee{}, err
	}
	owners, err := read(ctx, s.db, `WHERE id = ?`, list[0].PayeeID)
	return list[0], first(owners), err
}

// BankStep is where a person confirms their bank account; "" when there is nothing to confirm. It gives the account as it is then. Errors:
// NotFound, those of the provider.
func (s *Service) BankStep(ctx context.Context, userID int64, name, id, returnURL string) (Bank, string, error) {
	prov, err := s.banker(name)
	if err != nil {
		return Bank{}, "", err
	}
	b, p, err := s.OwnBank(ctx, userID, name, id)
	if err != nil || b.State != BankPending {
		return b, "", err
	}
	address, err := prov.BankStep(ctx, b.Ref, returnURL)
	if err == nil && address == "" || errors.Is(err, provider.ErrNotFound) {
		if err = s.lookBanks(ctx, p); err == nil {
			b, _, err = s.OwnBank(ctx, userID, name, id)
		}
	}
	return b, address, err
}

// TellPayout tells a creator in the caller's transaction what has become of a payout to a bank account of theirs, by its id at the provider;
// nobody when they have erased themselves.
func (s *Service) TellPayout(ctx context.Context, tx *gorm.DB, name, bank string, out contentclient.PayeePayout) error {
	list, err := readBanks(ctx, tx, `JOIN payees p ON p.id = b.payee_id WHERE p.provider = ? AND b.ref = ?`, name, bank)
	if err != nil || len(list) == 0 {
		return err
	}
	owners, err := read(ctx, tx, `WHERE id = ? AND user_id IS NOT NULL FOR UPDATE`, list[0].PayeeID)
	if err != nil || len(owners) == 0 {
		return err
	}
	out.Country, out.LastFour = list[0].Country, list[0].LastFour
	return tellMore(ctx, tx, owners[0], func(e *contentclient.PayeeEvent) { e.Payout = &out })
}

// TellTaxReminder reminds a creator in the caller's transaction of their tax data; false when they have no account to be paid to.
func (s *Service) TellTaxReminder(ctx context.Context, tx *gorm.DB, userID int64, reminder contentclient.PayeeTaxReminder) (told bool, err error) {
	list, err := read(ctx, tx, `WHERE user_id = ? AND ref <> '' AND state <> 'closed' ORDER BY id LIMIT 1 FOR UPDATE`, userID)
	if err != nil || len(list) == 0 {
		return false, err
	}
	return true, tellMore(ctx, tx, list[0], func(e *contentclient.PayeeEvent) { e.TaxReminder = &reminder })
}

// tellMore tells the content service something about an account besides how it is; its row is locked.
func tellMore(ctx context.Context, tx *gorm.DB, p Payee, more func(*contentclient.PayeeEvent)) error {
	p.EventSequence++
	e := p.event()
	more(&e)
	if err := events.AddPayee(ctx, tx, p.ID, e); err != nil {
		return err
	}
	if err := tx.WithContext(ctx).Exec(`UPDATE payees SET event_sequence = ? WHERE id = ?`, p.EventSequence, p.ID).Error; err != nil {
		return fmt.Errorf("number an event of a creator's account: %w", err)
	}
	return nil
}

// EndBank has nothing more paid out to a person's bank account. A repeat changes nothing. Errors: NotFound, ProviderUnavailable while it is
// not known whether the provider has it.
func (s *Service) EndBank(ctx context.Context, userID int64, name, id string) error {
	b, p, err := s.OwnBank(ctx, userID, name, id)
	if err != nil {
		return err
	}
	prov, err := s.banker(name)
	if err == nil {
		b, err = s.stepBank(ctx, b, Dropped, provider.PayeeBank{})
	}
	if err != nil {
		return err
	}
	if b.State == BankAsking {
		return apperr.New(apperr.ProviderUnavailable).RetryAfter(max(callLife-s.now().Sub(b.CreatedAt), time.Second))
	}
	s.endDropped(ctx, prov, p)
	return nil
}

// forgetBanks forgets which bank accounts a person's are, and has them end at the provider.
func forgetBanks(ctx context.Context, tx *gorm.DB, userID int64, now time.Time) error {
	return tx.WithContext(ctx).Exec(`UPDATE payee_banks SET country = '', last_four = '', updated_at = ?,
			state = CASE WHEN state IN ('pending', 'active') THEN 'ending' ELSE state END
		WHERE payee_id IN (SELECT id FROM payees WHERE user_id = ?)`, now, userID).Error
}
