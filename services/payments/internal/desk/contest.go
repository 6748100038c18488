package desk

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/money"
	"talkoot.fi/payments/internal/api"
	"talkoot.fi/payments/internal/charging/calendar"
	"talkoot.fi/payments/internal/charging/payments"
	"talkoot.fi/payments/internal/contentclient"
	"talkoot.fi/payments/internal/moneyback/disputes"
	"talkoot.fi/payments/internal/provider"
)

// DeskDispute shows a dispute with what can be said to its bank.
func (h *Handlers) DeskDispute(c echo.Context, disputeID int64) error {
	ctx := c.Request().Context()
	if _, err := h.staff(c); err != nil {
		return err
	}
	list, err := h.disputes(ctx, `WHERE id = ?`, disputeID)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return apperr.New(apperr.NotFound)
	}
	sent, err := disputes.SentOf(ctx, h.DB, disputeID)
	if err != nil {
		return err
	}
	isAgain, wants, err := disputes.AskedAgain(ctx, h.DB, disputeID)
	if err != nil {
		return err
	}
	out := api.DeskDisputeCase{Dispute: list[0], Can: h.canContest(list[0], sent), AskedAgain: isAgain, Wants: filled(wants)}
	if sent != nil {
		out.SentAt, out.SentBy, out.Note = at(&sent.At), filled(sent.Actor), filled(sent.Note)
		if sent.Evidence.Statement != "" {
			out.Evidence = &sent.Evidence
		}
	} else if out.Can == api.ContestYes {
		draft, err := h.draft(ctx, list[0])
		if err != nil {
			return err
		}
		out.Evidence = &draft
	}
	return c.JSON(http.StatusOK, out)
}

// canContest says whether evidence can be sent.
func (h *Handlers) canContest(d api.DeskDispute, sent *disputes.Sent) api.DeskDisputeCaseCan {
	isOpen := d.Status == string(disputes.Open) || d.Status == string(disputes.Inquiry)
	switch {
	case sent != nil && sent.State == "taken":
		return api.ContestSent
	case !isOpen:
		return api.ContestDecided
	case sent != nil:
		return api.ContestUnknown
	case h.Contests[d.Provider] == nil:
		return api.ContestAtProvider
	}
	return api.ContestYes
}

// DeskContest sends evidence to the bank of a dispute. It does once each time that the bank asks, so whoever has disputed the charge must not be who answers.
func (h *Handlers) DeskContest(c echo.Context, disputeID int64) error {
	var body api.DeskContestJSONRequestBody
	if err := c.Bind(&body); err != nil {
		return err
	}
	return h.actOnCharge(c, `disputes`, disputeID, body.Note, func(ctx context.Context, op payments.Operator) error {
		return disputes.Contest(ctx, h.DB, h.Contests, disputeID, body.Evidence, op.Actor, op.Note, h.Now())
	})
}

// draft is what is known of a disputed charge, in English: who paid when and how, what they were promised, what was sent, and what went back.
func (h *Handlers) draft(ctx context.Context, d api.DeskDispute) (e provider.Evidence, err error) {
	var p struct {
		SubjectKind, SubjectID, Method, ChargeRef string
		CreatedAt                                 time.Time
		PaidOn                                    *time.Time
		AmountMinor                               int64
	}
	err = h.DB.WithContext(ctx).Raw(`SELECT p.subject_kind, p.subject_id, p.created_at, p.paid_on, p.amount_minor, coalesce(p.method, '') AS method, coalesce(a.charge_ref, '') AS charge_ref
		FROM payments p LEFT JOIN attempts a ON a.id = p.paid_attempt_id WHERE p.id = ?`, d.PaymentID).Scan(&p).Error
	if err != nil {
		return e, fmt.Errorf("read what is disputed: %w", err)
	}
	var order contentclient.Order
	if err := ask(ctx, &order, func(ctx context.Context) (*http.Response, error) {
		return h.Content.Order(ctx, contentclient.SubjectKind(p.SubjectKind), p.SubjectID)
	}); err != nil {
		return e, err
	}
	e = provider.Evidence{CustomerName: order.Name, CustomerEmail: order.Email,
		Product: fmt.Sprintf("%s, on the crowdfunding platform Talkoot. Campaign: %s (%s).", order.Description, order.CampaignTitle, h.campaignURL(order.CampaignID)),
		Policy: "A pledge can be taken back without a reason until its campaign ends, on the backer's own page or by the link in the receipt; afterwards as the law on " +
			"distance selling says. Both are said before paying, in the receipt and at " + h.PublicURL + "/en/info/terms/."}
	story := []string{fmt.Sprintf("%s: the customer began to pay %s.", day(p.CreatedAt), money.New(p.AmountMinor, money.Currency(d.Currency)))}
	if p.PaidOn != nil {
		story = append(story, fmt.Sprintf("%s: paid with %s, charge %s. A receipt was sent to %s.", p.PaidOn.Format(time.DateOnly), p.Method, p.ChargeRef, order.Email))
	}
	if p.SubjectKind == string(contentclient.Subscription) {
		e.Policy = "Monthly support can be ended at any time on the supporter's own page, and then no further month is charged. This is said before the first payment and at " +
			h.PublicURL + "/en/info/terms/."
	}
	if p.SubjectKind == string(contentclient.Pledge) {
		var bought contentclient.BoughtPledge
		if err := ask(ctx, &bought, func(ctx context.Context) (*http.Response, error) { return h.Content.BoughtPledge(ctx, p.SubjectID) }); err != nil {
			return e, err
		}
		// Not by the order's own words, which are in the backer's language.
		e.Product = fmt.Sprintf("A pledge to the campaign %s (%s) on the crowdfunding platform Talkoot:\n%s", order.CampaignTitle, h.campaignURL(order.CampaignID),
			strings.Join(bought.Lines, "\n"))
		if bought.ShippingAddress != nil {
			e.ShippingAddress = *bought.ShippingAddress
		}
		if bought.SentOn != nil {
			e.ShippingDate = bought.SentOn.Format(time.DateOnly)
			story = append(story, e.ShippingDate+": the creator has sent the reward.")
		}
		if bought.WithdrawalUntil != nil {
			story = append(story, "The customer could take the pledge back without a reason until "+day(*bought.WithdrawalUntil)+", and had not done so when the bank opened this dispute.")
		}
	}
	var back []struct {
		AmountMinor int64
		SettledAt   time.Time
	}
	err = h.DB.WithContext(ctx).Raw(`SELECT amount_minor, settled_at FROM refunds WHERE payment_id = ? AND settled_at IS NOT NULL AND status = 'succeeded' ORDER BY settled_at`,
		d.PaymentID).Scan(&back).Error
	if err != nil {
		return e, fmt.Errorf("read what went back: %w", err)
	}
	for _, r := range back {
		story = append(story, fmt.Sprintf("%s: %s were refunded.", day(r.SettledAt), money.New(r.AmountMinor, money.Currency(d.Currency))))
	}
	e.Statement = strings.Join(append(story, fmt.Sprintf("%s: the bank opened the dispute.", day(d.OpenedAt))), "\n")
	return e, nil
}

// ask reads an answer of the content service about one thing. Errors: NotFound, Unavailable.
func ask(ctx context.Context, into any, call func(context.Context) (*http.Response, error)) error {
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	response, err := call(ctx)
	if err != nil {
		if failed := (*url.Error)(nil); errors.As(err, &failed) { // its text has the id of what was asked about, which belongs into no log
			err = failed.Err
		}
		return unavailable(err)
	}
	defer func() { _ = response.Body.Close() }()
	switch response.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound:
		return apperr.New(apperr.NotFound)
	default:
		return unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	if err := json.NewDecoder(io.LimitReader(response.Body, maxContentBytes)).Decode(into); err != nil {
		return unavailable(err)
	}
	return nil
}

func (h *Handlers) campaignURL(id int64) string { return fmt.Sprintf("%s/en/%d/", h.PublicURL, id) }

func day(at time.Time) string { return calendar.DayOf(at).Format(time.DateOnly) }
