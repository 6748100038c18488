package rewards

import (
	"context"
	"fmt"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/dbx"

	"talkoot.fi/content/internal/writing/changes"
	"talkoot.fi/content/internal/writing/richtext"
)

// Texts is a reward's texts by language, without fallback.
type Texts map[string]Text

func (t Texts) haveTitle() bool {
	for _, text := range t {
		if text.Title != "" {
			return true
		}
	}
	return false
}

// TextChange is what changes of a reward's texts in one language. Nil leaves a field as it is.
type TextChange struct {
	Title, Description, ImageAlt *string
	Questions                    *QuestionTexts
}

// ApplyTexts changes a reward's texts and questions by language, in one transaction, and returns the reward with all
// its texts. Questions are the whole list of the language, which keys them anew; answers that were given belong to the
// questions that their pledge keeps. The caller has checked who may do it. Errors: ErrUnknown; ChangedMeanwhile;
// InvalidFields.
func ApplyTexts(ctx context.Context, db *gorm.DB, e Edit, wanted map[string]TextChange) (a Admin, err error) {
	err = dbx.InTx(ctx, db, func(tx *gorm.DB) error {
		a, err = applyTexts(ctx, tx, e, wanted)
		return err
	})
	return a, err
}

func applyTexts(ctx context.Context, tx *gorm.DB, e Edit, wanted map[string]TextChange) (Admin, error) {
	r, c, err := e.begin(ctx, tx)
	if err != nil {
		return Admin{}, err
	}
	texts, err := readTexts(ctx, tx, r.ID)
	if err != nil {
		return Admin{}, err
	}
	var rows []textRecord
	faults := apperr.New(apperr.InvalidFields)
	for language, change := range wanted {
		text := texts[language]
		if change.set(c, language, &text) {
			texts[language] = text
			rows = append(rows, textRecord{r.ID, language, text.Title, text.Description, text.ImageAlt, text.Questions})
		}
		faults = faults.WithFields(text.faults(language))
	}
	if c.Any() && r.Active == 1 && !texts.haveTitle() {
		faults = faults.WithFields(noTitle)
	}
	if err := faults.OrNil(); err != nil {
		return Admin{}, err
	}
	all := tx.WithContext(ctx).Clauses(clause.OnConflict{UpdateAll: true})
	if err := dbx.CreateAll(all, rows); err != nil {
		return Admin{}, fmt.Errorf("write texts of reward %d: %w", r.ID, err)
	}
	return e.save(ctx, tx, c, r, texts)
}

// set changes a text and reports whether it differs now.
func (t TextChange) set(c *changes.Change, language string, text *Text) bool {
	if t.Questions != nil {
		written := QuestionTexts{}
		for _, question := range *t.Questions {
			written = append(written, richtext.Plain(question))
		}
		t.Questions = &written
		if text.Questions == nil {
			text.Questions = QuestionTexts{}
		}
	}
	changed := []bool{
		changes.Set(c, language+".title", "", &text.Title, mapped(t.Title, richtext.Line)),
		changes.Set(c, language+".description", "", &text.Description, mapped(t.Description, richtext.Plain)),
		changes.Set(c, language+".image_alt", "", &text.ImageAlt, mapped(t.ImageAlt, richtext.Line)),
		changes.Set(c, language+".custom_questions", "", &text.Questions, t.Questions),
	}
	return slices.Contains(changed, true)
}

// faults of the questions: an empty one, or the address asked for twice.
func (t Text) faults(language string) (faults []apperr.Field) {
	addresses := 0
	for i, question := range t.Questions {
		path := fmt.Sprintf("%s.custom_questions[%d].text", language, i)
		switch question {
		case "":
			faults = append(faults, apperr.Field{Path: path, Rule: apperr.RuleRequired})
		case AddressQuestion:
			if addresses++; addresses == 2 {
				faults = append(faults, apperr.Field{Path: path, Rule: apperr.RuleOnce})
			}
		}
	}
	return faults
}

func mapped(text *string, to func(string) string) *string {
	if text == nil {
		return nil
	}
	result := to(*text)
	return &result
}

// readTexts reads a reward's texts of all languages.
func readTexts(ctx context.Context, tx *gorm.DB, rewardID int64) (Texts, error) {
	var rows []textRecord
	if err := tx.WithContext(ctx).Where("reward_id = ?", rewardID).Find(&rows).Error; err != nil {
		return nil, fmt.Errorf("read texts of reward %d: %w", rewardID, err)
	}
	texts := Texts{}
	for _, r := range rows {
		texts[r.Language] = Text{Title: r.Title, Description: r.Description, ImageAlt: r.ImageAlt,
			Questions: r.CustomQuestions}
	}
	return texts, nil
}
