package richtext

import (
	"fmt"
	"html"
)

// FigureRow is one figure: its value as text and the length of its bar.
type FigureRow struct {
	Label string `json:"label" yaml:"label"`
	Value string `json:"value" yaml:"value"`
	Share int    `json:"share" yaml:"share"` // of 100
}

// figures writes a table like that of a budget, with bars in steps of 5.
func (w *writer) figures(rows []FigureRow) {
	w.html.WriteString(`<table class="budget"><tbody>`)
	for _, r := range rows {
		step := (min(max(r.Share, 0), 100) + 2) / 5
		fmt.Fprintf(&w.html, `<tr><th scope="row">%s</th><td class="bar"><span class="share-%d"></span></td><td class="amount">%s</td></tr>`,
			html.EscapeString(visible(r.Label)), max(step, 1)*5, html.EscapeString(visible(r.Value)))
		w.plain.WriteString(r.Label + " " + r.Value + "\n")
	}
	w.html.WriteString(`</tbody></table>`)
}
