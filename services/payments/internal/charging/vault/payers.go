package vault

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/provider"
)

// Owner is whose a payer is: an account's, or that of a pledge or monthly support without one.
type Owner string

// OwnerOf is the account's, when there is one.
func OwnerOf(kind, id string, user *int64) Owner {
	if user != nil {
		return ofUser(*user)
	}
	return Owner(kind + ":" + id)
}

func ofUser(id int64) Owner { return Owner("user:" + strconv.FormatInt(id, 10)) }

// Person is what a provider wants to know of a payer whose instruments are registered; of others it is not used. It is never
// kept here.
type Person struct{ Name, Email string }

// Provider makes payers.
type Provider interface {
	Name() string
	NewPayer(ctx context.Context, o provider.PayerOrder) (payer string, err error)
}

// Payer gives an owner's payer at a provider, and makes it first when there is none. The provider keeps a failed call under its key for
// a day, which nobody waits for: then a key of the minute is tried. Errors: those of the provider.
func Payer(ctx context.Context, db *gorm.DB, prov Provider, owner Owner, person Person, now time.Time) (string, error) {
	db = db.WithContext(ctx)
	var row struct {
		Number int
		Ref    string
	}
	err := db.Raw(`INSERT INTO payers (owner, provider) VALUES (?, ?) ON CONFLICT (owner, provider) DO UPDATE SET owner = excluded.owner
		RETURNING number, ref`, owner, prov.Name()).Scan(&row).Error
	if err != nil {
		return "", fmt.Errorf("read a payer: %w", err)
	}
	if row.Ref != "" {
		return row.Ref, nil
	}
	order := provider.PayerOrder{Key: fmt.Sprintf("customer:%s:%d", owner, row.Number), ID: string(owner), Name: person.Name, Email: person.Email}
	ref, err := prov.NewPayer(ctx, order)
	if errors.Is(err, provider.ErrBurned) {
		order.Key += ":" + now.UTC().Format("2006-01-02T15:04")
		ref, err = prov.NewPayer(ctx, order)
	}
	if errors.Is(err, provider.ErrBurned) {
		err = apperr.New(apperr.ProviderUnavailable).Wrap(err)
	}
	if err != nil {
		return "", err
	}
	// Nothing is kept when the row was merged into another account's or erased meanwhile: whoever uses the payer sees to that.
	err = db.Exec(`UPDATE payers SET ref = ? WHERE owner = ? AND provider = ? AND number = ?`, ref, owner, prov.Name(), row.Number).Error
	if err != nil {
		return "", fmt.Errorf("keep a payer: %w", err)
	}
	return ref, nil
}

// Find gives an owner's payer at a provider; "" when there is none.
func Find(ctx context.Context, db *gorm.DB, provider string, owner Owner) (string, error) {
	var refs []string
	err := db.WithContext(ctx).Raw(`SELECT ref FROM payers WHERE owner = ? AND provider = ?`, owner, provider).Scan(&refs).Error
	if err != nil {
		return "", fmt.Errorf("find a payer: %w", err)
	}
	if len(refs) == 0 {
		return "", nil
	}
	return refs[0], nil
}

// Knows reports whether a payer at a provider is somebody's here.
func Knows(ctx context.Context, db *gorm.DB, provider, ref string) (knows bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM payers WHERE provider = ? AND ref = ? AND ref <> '')`, provider, ref).Scan(&knows).Error
	if err != nil {
		return false, fmt.Errorf("look for a payer: %w", err)
	}
	return knows, nil
}

// Merge makes the payers of one account another one's of the same person, where that has none, with the cards that are kept for them.
func Merge(ctx context.Context, tx *gorm.DB, from, into int64) error {
	err := tx.WithContext(ctx).Exec(`UPDATE payers p SET owner = @into WHERE owner = @from
		AND NOT EXISTS (SELECT FROM payers o WHERE o.owner = @into AND o.provider = p.provider)`,
		map[string]any{"from": ofUser(from), "into": ofUser(into)}).Error
	if err != nil {
		return fmt.Errorf("merge payers: %w", err)
	}
	return mergeCards(ctx, tx, from, into)
}

// Kept is a payer at a provider.
type Kept struct{ Provider, Ref string }

// Erase forgets whose the payers of an account are, and gives them, for the providers to delete. Kept cards are forgotten with them.
func Erase(ctx context.Context, tx *gorm.DB, user int64) ([]Kept, error) {
	if err := eraseCards(ctx, tx, user); err != nil {
		return nil, err
	}
	var list []Kept
	err := tx.WithContext(ctx).Raw(`DELETE FROM payers WHERE owner = ? RETURNING provider, ref`, ofUser(user)).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("erase payers: %w", err)
	}
	return list, nil
}
