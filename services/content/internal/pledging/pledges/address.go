package pledges

import (
	"context"
	"fmt"
	"strings"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/postcodes"

	"talkoot.fi/content/internal/person/profiles"
)

// Address is where something was sent, as its backer wrote it.
type Address struct {
	Street, Postcode, City string
	Country                string // ISO 3166-1 alpha-2
	Phone                  string // empty when none was given
}

// normalise trims what people type around their words. Finland is the country when none is named.
func (a *Address) normalise() {
	a.Postcode, a.Phone = profiles.Pasted(a.Postcode), profiles.Pasted(a.Phone)
	for _, text := range []*string{&a.Street, &a.Postcode, &a.City, &a.Phone} {
		*text = strings.TrimSpace(*text)
	}
	if a.Country == "" {
		a.Country = "FI"
	}
	if code, example := postcodes.Read(a.Country, a.Postcode); example == "" {
		a.Postcode = code
	}
}

// check adds the address's faults; prefix is that of their paths. An address that is needed has street, city and, where
// there are postcodes, one.
func (a *Address) check(faults *apperr.Error, prefix string, needed bool) *apperr.Error {
	for _, part := range []struct {
		path, text string
		isNeeded   bool
	}{
		{"address_street", a.Street, true}, {"address_postcode", a.Postcode, postcodes.AreNeeded(a.Country)}, {"address_city", a.City, true},
	} {
		if needed && part.isNeeded && part.text == "" {
			faults = faults.WithField(prefix+part.path, apperr.RuleRequired)
		}
	}
	faults = postcodes.WithFault(faults, prefix+"address_postcode", a.Country, a.Postcode)
	if !countries[a.Country] {
		faults = faults.WithField(prefix+"address_country", apperr.RuleOneOf)
	}
	return faults
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
