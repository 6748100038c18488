package subscriptions

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"talkoot.fi/kit/dbx"
)

// ownSQL are a person's subscriptions: those begun signed in, and those that were begun with their confirmed address without
// signing in. The indexes subscriptions_user and subscriptions_unsigned_by_address serve it. What was never paid is left out,
// but for what they may still pay themselves.
const ownSQL = `
	WITH own AS (
		SELECT id, created_at FROM subscriptions WHERE user_id = @user AND status <> 'expired'
		UNION ALL
		SELECT g.id, g.created_at FROM users u JOIN subscriptions g ON lower(g.email) = lower(u.email)
		WHERE u.id = @user AND u.verified AND g.user_id IS NULL AND (g.status NOT IN ('created', 'expired') OR g.is_processing)) `

// ListOwn reads a page of a person's subscriptions, the latest first, and how many there are in all.
func (s *Service) ListOwn(ctx context.Context, userID int64, language string, limit, offset int) (list []View, total int, err error) {
	args := pgx.NamedArgs{"user": userID, "language": language, "limit": limit, "offset": offset}
	counted, err := dbx.Select[struct{ N int }](ctx, s.db, ownSQL+`SELECT count(*)::int AS n FROM own`, pgx.NamedArgs{"user": userID})
	if err != nil {
		return nil, 0, fmt.Errorf("count subscriptions of user %d: %w", userID, err)
	}
	list, err = s.views(ctx, ownSQL+viewSQL+`
		JOIN (SELECT id FROM own ORDER BY created_at DESC, id LIMIT @limit OFFSET @offset) o ON o.id = s.id
		ORDER BY s.created_at DESC, s.id`, args)
	return list, counted[0].N, err
}
