package settlements

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"talkoot.fi/kit/typed"
)

// IsTheirs reports whether a name is an operator's to whom the money of a creator is paid, by the number that the book has of them: who decides
// about it is somebody else.
func IsTheirs(ctx context.Context, db *gorm.DB, provider string, payee int64, name string) (is bool, err error) {
	err = db.WithContext(ctx).Raw(`SELECT EXISTS (SELECT FROM operators o WHERE lower(btrim(o.name)) = lower(btrim(@name)) AND (o.user_id = @payee
		OR EXISTS (SELECT FROM payees p JOIN settlement_runs r ON r.provider = p.provider AND r.payee_ref = p.ref
			WHERE p.user_id = o.user_id AND p.ref <> '' AND r.provider = @provider AND r.payee_id = @payee)))`,
		map[string]any{"name": name, "provider": provider, "payee": payee}).Scan(&is).Error
	if err != nil {
		return false, fmt.Errorf("ask whether creator %d is an operator: %w", payee, err)
	}
	return is, nil
}

// notTheirs keeps a person from deciding about their own money. Error: ErrOwnMoney.
func notTheirs(ctx context.Context, db *gorm.DB, provider string, payee int64, name string) error {
	isTheirs, err := IsTheirs(ctx, db, provider, payee, name)
	if err == nil && isTheirs {
		err = ErrOwnMoney
	}
	return err
}

// Counts is true of a row a of settlement_approvals while its person answers for money, as trigger settlement_approvals_operator asks when it is
// written: else somebody else approves.
const Counts = `EXISTS (SELECT FROM operators o WHERE lower(btrim(o.name)) = lower(btrim(a.actor)) AND o.is_operator
	AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id))`

// operator is the name under which a person answers for money now, however it was typed. Error: ErrNoOperator.
func operator(ctx context.Context, db *gorm.DB, actor string) (string, error) {
	var names []string
	err := db.WithContext(ctx).Raw(`SELECT DISTINCT name FROM operators o WHERE o.is_operator AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id)`).
		Scan(&names).Error
	if err != nil {
		return "", fmt.Errorf("read who answers for money: %w", err)
	}
	for _, name := range names {
		if typed.Same(name, actor) {
			return name, nil
		}
	}
	return "", fmt.Errorf("%s %w", actor, ErrNoOperator)
}
