package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/app"
)

func refund(f flags) (act, error) {
	named := slices.DeleteFunc([]string{f.payment, f.repeat, f.byHand}, func(s string) bool { return s == "" })
	if len(named) != 1 {
		return nil, errors.New("refund: name one of -payment, -repeat, -by-hand")
	}
	if f.payment == "" && (f.amount != "" || f.all || f.key != "") {
		return nil, errors.New("refund: -amount, -all and -key are of a -payment only")
	}
	amount := int64(0) // all that is left
	if f.amount != "" {
		parsed, err := money.ParseMajor(f.amount, "")
		if err != nil || parsed.Minor == 0 {
			return nil, fmt.Errorf("refund: -amount %q is no amount", f.amount)
		}
		amount = parsed.Minor
	}
	switch {
	case f.payment == "":
	case (f.amount != "") == f.all:
		return nil, errors.New("refund: say how much, one of -amount, -all")
	case f.key == "":
		return nil, errors.New("refund: name the request (-key), so that asking twice is asking once")
	}
	return func(ctx context.Context, a *app.App, out io.Writer) error {
		switch {
		case f.repeat != "":
			r, err := a.Payments.RepeatRefund(ctx, f.repeat, f.Operator)
			return done(out, err, "refund %s takes the place of %s; the worker sends it", r.ID, f.repeat)
		case f.byHand != "":
			return done(out, a.Payments.RefundPaidByHand(ctx, f.byHand, f.Operator), "refund %s is paid by hand", f.byHand)
		}
		r, err := a.Payments.RefundByOperator(ctx, f.payment, amount, f.key, f.Operator)
		return done(out, err, "refund %s of %s is %s; the worker sends it", r.ID, r.Amount, r.Status)
	}, nil
}
