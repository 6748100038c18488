//go:build unix

package overview

import "testing"

// OWASP, CSV Injection: the characters that make a spreadsheet treat a cell as a formula, also in their full-width
// forms.
func TestSafe_EverySignOfAFormula(t *testing.T) {
	for _, cell := range []string{"=1", "+1", "-1", "@a", "\t1", "\r1", "\n1", "＝1", "＋1", "－1", "＠a"} {
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

// Where a cell begins depends on the separator that a spreadsheet takes: a comma, a semicolon, a tab, or all of them.
func TestSafe_NoSeparatorMakesAFormulaOfWhatSomebodyWrote(t *testing.T) {
	for cell, want := range map[string]string{
		"Aino;=HYPERLINK(\"x\")":        "Aino; =HYPERLINK(\"x\")",
		"Katu 1,@SUM(A1)":               "Katu 1, @SUM(A1)",
		"a\t+358":                       "a\t +358",
		"\t=1":                          "'\t =1",
		"a;\"=1+1\"":                    "a;\" =1+1\"",
		"a|＝1":                          "a| ＝1",
		"Aino-Maria, 5-7 @ Kylä; 1+1=2": "Aino-Maria, 5-7 @ Kylä; 1+1=2",
		`="00100"`:                      `="00100"`,
	} {
		if got := safe(cell); got != want {
			t.Errorf("%q: %q, not %q", cell, got, want)
		}
	}
}
