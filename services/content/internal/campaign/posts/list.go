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
	Restricted, IsEmpty                  bool
	PublishedAt                          *time.Time
	UpdatedAt                            time.Time
	Language, Title, Intro, HTML, Author string
}

// textsOf joins a post p with its texts for a reader. They fall back: the reader's language, the post's own, any; one
// that lacks its title or its text comes last.
const textsOf = `
	LEFT JOIN LATERAL (
		SELECT language, title, intro, html, teaser, teaser_intro FROM post_texts x WHERE x.post_id = p.id
		ORDER BY x.title = '' OR x.html = '', x.language = @language DESC, x.language = p.language DESC, x.language
		LIMIT 1) x ON true
	JOIN users u ON u.id = p.author_id`

const columns = `p.id, p.status, p.level, p.type_id, p.restricted, p.published_at, p.updated_at,
	coalesce(x.language, p.language) AS language,
	coalesce(x.title, '') AS title, coalesce(CASE WHEN p.restricted THEN x.teaser_intro ELSE x.intro END, '') AS intro,
	shown_name(u.first_name, u.last_name, u.erased_at, @language) AS author,
	p.status = 'draft' AND NOT EXISTS (SELECT FROM post_texts e WHERE e.post_id = p.id
	    AND (e.title <> '' OR regexp_replace(e.html, '</?p[^>]*>|<br/>|\s', '', 'g') <> '')) AS is_empty`

// content is the HTML that the reader may have.
const content = `coalesce(CASE WHEN p.restricted THEN x.teaser ELSE x.html END, '') AS html`

// page says which posts are wanted.
type page struct {
	campaignID    int64
	language      string
	reader        reader
	content       bool
	limit, offset int
}

// list reads a page of a campaign's posts, drafts first, then the latest, and how many there are in all. The index
// posts_campaign gives the published ones in order.
func list(ctx context.Context, db *gorm.DB, p page) (rows []row, total int, err error) {
	html := "'' AS html"
	if p.content {
		html = content
	}
	shown, order, outer := "status = 'published'", "published_at DESC, id DESC", "p.published_at DESC, p.id DESC"
	if p.reader.all { // 'draft' sorts before 'published'
		shown, order, outer = "deleted_at IS NULL", "status, published_at DESC, id DESC", "p.status, p.published_at DESC, "+
			"p.id DESC"
	}
	rows, err = dbx.Select[row](ctx, db, `
		SELECT `+columns+`, `+html+`
		FROM (
			SELECT id, author_id, status, level, type_id, language, published_at, updated_at, `+isRestricted+` FROM posts p
			WHERE campaign_id = @campaign AND `+shown+` ORDER BY `+order+` LIMIT @limit OFFSET @offset) p`+
		textsOf+` ORDER BY `+outer,
		pgx.NamedArgs{"campaign": p.campaignID, "language": p.language, "all": p.reader.all, "reader": p.reader.userID, "at": p.reader.at,
			"limit": p.limit, "offset": p.offset})
	if err != nil {
		return nil, 0, fmt.Errorf("list posts of campaign %d: %w", p.campaignID, err)
	}
	if len(rows) < p.limit && (len(rows) > 0 || p.offset == 0) {
		return rows, p.offset + len(rows), nil // on the last page the total is known without counting
	}
	count := db.WithContext(ctx).Raw(`SELECT count(*) FROM posts WHERE campaign_id = ? AND `+shown, p.campaignID)
	err = count.Scan(&total).Error
	if err != nil {
		return nil, 0, fmt.Errorf("count posts of campaign %d: %w", p.campaignID, err)
	}
	return rows, total, nil
}

// read gives one post of a campaign. Error: ErrUnknown.
func read(ctx context.Context, db *gorm.DB, campaignID, postID int64, language string, who reader) (row, error) {
	rows, err := dbx.Select[row](ctx, db, `
		SELECT `+columns+`, `+content+`
		FROM (
			SELECT id, author_id, status, level, type_id, language, published_at, updated_at, `+isRestricted+` FROM posts p
			WHERE id = @id AND campaign_id = @campaign AND deleted_at IS NULL AND (status = 'published' OR @all)) p`+
		textsOf,
		pgx.NamedArgs{"id": postID, "campaign": campaignID, "language": language, "all": who.all, "reader": who.userID, "at": who.at})
	if err != nil {
		return row{}, fmt.Errorf("read post %d: %w", postID, err)
	}
	if len(rows) == 0 {
		return row{}, ErrUnknown
	}
	return rows[0], nil
}
