package claims

import (
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
)

// Errors of claims.
var (
	ErrUnknown     = apperr.New(apperr.NotFound)
	ErrNotPossible = apperr.New(apperr.ClaimNotPossible)
	// ErrMoved refuses an act on a claim that is somewhere else than its caller has seen.
	ErrMoved = apperr.New(apperr.ClaimMoved)
	// ErrNoSum refuses money that is not there to be given back.
	ErrNoSum = apperr.New(apperr.RefundNotPossible)
	// ErrOwnMoney keeps staff from giving money back to themselves.
	ErrOwnMoney = apperr.New(apperr.Forbidden)
)

// Service is what the rules need.
type Service struct {
	db   *gorm.DB
	now  func() time.Time
	zone *time.Location
}

// New makes the service. Days end in the time zone.
func New(db *gorm.DB, now func() time.Time, zone *time.Location) *Service {
	return &Service{db, func() time.Time { return now().UTC().Truncate(time.Microsecond) }, zone}
}
