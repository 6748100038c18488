//go:build unix

package contenttest

import (
	"context"
	"encoding/json"
	"strings"

	"gorm.io/gorm"

	"talkoot.fi/content/internal/campaign/campaigns"
	"talkoot.fi/content/internal/campaign/review"
	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/writing/richtext"
)

// ReadyDraft makes a draft that lacks nothing that a review needs, and returns its id: one-off, with a reward, from 28
// November to the end of December 2026. The team begins with the creator.
func (w *World) ReadyDraft(slug string, team ...int64) (id int64) {
	w.t.Helper()
	story := richtext.Doc{Content: []richtext.Node{{Type: richtext.Paragraph,
		Content: []richtext.Node{{Type: richtext.TextNode, Text: strings.Repeat("Katto vuotaa, ja talkoot alkavat. ", 10)}}}}}
	id = w.Campaign(campaigns.New{Slug: slug, Language: "fi", CategoryID: w.Category("cat-" + slug), TeamUserIDs: team,
		TargetGoalMinor: 320_000,
		FirstDay:        "2026-11-28", LastDay: "2026-12-31", Picture: "kansi.jpg", ContactEmail: "katto@example.fi",
		LegalCreator: "Kylä ry", LegalCreatorType: "association",
		Texts: map[string]campaigns.Text{"fi": {Title: "Kylätalon katto", Tagline: "Ennen talvea",
			Story: story}}}, campaigns.StageDraft)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		_, err := rewards.Create(ctx, tx, rewards.New{CampaignID: id, AmountMinor: 20_00, Active: true,
			Texts: map[string]rewards.Text{"fi": {Title: "Kiitoskortti"}}}, w.Now())
		return err
	})
	return id
}

// Approval is the decision of staff who have read a campaign as it is now.
func (w *World) Approval(campaignID int64) string {
	w.t.Helper()
	seen, err := review.SeenNow(w.t.Context(), w.DB, campaignID)
	if err != nil {
		w.t.Fatal(err)
	}
	body, err := json.Marshal(map[string]any{"decision": "approve", "seen": seen})
	if err != nil {
		w.t.Fatal(err)
	}
	return string(body)
}
