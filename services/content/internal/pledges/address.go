package pledges

import (
	"context"
	"fmt"
)

// Address is where something was sent, as its backer wrote it.
type Address struct {
	Street, Postcode, City string
	Country                string // ISO 3166-1 alpha-2
	Phone                  string // empty when none was given
}

// LastAddress reads where a person's last paid pledge that had an address went, whatever became of its money later; nil
// when there is none. Pledges that were made without a session are nobody's.
func (s *Service) LastAddress(ctx context.Context, userID int64) (*Address, error) {
	var a Address
	found := s.db.WithContext(ctx).Raw(`
		SELECT details->>'address_street' AS street, coalesce(details->>'address_postcode', '') AS postcode,
		       coalesce(details->>'address_city', '') AS city, coalesce(details->>'address_country', '') AS country,
		       coalesce(details->>'address_phone', '') AS phone
		FROM pledges
		WHERE user_id = ? AND paid_at IS NOT NULL AND details->>'address_street' <> ''
		ORDER BY paid_at DESC, id LIMIT 1`, userID).Scan(&a)
	if found.Error != nil {
		return nil, fmt.Errorf("read last address of user %d: %w", userID, found.Error)
	}
	if found.RowsAffected == 0 {
		return nil, nil //nolint:nilnil // no address is no error
	}
	return &a, nil
}
