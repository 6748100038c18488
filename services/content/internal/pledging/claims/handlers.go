package claims

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"
	"talkoot.fi/kit/ratelimit"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/api"
	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/person/profiles"
	"talkoot.fi/content/internal/pledging/receiptlinks"
	"talkoot.fi/content/internal/request"
)

// Handlers answers the public calls.
type Handlers struct {
	claims    *Service
	confirmed func(context.Context, session.Identity) error
}

// NewHandlers makes the handlers; holders.Guard belongs before them. confirmed is sessions.Service.Confirmed: what gives money back takes it.
func NewHandlers(claims *Service, confirmed func(context.Context, session.Identity) error) *Handlers {
	return &Handlers{claims, confirmed}
}

// actsOfPerson bounds how often one person acts on claims, in all their sessions: each act mails somebody.
var actsOfPerson = ratelimit.Per(60, time.Hour)

// PersonRules are the limits by person.
func PersonRules() ratelimit.Rules {
	rules := []ratelimit.Rule{{Name: "claims", Limit: actsOfPerson}}
	return ratelimit.Rules{"POST /pledges/:pledge_id/claim": rules, "POST /claims/:claim_id": rules, "POST /campaigns/:campaign_id/refunds": rules}
}

// Rules are the limits by address; links is how many links one may try.
func Rules(links ratelimit.Limit) ratelimit.Rules {
	rules := []ratelimit.Rule{{Name: "pledge_link", Limit: links}}
	return ratelimit.Rules{"POST /pledge-links/claim": rules, "POST /pledge-links/claim/act": rules}
}

// OwnClaim is the claim about the signed-in person's pledge.
func (h *Handlers) OwnClaim(ctx context.Context, r api.OwnClaimRequestObject) (api.OwnClaimResponseObject, error) {
	pledgeID, err := ownPledge(ctx, r.PledgeID)
	if err != nil {
		return nil, err
	}
	answer, err := h.claims.Own(ctx, pledgeID)
	return api.OwnClaim200JSONResponse(answer), err
}

// ActOnOwnClaim makes a claim about the signed-in person's pledge, or takes its next step.
func (h *Handlers) ActOnOwnClaim(ctx context.Context, r api.ActOnOwnClaimRequestObject) (api.ActOnOwnClaimResponseObject, error) {
	pledgeID, err := ownPledge(ctx, r.PledgeID)
	if err != nil {
		return nil, err
	}
	answer, err := h.actAsBacker(ctx, pledgeID, *r.Body)
	return api.ActOnOwnClaim200JSONResponse(answer), err
}

// ownPledge is the id of a pledge that holders.Guard has found to be the signed-in person's. Error: NotAuthenticated.
func ownPledge(ctx context.Context, text string) (string, error) {
	if _, err := session.Require(ctx); err != nil {
		return "", err
	}
	id, err := ids.Parse(text)
	if err != nil {
		return "", ErrUnknown
	}
	return id, nil
}

// OpenedClaim is the claim about the pledge that a link opens.
func (h *Handlers) OpenedClaim(ctx context.Context, r api.OpenedClaimRequestObject) (api.OpenedClaimResponseObject, error) {
	link, err := receiptlinks.Open(ctx, h.claims.db, r.Body.Token, h.claims.now())
	if err != nil {
		return nil, err
	}
	answer, err := h.claims.Own(ctx, link.PledgeID)
	return api.OpenedClaim200JSONResponse(answer), err
}

// ActOnOpenedClaim makes a claim about the pledge that a link opens, or takes its next step.
func (h *Handlers) ActOnOpenedClaim(ctx context.Context, r api.ActOnOpenedClaimRequestObject) (api.ActOnOpenedClaimResponseObject, error) {
	link, err := receiptlinks.Open(ctx, h.claims.db, r.Body.Token, h.claims.now())
	if err != nil {
		return nil, err
	}
	answer, err := h.actAsBacker(ctx, link.PledgeID, r.Body.Act)
	return api.ActOnOpenedClaim200JSONResponse(answer), err
}

func (h *Handlers) actAsBacker(ctx context.Context, pledgeID string, act api.OwnClaimAct) (a api.OwnClaimAnswer, err error) {
	w := Wish{Act: Act(act.Act), Key: act.Key, Version: request.Value(act.Version), Kind: Kind(request.Value(act.Kind)), Text: request.Value(act.Text)}
	if _, err := h.claims.Act(ctx, pledgeID, "", By{Role: Backer}, w); err != nil {
		return a, err
	}
	return h.claims.Own(ctx, pledgeID)
}

// Claims lists claims for a team, or for staff.
func (h *Handlers) Claims(ctx context.Context, r api.ClaimsRequestObject) (api.ClaimsResponseObject, error) {
	who, err := session.Require(ctx)
	if err != nil {
		return nil, err
	}
	language := languages.OfQuery(ctx, r.Params.Language)
	if string(r.Params.Of) == string(Staff) {
		if !who.Has(session.ScopeAdmin) {
			return nil, apperr.New(apperr.Forbidden)
		}
		answer, err := h.claims.OfStaff(ctx, who.UserID, language)
		return api.Claims200JSONResponse(answer), err
	}
	answer, err := h.claims.OfTeams(ctx, who.UserID, language)
	return api.Claims200JSONResponse(answer), err
}

// Claim is a claim's page.
func (h *Handlers) Claim(ctx context.Context, r api.ClaimRequestObject) (api.ClaimResponseObject, error) {
	c, by, _, err := h.open(ctx, r.ClaimID)
	if err != nil {
		return nil, err
	}
	answer, err := h.claims.Page(ctx, c, by.Role, languages.OfQuery(ctx, r.Params.Language))
	return api.Claim200JSONResponse(answer), err
}

// open reads a claim for somebody of its campaign's team, who answers, or an admin who has not made it, who decides; who is both answers.
// Errors: NotAuthenticated; ErrUnknown, also for all others.
func (h *Handlers) open(ctx context.Context, id string) (c row, by By, who session.Identity, err error) {
	if who, err = session.Require(ctx); err != nil {
		return c, by, who, err
	}
	if id, err = ids.Parse(id); err != nil {
		return c, by, who, ErrUnknown
	}
	c, found, err := read(ctx, h.claims.db, `WHERE id = ?`, id)
	if err == nil && !found {
		err = ErrUnknown
	}
	if err != nil {
		return c, by, who, err
	}
	role, err := h.roleIn(ctx, c.CampaignID, who)
	if err == nil && role == Staff {
		err = notOwn(ctx, h.claims.db, c.PledgeID, who.UserID, ErrUnknown)
	}
	return c, By{Role: role, UserID: who.UserID}, who, err
}

func (h *Handlers) roleIn(ctx context.Context, campaignID int64, who session.Identity) (Role, error) {
	var member []struct{ IsConfirmed bool }
	err := h.claims.db.WithContext(ctx).Raw(`SELECT u.verified AS is_confirmed FROM campaign_team m JOIN users u ON u.id = m.user_id
		WHERE m.campaign_id = ? AND m.user_id = ?`, campaignID, who.UserID).Scan(&member).Error
	switch {
	case err != nil:
		return "", fmt.Errorf("read who is in the team of campaign %d: %w", campaignID, err)
	case len(member) > 0 && !member[0].IsConfirmed:
		return "", profiles.ErrUnconfirmed
	case len(member) > 0:
		return Creator, nil
	case who.Has(session.ScopeAdmin):
		return Staff, nil
	}
	return "", ErrUnknown
}

// ActOnClaim answers a claim, or decides about it.
func (h *Handlers) ActOnClaim(ctx context.Context, r api.ActOnClaimRequestObject) (api.ActOnClaimResponseObject, error) {
	c, by, who, err := h.open(ctx, r.ClaimID)
	if err != nil {
		return nil, err
	}
	w := Wish{Act: Act(r.Body.Act), Key: r.Body.Key, Version: r.Body.Version, Text: request.Value(r.Body.Text),
		Tracking: request.Value(r.Body.Tracking)}
	if r.Body.Day != nil {
		w.Day = r.Body.Day.Time
	}
	if w.Minor, err = minorOf(r.Body.Amount); err != nil {
		return nil, err
	}
	if givesBack := w.Act == Refund || w.Act == OfferPart || w.Act == OfferResend || w.Act == Decide && w.Minor > 0; givesBack {
		if err := h.confirmed(ctx, who); err != nil {
			return nil, err
		}
	}
	if _, err := h.claims.Act(ctx, c.PledgeID, c.ID, by, w); err != nil {
		return nil, err
	}
	if c, _, _, err = h.open(ctx, c.ID); err != nil {
		return nil, err
	}
	answer, err := h.claims.Page(ctx, c, by.Role, languages.OfQuery(ctx, r.Params.Language))
	return api.ActOnClaim200JSONResponse(answer), err
}

func minorOf(n *json.Number) (int64, error) {
	if n == nil {
		return 0, nil
	}
	amount, faults := money.FromInput("amount", *n, money.EUR)
	if faults != nil {
		return 0, apperr.New(apperr.InvalidFields).WithFields(faults)
	}
	return amount.Minor, nil
}

// RefundBacker gives a backer their money back without a claim.
func (h *Handlers) RefundBacker(ctx context.Context, r api.RefundBackerRequestObject) (api.RefundBackerResponseObject, error) {
	who, err := campaigns.RequireEdit(ctx, h.claims.db, r.CampaignID)
	if err != nil {
		return nil, err
	}
	role, err := h.roleIn(ctx, r.CampaignID, who)
	if errors.Is(err, ErrUnknown) {
		err = apperr.New(apperr.Forbidden) // an editor of staff sees the campaign, and moves no money of it
	}
	if err != nil {
		return nil, err
	}
	minor, err := minorOf(r.Body.Amount)
	if err == nil && r.Body.Amount != nil && minor == 0 {
		err = apperr.New(apperr.InvalidFields).WithField("amount", apperr.RuleRequired)
	}
	if err == nil {
		err = h.confirmed(ctx, who)
	}
	if err != nil {
		return nil, err
	}
	given, err := h.claims.GiveBack(ctx, NewRefund{CampaignID: r.CampaignID, ReceiptNumber: r.Body.ReceiptNumber, Minor: minor, Note: r.Body.Reason, Key: r.Body.Key,
		UserID: who.UserID, IsStaff: role == Staff})
	if err != nil {
		return nil, err
	}
	return api.RefundBacker200JSONResponse{Amount: money.Decimal(given.Minor), Currency: string(given.Currency), Backer: given.Backer}, nil
}
