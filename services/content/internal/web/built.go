package web

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"talkoot.fi/kit/money"

	"talkoot.fi/content/internal/languages"
)

// built is pages.json of the app's build: the files that each page needs first, and the app's texts, so that server
// and app use the same words.
type built struct {
	// Chunks are the files of each page, paths without the leading slash.
	Chunks map[string][]string `json:"chunks"`
	// Catalogues are the files of the texts by language and page; those of all pages have the empty name.
	Catalogues map[string]map[string][]string `json:"catalogues"`
	// Texts are the app's texts by language.
	Texts map[string]map[string]any `json:"texts"`
	// Info are the pages of plain text by language and name.
	Info map[string]map[string]infoPage `json:"info"`
}

// infoPage is a page of plain text.
type infoPage struct {
	Title    string `json:"title"`
	Sections []struct {
		Heading string   `json:"heading"`
		Text    string   `json:"text"`
		List    []string `json:"list"`
		Mail    string   `json:"mail"`
	} `json:"sections"`
}

// readBuilt reads pages.json of the built app. Error: it lacks a page of the table, so the app was built from another
// version.
func readBuilt(webDir string) (built, error) {
	text, err := os.ReadFile(filepath.Join(webDir, "pages.json"))
	if err != nil {
		return built{}, fmt.Errorf("the web app is not built: %w", err)
	}
	var b built
	if err := json.Unmarshal(text, &b); err != nil {
		return built{}, fmt.Errorf("read pages.json of the web app: %w", err)
	}
	for _, e := range table {
		if len(b.Chunks[e.Name]) == 0 {
			return built{}, errors.New("the built web app has no page " + e.Name)
		}
	}
	for _, l := range languages.All {
		if len(b.Texts[l]) == 0 {
			return built{}, errors.New("the built web app has no texts in " + l)
		}
	}
	return b, nil
}

// words is the app's texts and formats in one language.
type words struct {
	language string
	texts    map[string]any
}

func (b built) in(language string) words { return words{language, b.Texts[language]} }

// T is the app's text of a key such as "campaignPage.story"; the key itself when there is none. Values come in pairs:
// name, value.
func (w words) T(key string, values ...string) string {
	var at any = w.texts
	for part := range strings.SplitSeq(key, ".") {
		branch, _ := at.(map[string]any)
		at = branch[part]
	}
	text, ok := at.(string)
	if !ok {
		return key
	}
	for i := 0; i+1 < len(values); i += 2 {
		text = strings.NewReplacer("{{"+values[i]+"}}", values[i+1], "{{"+values[i]+", number}}", values[i+1]).Replace(text)
	}
	return text
}

// Count is the app's text of a key in singular or plural.
func (w words) Count(key string, n int) string { return w.counted(key, n) }

// counted is Count of a text that has more placeholders: names and values.
func (w words) counted(key string, n int, values ...string) string {
	form := "_other"
	if n == 1 {
		form = "_one"
	}
	return w.T(key+form, append([]string{"count", w.group(strconv.Itoa(n))}, values...)...)
}

// Money writes an amount as the app does on campaign pages: with cents only if there are any.
func (w words) Money(amount money.Decimal) string {
	sum, minor := w.group(strconv.FormatInt(int64(amount)/100, 10)), int64(amount)%100
	if minor != 0 {
		decimal := ","
		if w.language == english {
			decimal = "."
		}
		sum += fmt.Sprintf("%s%02d", decimal, minor)
	}
	if w.language == english {
		return "€" + sum
	}
	return sum + "\u00a0€"
}

// group separates thousands.
func (w words) group(digits string) string {
	by := "\u00a0"
	if w.language == english {
		by = ","
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + by + digits[i:]
	}
	return digits
}

// Path is the address of a page in the language.
func (w words) Path(path string) string { return address("", w.language, path) }

// Foreign is the language of a text if it is not the page's, else empty: the app marks only those.
func (w words) Foreign(language string) string {
	if language == w.language {
		return ""
	}
	return language
}

const english = "en"
