package mails

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Templates mark rows of prices and links: row and total separate label and sum by a tab, link is a paragraph of its
// own. The text part aligns rows in columns and writes the address out; the HTML part has a table and buttons.
const cell = "\t"

// Placeholders in a template: for the text of a post, and for where the mail's footer begins. A post cannot contain
// them: its text is inserted after they have been found, and its titles lose control characters (richtext.Line).
const (
	bodyHere = "\x01"
	footHere = "\x02"
)

// block is a paragraph of the HTML part: words, the rows of a table, a link, or a text that a person has written.
type block struct {
	Text string
	Rows []tableRow
	Link *link
	Body *body
}

type tableRow struct {
	Label, Sum string
	IsTotal    bool
}

type link struct{ Label, URL string }

// row is a line of the price table; line breaks in the label are removed.
func row(label, sum string) string { return oneLine(label) + cell + sum }

// total is the row of the total.
func total(label, sum string) string { return row(label, sum) + cell }

// linkTo is a link in a paragraph of its own.
func linkTo(label, url string) string { return oneLine(label) + ":\n" + url }

// oneLine is what a person has written as words on one line. Control characters count as space: some are placeholders.
func oneLine(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || unicode.IsControl(r) }), " ")
}

// blocksOf reads the paragraphs of a rendered template.
func blocksOf(body string) []block {
	var blocks []block
	for paragraph := range strings.SplitSeq(strings.TrimSpace(body), "\n\n") {
		if paragraph == "" {
			continue
		}
		lines := strings.Split(paragraph, "\n")
		switch label, isLink := strings.CutSuffix(lines[0], ":"); {
		case strings.Contains(lines[0], cell):
			blocks = append(blocks, block{Rows: rowsOf(lines)})
		case isLink && len(lines) == 2:
			blocks = append(blocks, block{Link: &link{label, lines[1]}})
		default:
			blocks = append(blocks, block{Text: paragraph})
		}
	}
	return blocks
}

func rowsOf(lines []string) []tableRow {
	rows := make([]tableRow, len(lines))
	for i, line := range lines {
		label, sum, _ := strings.Cut(line, cell)
		sum, isTotal := strings.CutSuffix(sum, cell)
		rows[i] = tableRow{label, sum, isTotal}
	}
	return rows
}

// plain is the text part: rows in two columns, the sums flush right.
func plain(blocks []block) string {
	paragraphs := make([]string, len(blocks))
	for i, b := range blocks {
		switch {
		case b.Rows != nil:
			paragraphs[i] = columns(b.Rows)
		case b.Link != nil:
			paragraphs[i] = b.Link.Label + ":\n" + b.Link.URL
		default:
			paragraphs[i] = b.Text
		}
	}
	return strings.Join(paragraphs, "\n\n") + "\n"
}

func columns(rows []tableRow) string {
	var width, sums int
	for _, r := range rows {
		width, sums = max(width, utf8.RuneCountInString(r.Label)), max(sums, utf8.RuneCountInString(r.Sum))
	}
	lines := make([]string, len(rows))
	for i, r := range rows {
		gap := width + 2 + sums - utf8.RuneCountInString(r.Label) - utf8.RuneCountInString(r.Sum)
		lines[i] = r.Label + strings.Repeat(" ", gap) + r.Sum
	}
	return strings.Join(lines, "\n")
}
