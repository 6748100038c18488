package stripe

// RemedyOf and HasRemedy are for the tests.
var RemedyOf = remedyOf

// HasRemedy reports whether a code's remedy is decided.
func HasRemedy(code string) bool {
	_, ok := remedies[code]
	return ok
}
