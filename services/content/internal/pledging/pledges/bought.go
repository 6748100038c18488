package pledges

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/oapi-codegen/runtime/types"

	"talkoot.fi/kit/ids"
	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/api/internalapi"
	"talkoot.fi/content/internal/pledging/withdrawal"
)

// Bought reads what the backer of a pledge, also as one of its raises names it, was promised and what was sent, as whoever answers their bank needs it. Error: ErrUnknown.
func (s *Service) Bought(ctx context.Context, id string) (internalapi.BoughtPledge, error) {
	id, err := ids.Parse(id)
	if err != nil {
		return internalapi.BoughtPledge{}, ErrUnknown
	}
	var p struct {
		ID         string
		CreatedAt  time.Time
		Lines      json.RawMessage
		Details    json.RawMessage
		Currency   money.Currency
		SentOn     *time.Time
		ReleasedAt *time.Time
	}
	found := s.db.WithContext(ctx).Raw(`SELECT created_at, lines, details, currency, sent_on, released_at, id FROM pledges
		WHERE id = coalesce((SELECT pledge_id FROM pledge_raises WHERE id = @id), @id)`, map[string]any{"id": id}).Scan(&p)
	if found.Error != nil {
		return internalapi.BoughtPledge{}, fmt.Errorf("read what a pledge is for: %w", found.Error)
	}
	if found.RowsAffected == 0 {
		return internalapi.BoughtPledge{}, ErrUnknown
	}
	facts, err := withdrawal.Read(ctx, s.db, p.ID)
	if err != nil {
		return internalapi.BoughtPledge{}, err
	}
	var lines []Line
	var meta Meta
	if err := json.Unmarshal(p.Lines, &lines); err != nil {
		return internalapi.BoughtPledge{}, fmt.Errorf("decode lines of a pledge: %w", err)
	}
	if err := json.Unmarshal(p.Details, &meta); err != nil {
		return internalapi.BoughtPledge{}, fmt.Errorf("decode details: %w", err)
	}
	out := internalapi.BoughtPledge{MadeAt: p.CreatedAt, Lines: []string{}}
	for _, line := range lines {
		out.Lines = append(out.Lines, fmt.Sprintf("%s: %s", inEnglish(line.Label), money.New(line.AmountMinor, p.Currency)))
	}
	if to := meta.address(); to.Street != "" {
		written := strings.Join([]string{to.Street, strings.TrimSpace(to.Postcode + " " + to.City), to.Country}, ", ")
		out.ShippingAddress = &written
	}
	if p.SentOn != nil {
		out.SentOn = &types.Date{Time: *p.SentOn}
	}
	if right := withdrawal.Right(facts, s.now(), s.zone); right.State == withdrawal.Open && p.ReleasedAt == nil { // who has taken it back has used it
		out.WithdrawalUntil = right.Until
	}
	return out, nil
}

// inEnglish is the label of a line for a bank, which reads English: our own words are translated, a reward's title is its creator's.
func inEnglish(label string) string {
	for _, own := range labels {
		switch label {
		case own.support:
			return labels["en"].support
		case own.extra:
			return labels["en"].extra
		}
	}
	return label
}
