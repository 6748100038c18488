package taxdata

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"talkoot.fi/payments/internal/api/internalapi"
)

// Own is all that is kept of a person, for the file of their own data.
func (s *Service) Own(ctx context.Context, userID int64) (own internalapi.OwnTaxData, err error) {
	r, isThere, err := one(ctx, s.DB, `WHERE user_id = ? AND erased_at IS NULL`, userID)
	if err != nil {
		return own, err
	}
	if isThere {
		d, isLost, err := s.said(r)
		if err != nil {
			return own, err
		}
		if isLost {
			own.IsLost = &isLost
		}
		if d.Kind != "" {
			if own.Said, err = asMap(d); err != nil {
				return own, err
			}
		}
	}
	own.GivenAt = r.GivenAt
	var reminded []time.Time
	for _, at := range []*time.Time{r.RemindedAt, r.RemindedAgainAt} {
		if at != nil {
			reminded = append(reminded, *at)
		}
	}
	if len(reminded) > 0 {
		own.RemindedAt = &reminded
	}
	years, err := s.Reports(ctx, userID)
	own.Reported = []map[string]any{}
	for _, y := range years {
		year, err := asMap(y)
		if err != nil {
			return own, err
		}
		own.Reported = append(own.Reported, *year)
	}
	return own, err
}

func asMap(from any) (*map[string]any, error) {
	out := map[string]any{}
	text, err := json.Marshal(from)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		return nil, fmt.Errorf("encode %T", from) // the cause may quote it
	}
	return &out, nil
}
