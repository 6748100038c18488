package rewards

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
)

// AddressQuestion is the question text that asks for a postal address instead of an answer.
const AddressQuestion = "ask_for_address"

// AddedCost is a choice that comes with a reward, such as a way of delivery.
type AddedCost struct {
	AmountMinor int64 `json:"amount_minor"`
	// Description by language in capitals: FI, EN, SV.
	Description map[string]string `json:"description"`
	// WithoutAddress: it is picked up or sent by e-mail, so the backer's postal address is not needed.
	WithoutAddress bool `json:"without_address,omitempty"`
}

// In is the description in a language; it falls back to English, then to any.
func (c AddedCost) In(language string) string {
	for _, key := range []string{strings.ToUpper(language), "EN", "FI", "SV"} {
		if text := c.Description[key]; text != "" {
			return text
		}
	}
	return ""
}

// AddedCosts is the list as it is kept in rewards.added_costs.
type AddedCosts []AddedCost

// Scan reads the JSON column.
func (c *AddedCosts) Scan(value any) error { return scanJSON(value, c) }

// Value writes the JSON column.
func (c AddedCosts) Value() (driver.Value, error) { return valueJSON(c, len(c)) }

// Question is one thing that a creator asks of those who choose a reward.
type Question struct {
	Key  string // custom_question_N
	Text string
}

// AsksForAddress reports whether the question stands for the address fields.
func (q Question) AsksForAddress() bool { return q.Text == AddressQuestion }

// AskForAddress reports whether any of the questions asks for the address.
func AskForAddress(questions []Question) bool {
	for _, q := range questions {
		if q.AsksForAddress() {
			return true
		}
	}
	return false
}

// QuestionTexts is the list as it is kept in reward_texts.custom_questions.
type QuestionTexts []string

// Scan reads the JSON column.
func (t *QuestionTexts) Scan(value any) error { return scanJSON(value, t) }

// Value writes the JSON column.
func (t QuestionTexts) Value() (driver.Value, error) { return valueJSON(t, len(t)) }

// Keyed numbers the questions from custom_question_1.
func (t QuestionTexts) Keyed() []Question {
	questions := make([]Question, len(t))
	for i, text := range t {
		questions[i] = Question{Key: fmt.Sprintf("custom_question_%d", i+1), Text: text}
	}
	return questions
}

// TextsOf is the questions as Keyed numbers them, without their keys.
func TextsOf(questions []Question) QuestionTexts {
	texts := make(QuestionTexts, len(questions))
	for i, q := range questions {
		texts[i] = q.Text
	}
	return texts
}

func scanJSON(value any, into any) error {
	switch v := value.(type) {
	case nil:
		return nil
	case []byte:
		return json.Unmarshal(v, into)
	case string:
		return json.Unmarshal([]byte(v), into)
	default:
		return fmt.Errorf("scan %T as JSON", value)
	}
}

func valueJSON(list any, length int) (driver.Value, error) {
	if length == 0 {
		return "[]", nil
	}
	text, err := json.Marshal(list)
	return string(text), err
}
