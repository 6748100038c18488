package posts

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"gorm.io/gorm"

	"talkoot.fi/kit/dbx"
)

// row is a post as a reader of a language sees it.
type row struct {
	ID                                   int64
	Status                               string
	Level, TypeID                        int
	Restricted                           bool
	PublishedAt                          *time.Time
	Language, Title, Intro, HTML, Author string
}

// textsOf joins a post p with its texts for a reader. They fall back: the reader's language, the post's own, any.
const textsOf = `
	JOIN LATERAL (
		SELECT language, title, intro, html FROM post_texts x WHERE x.post_id = p.id
		ORDER BY x.language = @language DESC, x.language = p.language DESC, x.language LIMIT 1) x ON true
	JOIN users u ON u.id = p.author_id`

const columns = `p.id, p.status, p.level, p.type_id, p.restricted, p.published_at, x.language, x.title, x.intro,
	concat_ws(' ', u.first_name, u.last_name) AS author`

// page says which posts are wanted.
type page struct {
	campaignID    int64
	language      string
	drafts        bool
	content       bool
	limit, offset int
}

// list reads a page of a campaign's posts, drafts first (they have no time yet), then the latest, and how many there
// are in all. The index posts_campaign gives the published ones in order.
func list(ctx context.Context, db *gorm.DB, p page) (rows []row, total int, err error) {
	html := "''"
	if p.content {
		html = "x.html"
	}
	shown, order, outer := "status = 'published'", "published_at DESC, id DESC", "p.published_at DESC, p.id DESC"
	if p.drafts { // 'draft' sorts before 'published'
		shown, order, outer = "true", "status, published_at DESC, id DESC", "p.status, p.published_at DESC, p.id DESC"
	}
	rows, err = dbx.Select[row](ctx, db, `
		SELECT `+columns+`, `+html+` AS html
		FROM (
			SELECT id, author_id, status, level, type_id, restricted, language, published_at FROM posts
			WHERE campaign_id = @campaign AND `+shown+` ORDER BY `+order+` LIMIT @limit OFFSET @offset) p`+
		textsOf+` ORDER BY `+outer,
		pgx.NamedArgs{"campaign": p.campaignID, "language": p.language, "limit": p.limit, "offset": p.offset})
	if err != nil {
		return nil, 0, fmt.Errorf("list posts of campaign %d: %w", p.campaignID, err)
	}
	if len(rows) < p.limit && (len(rows) > 0 || p.offset == 0) {
		return rows, p.offset + len(rows), nil // on the last page the total is known without counting
	}
	err = db.WithContext(ctx).Raw(`SELECT count(*) FROM posts WHERE campaign_id = ? AND `+shown, p.campaignID).Scan(&total).Error
	if err != nil {
		return nil, 0, fmt.Errorf("count posts of campaign %d: %w", p.campaignID, err)
	}
	return rows, total, nil
}

// read gives one post of a campaign. Error: ErrUnknown.
func read(ctx context.Context, db *gorm.DB, campaignID, postID int64, language string, drafts bool) (row, error) {
	var rows []row
	err := db.WithContext(ctx).Raw(`
		SELECT `+columns+`, x.html FROM posts p`+textsOf+`
		WHERE p.id = @id AND p.campaign_id = @campaign AND (p.status = 'published' OR @drafts)`,
		map[string]any{"id": postID, "campaign": campaignID, "language": language, "drafts": drafts}).Scan(&rows).Error
	if err != nil {
		return row{}, fmt.Errorf("read post %d: %w", postID, err)
	}
	if len(rows) == 0 {
		return row{}, ErrUnknown
	}
	return rows[0], nil
}
