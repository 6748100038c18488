package payments

import (
	"context"
	"encoding/json"
	"fmt"

	"gorm.io/gorm"
)

// Keep writes an operator's act that is about no payment, in its transaction. Error: ErrOperator.
func (s *Service) Keep(ctx context.Context, tx *gorm.DB, action string, op Operator, what map[string]string) error {
	if op.Actor == "" || op.Note == "" {
		return ErrOperator
	}
	after, err := json.Marshal(what)
	if err != nil {
		return fmt.Errorf("encode an act: %w", err)
	}
	return keepAct(ctx, tx, nil, action, op, "{}", string(after), s.now())
}
