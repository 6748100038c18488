//go:build unix

package personaldata_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/outbox"

	"talkoot.fi/content/internal/campaign/rewards"
	"talkoot.fi/content/internal/experiments"
	"talkoot.fi/content/internal/media/pictures"
)

// send stores a picture that differs from all others.
func (w *world) send(kind string) string {
	w.t.Helper()
	w.sent++
	picture := image.NewGray(image.Rect(0, 0, 16, 16))
	for i := range picture.Pix {
		picture.Pix[i] = color.Gray{Y: uint8(w.sent * 8)}.Y
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, picture, nil); err != nil {
		w.t.Fatal(err)
	}
	stored, err := w.Files.PutImage(w.t.Context(), kind, bytes.NewReader(file.Bytes()))
	if err != nil {
		w.t.Fatal(err)
	}
	return stored.Name
}

// removePictures does what the worker does.
func (w *world) removePictures() {
	w.t.Helper()
	var messages []outbox.Message
	if err := w.DB.Raw(`SELECT id, kind, payload FROM outbox WHERE kind = ?`, pictures.KindRemove).Scan(&messages).Error; err != nil {
		w.t.Fatal(err)
	}
	handle := pictures.Remover(w.DB, w.Files.Remove)
	for _, m := range messages {
		if err := handle(w.t.Context(), m); err != nil {
			w.t.Fatal(err)
		}
	}
}

func story(picture string) string {
	return fmt.Sprintf(`{"type": "doc", "content": [{"type": "image", "attrs": {"src": %q}}]}`, picture)
}

func TestErase_ThePicturesOfWhatIsDeletedGoUnlessSomethingElseShowsThem(t *testing.T) {
	w := withAamu(t)
	gone := map[string]string{}
	picture := func(of string) string {
		gone[of] = w.send("campaign")
		return gone[of]
	}
	shown := w.send("campaign")
	w.Exec(`UPDATE campaigns SET picture = ? WHERE id = ?`, picture("the cover of before"), w.draft)
	w.patch(w.draft, "settings", `{"project_pic": "`+picture("the cover")+`", "creator_pic": "`+picture("the creator of before")+`"}`, w.aamu)
	w.patch(w.draft, "settings", `{"creator_pic": "`+picture("the creator")+`"}`, w.aamu)
	w.patch(w.draft, "language", `{"fi": {"json_description": `+story(picture("the story of before"))+`}, "sv": {"json_description": `+story(picture("the Swedish story"))+`}}`, w.aamu)
	w.Advance(11 * time.Minute) // or the two would be one change
	w.patch(w.draft, "language", `{"fi": {"json_description": `+story(picture("the story"))+`}, "en": {"json_description": `+story(shown)+`}}`, w.aamu)
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		_, err := rewards.Create(ctx, tx, rewards.New{CampaignID: w.draft, AmountMinor: 10_00, Active: true, Image: picture("a reward"),
			Texts: map[string]rewards.Text{"fi": {Title: "Löyly"}}}, w.Now())
		return err
	})
	w.Exec(`INSERT INTO content_variations (campaign_id, field, language, value, letter, created_at) VALUES (?, 'project_pic', '', ?, 'B', now())`, w.draft, picture("a variation"))
	w.Exec(`INSERT INTO campaign_custom_texts VALUES (?, 'fi', 'k', '', 'markdown', '<img src="/media/960x0/' || CAST(? AS text) || '"/>')`, w.draft, picture("a text of its own"))
	w.Exec(`INSERT INTO campaign_custom_texts VALUES (?, 'fi', 'k', '', 'markdown', '<img src="/media/960x0/' || CAST(? AS text) || '"/>')`, w.open, shown)
	w.Exec(`UPDATE campaigns SET creator_pic = ? WHERE id = ?`, picture("the creator of what stays"), w.over)
	w.Exec(`UPDATE campaigns SET creator_pic = ? WHERE id = ?`, picture("the creator of what others go on with"), w.shared)
	w.patch(w.shared, "settings", `{"creator_pic": ""}`, w.other)
	cover := w.send("campaign")
	w.Exec(`UPDATE campaigns SET picture = ? WHERE id IN ?`, cover, []int64{w.over, w.shared})
	w.Tx(func(ctx context.Context, tx *gorm.DB) error {
		id, err := experiments.Create(ctx, tx, experiments.New{Slug: "aie", Language: "fi", TeamUserIDs: []int64{w.aamu}, Texts: map[string]experiments.Text{"fi": {}}}, w.Now())
		if err != nil {
			return err
		}
		return tx.Exec(`WITH text AS (UPDATE experiment_texts SET story_html = ? WHERE experiment_id = ?) UPDATE experiments SET open = false, image = ? WHERE id = ?`,
			`<img src="/media/960x0/`+picture("an experiment's story")+`"/>`, id, picture("an experiment"), id).Error
	})
	w.mustErase()
	for range 2 { // a repeat changes nothing
		w.removePictures()
	}
	for of, name := range gone {
		if there, err := w.Files.Exists(t.Context(), name); err != nil || there {
			t.Errorf("the picture of %s is still there, %v", of, err)
		}
	}
	for of, name := range map[string]string{"the cover of what stays": cover, "what another campaign shows": shown} {
		if there, err := w.Files.Exists(t.Context(), name); err != nil || !there {
			t.Errorf("the picture of %s is gone, %v", of, err)
		}
	}
}
