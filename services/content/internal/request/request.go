// Package request reads what calls have in common: parameters that may be left out, and pages of lists.
package request

// defaultLimit is the length of a page when none is asked for.
const defaultLimit = 24

// Value is what a parameter has, zero when it was left out.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Page is the length of a page and where it begins; the contract has bounded both.
func Page(limit, offset *int) (length, from int) {
	if limit == nil {
		return defaultLimit, Value(offset)
	}
	return *limit, Value(offset)
}
