package reconcile

import (
	"context"
	"time"
)

func (s *Service) Refunds(ctx context.Context, since time.Time) (int, error) { return 0, nil }
