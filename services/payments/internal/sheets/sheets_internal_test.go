package sheets

import "testing"

// No cell is a formula or more than one cell, whatever a person or a provider has written.
func TestQuoted_IsOneCellAndNoFormula(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"": "", "charge": "charge", "ch_1": "ch_1", "=1+1": "'=1+1", "+358": "'+358", "-1": "'-1", "-1,05": "-1,05", "-1,05+A1": "'-1,05+A1", "@SUM(A1)": "'@SUM(A1)", "\t=1": "'\t =1", "\r=1": "\"'\r =1\"",
		"\n=1": "\"'\n =1\"", "＝1+1": "'＝1+1", "＠SUM": "'＠SUM", "a;b": `"a;b"`, `=HYPERLINK("x";"y")`: `"'=HYPERLINK(""x"";""y"")"`, "for Maija,=1+1": "for Maija, =1+1", "two\nlines": "\"two\nlines\"",
	} {
		if got := quoted(cell); got != want {
			t.Errorf("%q is written %q, want %q", cell, got, want)
		}
	}
}
