package desk

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/warnings"
)

func (h *Handlers) warnings(ctx context.Context, where string, args ...any) ([]api.DeskWarning, error) {
	list := []api.DeskWarning{}
	err := h.DB.WithContext(ctx).Raw(`SELECT w.id AS warning_id, w.payment_id, w.provider, w.status, w.reason, p.title, p.campaign_id, p.method, a.amount_minor, a.currency, w.opened_at
		FROM fraud_warnings w JOIN payments p ON p.id = w.payment_id JOIN attempts a ON a.id = w.attempt_id `+where, args...).Scan(&list).Error
	if err != nil {
		return nil, fmt.Errorf("read warnings: %w", err)
	}
	for i := range list {
		list[i].HeldUntil = list[i].OpenedAt.Add(warnings.Holds)
	}
	return list, nil
}

// DeskWarning shows a warning with who has paid, and what a refund would give back and cost.
func (h *Handlers) DeskWarning(c echo.Context, warningID api.DeskWarningID) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	list, err := h.warnings(ctx, `WHERE w.id = ?`, warningID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return apperr.New(apperr.NotFound)
	}
	out := api.DeskWarningCase{Warning: list[0]}
	if out.LeftMinor, out.CreatorMinor, err = h.Payments.CostOfRefund(ctx, warningID); err != nil {
		return refusal(err)
	}
	if out.CanReopen, err = h.Payments.MayReopen(ctx, warningID); err != nil {
		return refusal(err)
	}
	support, err := h.Support.OnCardOf(ctx, list[0].PaymentID)
	if err != nil {
		return err
	}
	out.Support = make([]api.DeskSupport, len(support))
	for i, s := range support {
		out.Support[i] = api.DeskSupport{Title: s.Title, AmountMinor: s.AmountMinor, Currency: s.Currency}
	}
	out.PayerName, out.PayerEmail = h.payer(ctx, list[0].PaymentID)
	return c.JSON(http.StatusOK, out)
}

// payer is who has made a payment; nil when the content service does not know them, or does not answer: an operator can do without.
func (h *Handlers) payer(ctx context.Context, paymentID string) (name, email *string) {
	p, err := h.Payments.Payment(ctx, paymentID)
	if err != nil || p.Subject.Kind != string(contentclient.Pledge) && p.Subject.Kind != string(contentclient.Subscription) {
		return nil, nil
	}
	var order contentclient.Order
	err = ask(ctx, &order, func(ctx context.Context) (*http.Response, error) {
		return h.Content.Order(ctx, contentclient.SubjectKind(p.Subject.Kind), p.Subject.ID)
	})
	if err != nil {
		return nil, nil
	}
	return filled(order.Name), filled(order.Email)
}

// actOnWarned does an act on a warning of a charge that is not the operator's own. Errors: those of actOnCharge.
func (h *Handlers) actOnWarned(c echo.Context, warningID int64, note string, act func(ctx context.Context, op payments.Operator) error) error {
	return h.actOnCharge(c, `fraud_warnings`, warningID, note, act)
}

// actOnCharge does an act about a charge, by its row in a table, that whoever acts has not paid, with whatever account or without, and that pays no campaign
// of theirs. Errors: those of actOn; OwnMoney.
func (h *Handlers) actOnCharge(c echo.Context, table string, id int64, note string, act func(ctx context.Context, op payments.Operator) error) error {
	return h.actOn(c, note, func(ctx context.Context, op payments.Operator) error {
		var of []struct{ ID, SubjectKind, SubjectID string }
		err := h.DB.WithContext(ctx).Raw(`SELECT p.id, p.subject_kind, p.subject_id FROM `+table+` x JOIN payments p ON p.id = x.payment_id WHERE x.id = ?`, id).Scan(&of).Error
		if err != nil {
			return fmt.Errorf("read whose charge an act is about: %w", err)
		}
		for _, one := range of {
			if err := warnings.NotTheirs(ctx, h.DB, one.ID, op.Actor); err != nil {
				return err //nolint:wrapcheck // it says all
			}
			if one.SubjectKind == payments.Unclaimed {
				continue
			}
			isTheirs, err := h.isWith(c, one.SubjectKind, one.SubjectID)
			if err != nil {
				return err
			}
			if isTheirs {
				return warnings.ErrOwnMoney
			}
		}
		return act(ctx, op)
	})
}

// isWith reports whether an order was made by the person whose session a call has: in their account, as a guest, or in another account with their address.
func (h *Handlers) isWith(c echo.Context, kind, id string) (bool, error) {
	ctx, session := c.Request().Context(), c.Request().Header.Get(echo.HeaderAuthorization)
	if isTheirs, err := h.Holds(ctx, kind, id, session); err != nil || isTheirs {
		return isTheirs, err
	}
	who, err := h.Whose(ctx, session)
	if err != nil {
		return false, err
	}
	var order contentclient.Order
	err = ask(ctx, &order, func(ctx context.Context) (*http.Response, error) {
		return h.Content.Order(ctx, contentclient.SubjectKind(kind), id)
	})
	if errors.Is(err, apperr.New(apperr.NotFound)) { // whose it was has erased themselves
		return false, nil
	}
	return err == nil && strings.EqualFold(order.Email, who.Email), err
}

// DeskRefundWarned gives back what was reported as fraud, and ends monthly support with the same card when that is asked. A repeat does what is left
// of it.
func (h *Handlers) DeskRefundWarned(c echo.Context, warningID api.DeskWarningID) error {
	var body api.DeskRefundWarnedJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOnWarned(c, warningID, body.Note, func(ctx context.Context, op payments.Operator) error {
		if err := h.Payments.RefundWarned(ctx, warningID, op); err != nil || !or(body.EndSupport, false) {
			return err
		}
		return h.endSupport(ctx, warningID, op)
	})
}

// endSupport ends the monthly support that is charged to the card of a warned pledge, each with its act.
func (h *Handlers) endSupport(ctx context.Context, warningID int64, op payments.Operator) error {
	list, err := h.warnings(ctx, `WHERE w.id = ?`, warningID)
	if err != nil || len(list) == 0 {
		return err
	}
	support, err := h.Support.OnCardOf(ctx, list[0].PaymentID)
	if err != nil {
		return err
	}
	for _, s := range support { // noted first: what is noted and has not ended is ended by a repeat
		if err := h.Payments.NoteSupportEnded(ctx, list[0].PaymentID, s.ID, op); err != nil {
			return err
		}
		if err := h.Support.EndReported(ctx, s.ID); err != nil {
			return err
		}
	}
	return nil
}

// DeskDismissWarning leaves a charge as it is.
func (h *Handlers) DeskDismissWarning(c echo.Context, warningID api.DeskWarningID) error {
	var body api.DeskDismissWarningJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOnWarned(c, warningID, body.Note, func(ctx context.Context, op payments.Operator) error {
		return h.Payments.DismissWarning(ctx, warningID, op)
	})
}

// DeskReopenWarning has a warning that was dismissed be decided about anew.
func (h *Handlers) DeskReopenWarning(c echo.Context, warningID api.DeskWarningID) error {
	var body api.DeskReopenWarningJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOnWarned(c, warningID, body.Note, func(ctx context.Context, op payments.Operator) error {
		return h.Payments.ReopenWarning(ctx, warningID, op)
	})
}
