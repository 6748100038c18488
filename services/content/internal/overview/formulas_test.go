//go:build unix

package overview

import "testing"

// OWASP, CSV Injection: the characters that make a spreadsheet treat a cell as a formula, also in their full-width
// forms.
func TestSafe_EverySignOfAFormula(t *testing.T) {
	for _, cell := range []string{"=1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "＝1", "＋1", "－1", "＠a"} {
		if got := safe(cell); got != "'"+cell {
			t.Errorf("%q: %q", cell, got)
		}
	}
	for _, cell := range []string{"", "a=1", "Ähtäri", "'x"} {
		if got := safe(cell); got != cell {
			t.Errorf("%q: %q", cell, got)
		}
	}
}
