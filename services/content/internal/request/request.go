// Package request reads optional parameters and the page of a list.
package request

// defaultLimit is the length of a page without the parameter limit.
const defaultLimit = 24

// Value is an optional parameter's value, zero when it is absent.
func Value[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

// Page is the limit and offset of a list's page, with their defaults. The contract has checked their bounds.
func Page(limit, offset *int) (length, from int) {
	if limit == nil {
		return defaultLimit, Value(offset)
	}
	return *limit, Value(offset)
}
