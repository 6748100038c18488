package mails

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Templates mark what is no paragraph of words, by control characters. What people have written has none of them: names and
// titles go through oneLine, the text of a post is inserted after the marks have been read, and its titles lose control
// characters (richtext.Line).
//
//	mark      made by     text part                   HTML part
//	cell      row, total  label and sum in columns    a table; a second mark at the end is the total's
//	(a colon) link        label, the address below    a button
//	actCell   act         "label – then:", address    a row of a table: the label is the link
//	stepCell  step        "when: what"                a row of a table
//	boxCell   box         label and small words       a box with the sum
//	noteMark  note        words                       small words below a button
//	partMark  part        words                       a heading
//	bodyHere              the text of a post          the same
//	footHere              where the footer begins     the same
const (
	cell     = "\t"
	bodyHere = "\x01"
	footHere = "\x02"
	actCell  = "\x03"
	stepCell = "\x04"
	boxCell  = "\x05"
	noteMark = "\x06"
	partMark = "\x07"
)

// block is a paragraph of the HTML part: words, the rows of a table, a link, acts, steps, a box, or a text that a person has
// written.
type block struct {
	Text  string
	Note  string // words below a button
	Part  string // the heading of a part
	Rows  []tableRow
	Link  *link
	Acts  []act
	Steps []step
	Box   *box
	Body  *body
}

type tableRow struct {
	Label, Sum string
	IsTotal    bool
	Language   string // of the label; empty for the mail's own
}

type link struct{ Label, URL string }

// act is a link that does one thing; Then is what comes of it.
type act struct{ Label, Then, URL string }

// step is what happens on a day.
type step struct{ When, What string }

// box is a sum with what it is for.
type box struct{ Label, Small, Sum string }

// row is a line of the price table; line breaks in the label are removed.
func row(label, sum string) string { return oneLine(label) + cell + sum }

// total is the row of the total.
func total(label, sum string) string { return row(label, sum) + cell }

// linkTo is a link in a paragraph of its own.
func linkTo(label, url string) string { return oneLine(label) + ":\n" + url }

// actOf is a line of a paragraph of acts.
func actOf(label, then, url string) string {
	return strings.Join([]string{oneLine(label), oneLine(then), url}, actCell)
}

// stepOf is a line of a paragraph of steps.
func stepOf(when, what string) string { return oneLine(when) + stepCell + oneLine(what) }

// boxOf is a box, a paragraph of its own.
func boxOf(label, small, sum string) string {
	return strings.Join([]string{oneLine(label), oneLine(small), sum}, boxCell)
}

func noteOf(text string) string { return noteMark + oneLine(text) }

func partOf(heading string) string { return partMark + oneLine(heading) }

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
		case strings.HasPrefix(paragraph, noteMark):
			blocks = append(blocks, block{Note: paragraph[1:]})
		case strings.HasPrefix(paragraph, partMark):
			blocks = append(blocks, block{Part: paragraph[1:]})
		case strings.Contains(lines[0], actCell):
			blocks = append(blocks, block{Acts: cells(lines, actCell, func(c []string) act { return act{c[0], c[1], c[2]} })})
		case strings.Contains(lines[0], stepCell):
			blocks = append(blocks, block{Steps: cells(lines, stepCell, func(c []string) step { return step{c[0], c[1]} })})
		case strings.Contains(lines[0], boxCell):
			blocks = append(blocks, block{Box: &cells(lines, boxCell, func(c []string) box { return box{c[0], c[1], c[2]} })[0]})
		case isLink && len(lines) == 2:
			blocks = append(blocks, block{Link: &link{label, lines[1]}})
		default:
			blocks = append(blocks, block{Text: paragraph})
		}
	}
	return blocks
}

// markLanguage notes the language of rows with a name, if that is known and not the mail's own.
func markLanguage(blocks []block, name, its, own string) {
	if its == own || name == "" {
		return
	}
	for _, b := range blocks {
		for i := range b.Rows {
			if b.Rows[i].Label == name {
				b.Rows[i].Language = its
			}
		}
	}
}

// cells reads lines of cells.
func cells[T any](lines []string, separator string, of func(cells []string) T) []T {
	out := make([]T, len(lines))
	for i, line := range lines {
		out[i] = of(strings.Split(line, separator))
	}
	return out
}

func rowsOf(lines []string) []tableRow {
	rows := make([]tableRow, len(lines))
	for i, line := range lines {
		label, sum, _ := strings.Cut(line, cell)
		sum, isTotal := strings.CutSuffix(sum, cell)
		rows[i] = tableRow{Label: label, Sum: sum, IsTotal: isTotal}
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
		case b.Note != "", b.Part != "":
			paragraphs[i] = b.Note + b.Part
		case b.Acts != nil:
			lines := make([]string, len(b.Acts))
			for i, a := range b.Acts {
				lines[i] = a.Label + " – " + a.Then + ":\n" + a.URL
			}
			paragraphs[i] = strings.Join(lines, "\n\n")
		case b.Steps != nil:
			lines := make([]string, len(b.Steps))
			for i, s := range b.Steps {
				lines[i] = s.When + ": " + s.What
			}
			paragraphs[i] = strings.Join(lines, "\n")
		case b.Box != nil:
			paragraphs[i] = b.Box.Label + "\n" + b.Box.Small
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
