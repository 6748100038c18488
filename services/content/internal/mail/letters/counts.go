package letters

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// Counts says whom the letters of a post reach.
type Counts struct {
	// Total and ByLanguage are the letters that have left, or would leave now; by the backers' languages.
	Total      int
	ByLanguage map[string]int
	// Declined is how many may read the post and want no letters.
	Declined int
	// Undelivered is how many of the letters that have left went to addresses whose mail server takes none.
	Undelivered int
	// SentAt is when the last letter was written; nil before.
	SentAt *time.Time
	// Hold is that of the campaign, for which the letters wait; empty of one that goes on.
	Hold string
	// Readers is how many backers may read a post of each level whole, by level, for the levels worth choosing: every
	// backer, the prices of the campaign's rewards, and the post's own.
	Readers []Readers
}

// Readers is how many backers may read a post of a level whole.
type Readers struct{ Level, Readers int }

// Count reads whom the letters of a post of a level reach.
func Count(ctx context.Context, db *gorm.DB, campaignID, postID int64, level int, now time.Time) (c Counts, err error) {
	args := map[string]any{"campaign": campaignID, "post": postID, "level": level, "at": now}
	var rows []struct {
		Language string
		Refused  bool
		People   int
		SentAt   *time.Time
	}
	err = db.WithContext(ctx).Raw(`
		WITH backers AS (`+withMoney+`(SELECT `+backer+` FROM `+gifts+` g GROUP BY address) b),
		sent AS (SELECT sent_at FROM letter_rounds WHERE post_id = @post AND sent_at IS NOT NULL),
		people AS (
			SELECT b.language, `+refused+` AS refused FROM backers b WHERE `+mayRead+`
		), counted AS (
			SELECT language, refused FROM people WHERE refused OR NOT EXISTS (SELECT 1 FROM sent)
			UNION ALL
			SELECT language, false FROM letters WHERE post_id = @post AND EXISTS (SELECT 1 FROM sent)
		)
		SELECT language, refused, count(*) AS people, (SELECT sent_at FROM sent) AS sent_at FROM counted
		GROUP BY language, refused
		UNION ALL SELECT '', false, 0, (SELECT sent_at FROM sent)`, args).Scan(&rows).Error
	if err != nil {
		return c, fmt.Errorf("count the letters of post %d: %w", postID, err)
	}
	err = db.WithContext(ctx).Raw(`
		SELECT hold, (SELECT count(*) FROM letters JOIN undeliverable_addresses USING (address_hash) WHERE post_id = @post)
		FROM campaigns WHERE id = @campaign`, args).Row().Scan(&c.Hold, &c.Undelivered)
	if err != nil {
		return c, fmt.Errorf("count the letters of post %d that did not arrive: %w", postID, err)
	}
	c.ByLanguage = map[string]int{}
	for _, r := range rows {
		c.SentAt = r.SentAt
		switch {
		case r.Refused:
			c.Declined += r.People
		case r.People > 0:
			c.Total += r.People
			c.ByLanguage[r.Language] = r.People
		}
	}
	err = db.WithContext(ctx).Raw(`
		WITH backers AS (`+withMoney+`(SELECT `+backer+` FROM `+gifts+` g GROUP BY address) b),
		levels AS (
			SELECT 0 AS level UNION SELECT 1 UNION SELECT @level
			UNION SELECT CAST(amount_minor / 100 AS int) FROM rewards
			WHERE campaign_id = @campaign AND active = 1 AND amount_minor > 100
		)
		SELECT l.level,
		    (SELECT count(*) FROM backers b WHERE l.level <= 1 OR b.money >= 100 * CAST(l.level AS bigint)) AS readers
		FROM levels l ORDER BY l.level`, args).Scan(&c.Readers).Error
	if err != nil {
		return c, fmt.Errorf("count the readers of post %d: %w", postID, err)
	}
	return c, nil
}
