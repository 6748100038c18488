package desk

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/typed"
)

// ErrNoOperator means that a name is nobody's who answers for money now.
var ErrNoOperator = errors.New("answers for money by no account: an operator appoints who does (payments operator)")

// ErrOwnAppointment means that somebody gives an account to themselves.
var ErrOwnAppointment = errors.New("who acts by an account is said by another operator")

// ErrOtherPerson means that an account is another person's.
var ErrOtherPerson = errors.New("the account has acted under another name, which is its person's for good")

// Operator is a word about who answers for money at the desk.
type Operator struct {
	UserID int64
	// Name is the person's, as in the history of what they do; the same for all accounts of one person, and at the command line.
	Name        string
	IsOperator  bool
	Actor, Note string
	At          time.Time
}

// Appoint says that an account is an operator's from now on, or is none any more. It is the command line's alone: whoever has taken over an
// admin's account appoints nobody. An account keeps the name that it was given first, however it is typed later. Errors: a word without name,
// actor or note; ErrOtherPerson.
func Appoint(ctx context.Context, db *gorm.DB, o Operator) error {
	o.Name = typed.Line(o.Name)
	if o.UserID <= 0 || o.Name == "" || strings.TrimSpace(o.Actor) == "" || strings.TrimSpace(o.Note) == "" {
		return errors.New("say whose account it is, the person's name, who says so and why")
	}
	known, err := Operators(ctx, db)
	if err != nil {
		return err
	}
	for _, one := range known { // the oldest last: its spelling is everybody's
		isSame := typed.Same(one.Name, o.Name)
		if one.UserID == o.UserID && !isSame {
			return fmt.Errorf("account %d, %s: %w", o.UserID, one.Name, ErrOtherPerson)
		}
		if isSame {
			o.Name = one.Name
		}
	}
	err = db.WithContext(ctx).Exec(`INSERT INTO operators (user_id, name, is_operator, actor, note, at) VALUES (?, ?, ?, ?, ?, ?)`,
		o.UserID, o.Name, o.IsOperator, o.Actor, o.Note, o.At.UTC()).Error
	if err != nil {
		return fmt.Errorf("appoint an operator: %w", err)
	}
	return nil
}

// Acting is the name of the operator whom a command names, as it was given first, however it is typed. Error: ErrNoOperator.
func Acting(ctx context.Context, db *gorm.DB, name string) (string, error) {
	now, err := acting(ctx, db)
	if err != nil {
		return "", err
	}
	for _, one := range now {
		if typed.Same(one.Name, name) {
			return one.Name, nil
		}
	}
	return "", fmt.Errorf("%s %w", name, ErrNoOperator)
}

// Appointing is who appoints somebody by a command: an operator, but not themselves, or anybody while there is no operator, because somebody has to
// be the first. To say the same again is nothing new. Errors: ErrNoOperator, ErrOwnAppointment.
func Appointing(ctx context.Context, db *gorm.DB, o Operator) (string, error) {
	now, err := acting(ctx, db)
	if err != nil || len(now) == 0 && o.IsOperator {
		return o.Actor, err
	}
	name, err := Acting(ctx, db, o.Actor)
	isRepeat := slices.ContainsFunc(now, func(one Operator) bool { return one.UserID == o.UserID && typed.Same(one.Name, o.Name) })
	if err == nil && o.IsOperator && !isRepeat && typed.Same(name, o.Name) {
		err = fmt.Errorf("%s: %w", name, ErrOwnAppointment)
	}
	return name, err
}

// acting are the accounts that are operators' now.
func acting(ctx context.Context, db *gorm.DB) (list []Operator, err error) {
	err = db.WithContext(ctx).Raw(`SELECT o.user_id, o.name, o.is_operator FROM operators o
		WHERE o.is_operator AND o.number = (SELECT max(number) FROM operators WHERE user_id = o.user_id) ORDER BY o.number`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read who answers for money: %w", err)
	}
	return list, nil
}

// NameOf is the name under which an account acts; "" when it is no operator's. Index operators_latest serves it.
func NameOf(ctx context.Context, db *gorm.DB, userID int64) (name string, err error) {
	err = db.WithContext(ctx).Raw(`SELECT coalesce((SELECT CASE WHEN is_operator THEN name ELSE '' END FROM operators WHERE user_id = ?
		ORDER BY number DESC LIMIT 1), '')`, userID).Scan(&name).Error
	if err != nil {
		return "", fmt.Errorf("read who an operator is: %w", err)
	}
	return name, nil
}

// Operators lists the words about all accounts, the newest first.
func Operators(ctx context.Context, db *gorm.DB) (list []Operator, err error) {
	err = db.WithContext(ctx).Raw(`SELECT user_id, name, is_operator, actor, note, at FROM operators ORDER BY number DESC`).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("list the operators: %w", err)
	}
	return list, nil
}
