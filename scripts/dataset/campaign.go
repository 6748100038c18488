package dataset

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
)

// Reward of a campaign to be added. Its title is the same in all languages.
type Reward struct {
	Title      string
	Euros      int64
	Stock      int      // 0 is unlimited
	Questions  []string // ask_for_address asks for a postal address
	AddedCosts []AddedCost
}

// AddedCost is one of a reward's alternatives.
type AddedCost struct {
	AmountMinor int64             `json:"amount_minor"`
	Description map[string]string `json:"description"` // by FI, EN, SV
}

// Campaign is an open one to be added, with a deadline in a month.
type Campaign struct {
	Title     string
	IsMonthly bool // takes monthly support, not pledges
	Rewards   []Reward
}

// Added has the ids of an added campaign and its rewards.
type Added struct {
	ID      int64
	Rewards []int64 // in the order they were given
}

// Add writes a campaign into a migrated database. The first one brings a category and a creator along.
func Add(ctx context.Context, db *pgx.Conn, c Campaign) (Added, error) {
	var made Added
	err := pgx.BeginFunc(ctx, db, func(tx pgx.Tx) error {
		var category, creator int64
		err := tx.QueryRow(ctx, `WITH made AS (INSERT INTO categories (key, position) VALUES ('test', 0)
				ON CONFLICT (key) DO UPDATE SET position = 0 RETURNING id),
			named AS (INSERT INTO category_texts SELECT id, l, 'Test' FROM made, unnest(ARRAY['fi', 'en', 'sv']) l ON CONFLICT DO NOTHING)
			SELECT id FROM made`).Scan(&category)
		if err != nil {
			return fmt.Errorf("add category: %w", err)
		}
		err = tx.QueryRow(ctx, `INSERT INTO users (email, password_hash, first_name, last_name, verified, created_at)
			VALUES ('creator@example.org', '', 'Talkoo', 'Väki', true, now())
			ON CONFLICT (lower(email)) WHERE verified DO UPDATE SET first_name = excluded.first_name RETURNING id`).Scan(&creator)
		if err != nil {
			return fmt.Errorf("add creator: %w", err)
		}
		made, err = c.insert(ctx, tx, category, creator)
		return err
	})
	if err != nil {
		return Added{}, fmt.Errorf("add campaign %s: %w", c.Title, err)
	}
	return made, nil
}

func (c Campaign) insert(ctx context.Context, tx pgx.Tx, category, creator int64) (made Added, err error) {
	stage := 2
	if c.IsMonthly {
		stage = 6
	}
	err = tx.QueryRow(ctx, `INSERT INTO campaigns (slug, stage, language, category_id, place, min_goal_minor, target_goal_minor,
			first_day, last_day, funding_start, funding_deadline, picture, legal_creator, created_at, updated_at)
		VALUES ('c-' || gen_random_uuid(), $2, 'fi', $1, 'Helsinki', 100000, 500000, ((now() - interval '1 day') AT TIME ZONE 'Europe/Helsinki')::date,
			((now() + interval '30 days') AT TIME ZONE 'Europe/Helsinki')::date,
			now() - interval '1 day', now() + interval '30 days', 'scene.svg', 'Talkooväki', now(), now()) RETURNING id`, category, stage).Scan(&made.ID)
	if err != nil {
		return made, err
	}
	for _, step := range []struct {
		sql  string
		args []any
	}{
		{`INSERT INTO campaign_totals (campaign_id) VALUES ($1)`, []any{made.ID}},
		{`INSERT INTO campaign_categories VALUES ($1, $2)`, []any{made.ID, category}},
		{`INSERT INTO campaign_team (campaign_id, user_id, position) VALUES ($1, $2, 0)`, []any{made.ID, creator}},
		{`INSERT INTO campaign_texts (campaign_id, language, title) SELECT $1, l, $2 || ' ' || l FROM unnest(ARRAY['fi', 'en', 'sv']) l`, []any{made.ID, c.Title}},
	} {
		if _, err := tx.Exec(ctx, step.sql, step.args...); err != nil {
			return made, err
		}
	}
	for _, r := range c.Rewards {
		id, err := r.insert(ctx, tx, made.ID)
		if err != nil {
			return made, fmt.Errorf("reward %s: %w", r.Title, err)
		}
		made.Rewards = append(made.Rewards, id)
	}
	one := strconv.FormatInt(made.ID, 10)
	if _, err := tx.Exec(ctx, `SELECT set_config('dataset.first', $1, true), set_config('dataset.last', $1, true)`, one); err != nil {
		return made, err
	}
	_, err = tx.Exec(ctx, previewsSQL)
	return made, err
}

func (r Reward) insert(ctx context.Context, tx pgx.Tx, campaignID int64) (id int64, err error) {
	costs, err := json.Marshal(append([]AddedCost{}, r.AddedCosts...))
	if err != nil {
		return 0, err
	}
	questions, err := json.Marshal(append([]string{}, r.Questions...))
	if err != nil {
		return 0, err
	}
	err = tx.QueryRow(ctx, `INSERT INTO rewards (campaign_id, amount_minor, stock, added_costs, created_at) VALUES ($1, $2, $3, $4, now())
		RETURNING id`, campaignID, 100*r.Euros, r.Stock, string(costs)).Scan(&id)
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `INSERT INTO reward_texts (reward_id, language, title, custom_questions)
		SELECT $1, l, $2, $3::jsonb FROM unnest(ARRAY['fi', 'en', 'sv']) l`, id, r.Title, string(questions))
	return id, err
}
