// Package drafts begins campaigns, in the three ways of the contract: bare, with a name, or with goals, days and
// rewards at once.
//
// It owns no table: packages campaigns and rewards write the rows, in one transaction, and have the rules. Invariants:
// a person's drafts are begun one after the other, so that a key takes effect once and the limit holds however many are
// asked for at the same time; nobody has more than maxUntouched drafts that they have never changed.
package drafts

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/idem"
	"talkoot.fi/kit/ratelimit"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/writing/richtext"
)

// maxUntouched is how many drafts a person has that they have not changed since they began them.
const maxUntouched = 20

// PersonRules limit beginning campaigns, by person.
func PersonRules(limit ratelimit.Limit) ratelimit.Rules {
	begin := []ratelimit.Rule{{Name: "draft", Limit: limit}}
	return ratelimit.Rules{"POST /campaigns": begin, "POST /v2/campaigns": begin, "POST /v3/campaigns": begin,
		"POST /campaigns/{campaign_id}/copy": begin}
}

// Reward is one that a campaign begins with, its texts in the campaign's language.
type Reward struct {
	Title, Description string
	AmountMinor        int64
	Stock              int // 0 is unlimited
}

// Request is what a person begins a campaign with.
type Request struct {
	campaigns.Draft
	NeedsTitle bool
	Rewards    []Reward
	// Key is the client's idempotency key, empty for none; Hash is that of everything else.
	Key  string
	Hash []byte
}

// Begun is a campaign that has been begun.
type Begun struct {
	ID      int64
	Slug    string
	Version int64
}

// Begin makes a draft with its rewards, in one transaction. With an idempotency key a repeat gives the campaign that
// the first call made, as it is now. Errors: InvalidFields; TooManyDrafts; idempotency_mismatch.
func Begin(ctx context.Context, db *gorm.DB, r Request, now time.Time) (made Begun, err error) {
	return once(ctx, db, r.UserID, r.Key, r.Hash, func(tx *gorm.DB) (Begun, error) { return begin(ctx, tx, r, now) })
}

// once makes a person's draft, one after the other, or finds the one that was made with the key before.
func once(ctx context.Context, db *gorm.DB, userID int64, given string, hash []byte, create func(tx *gorm.DB) (Begun, error)) (
	made Begun, err error) {
	key := idem.Key{Scope: idem.Scope("campaigns", strconv.FormatInt(userID, 10)), Key: given, Hash: hash}
	if given != "" {
		if err := key.Check(); err != nil {
			return Begun{}, err
		}
	}
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		if err := wait(ctx, tx, userID); err != nil {
			return err
		}
		if before, repeated, err := idem.Find(ctx, tx, key); err != nil || repeated {
			if err == nil {
				made, err = read(ctx, tx, before)
			}
			return err
		}
		if err := refuseTooMany(ctx, tx, userID); err != nil {
			return err
		}
		if made, err = create(tx); err != nil || given == "" {
			return err
		}
		_, _, err = idem.Claim(ctx, tx, key, strconv.FormatInt(made.ID, 10))
		return err
	})
	return made, err
}

// wait locks the person, so that their drafts are begun one after the other. Error: NotAuthenticated for one who has erased
// their account meanwhile.
func wait(ctx context.Context, tx *gorm.DB, userID int64) error {
	held := tx.WithContext(ctx).Exec(`SELECT FROM users WHERE id = ? AND erased_at IS NULL FOR NO KEY UPDATE`, userID)
	if held.Error != nil {
		return fmt.Errorf("lock user %d: %w", userID, held.Error)
	}
	if held.RowsAffected == 0 {
		return apperr.New(apperr.NotAuthenticated)
	}
	return nil
}

func read(ctx context.Context, tx *gorm.DB, id string) (made Begun, err error) {
	found := tx.WithContext(ctx).Raw(`SELECT id, slug, version FROM campaigns WHERE id = CAST(? AS bigint)`, id).Scan(&made)
	if found.Error != nil {
		return made, fmt.Errorf("read campaign %s: %w", id, found.Error)
	}
	if found.RowsAffected == 0 {
		return made, campaigns.ErrUnknown
	}
	return made, nil
}

func begin(ctx context.Context, tx *gorm.DB, r Request, now time.Time) (Begun, error) {
	id, record, err := campaigns.Begin(ctx, tx, r.Draft, r.faults(), now)
	if err != nil {
		return Begun{}, err
	}
	for _, reward := range r.Rewards {
		n := reward.in(r.Language)
		n.CampaignID = id
		if _, err := rewards.Create(ctx, tx, n, now); err != nil {
			return Begun{}, err
		}
	}
	return Begun{ID: id, Slug: record.Slug, Version: record.Version}, nil
}

// refuseTooMany counts a person's drafts that are as they were begun. Error: TooManyDrafts.
func refuseTooMany(ctx context.Context, tx *gorm.DB, userID int64) error {
	var untouched int
	err := tx.WithContext(ctx).Raw(`
		SELECT count(*) FROM campaign_team m JOIN campaigns c ON c.id = m.campaign_id
		WHERE m.user_id = ? AND m.position = 0 AND c.stage = ? AND c.version = 1`, userID, campaigns.StageDraft).Scan(&untouched).Error
	if err != nil {
		return fmt.Errorf("count drafts of user %d: %w", userID, err)
	}
	if untouched >= maxUntouched {
		return apperr.New(apperr.TooManyDrafts)
	}
	return nil
}

// faults are those of the title and of the rewards.
func (r Request) faults() (list []apperr.Field) {
	if r.NeedsTitle && richtext.Line(r.Title) == "" {
		list = append(list, apperr.Field{Path: "title", Rule: apperr.RuleRequired})
	}
	for i, reward := range r.Rewards {
		for _, fault := range reward.in(r.Language).Faults() {
			fault.Path = fmt.Sprintf("rewards[%d].%s", i, fault.Path)
			list = append(list, fault)
		}
	}
	return list
}

// in is the reward with its texts in a language.
func (r Reward) in(language string) rewards.New {
	return rewards.New{AmountMinor: r.AmountMinor, Stock: r.Stock, Active: true,
		Texts: map[string]rewards.Text{language: {Title: richtext.Line(r.Title),
			Description: richtext.Plain(r.Description)}}}
}
