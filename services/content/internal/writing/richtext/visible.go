package richtext

import (
	"strings"

	"talkoot.fi/kit/typed"
)

// Line is typed.Line.
func Line(text string) string { return typed.Line(text) }

// Plain is typed.Plain.
func Plain(text string) string { return typed.Plain(text) }

// visible removes what no reader sees and no writer types: control characters, and format characters such as those that
// reverse the direction of a text, which can make one link look like another (Unicode Technical Report 36, 2.4).
func visible(text string) string {
	return strings.ReplaceAll(strings.Map(typed.Visible, text), "\x00", "")
}
