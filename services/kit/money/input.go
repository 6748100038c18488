package money

import (
	"encoding/json"
	"errors"
	"math"
	"strings"

	"talkoot.fi/kit/apperr"
)

// FromInput reads the number in a request's field by the rules of ParseMajor. For one that is no amount it gives the fault, told the
// same way wherever somebody types a sum: below zero min_value, more than two decimals decimals, more than can be held max_value,
// anything else, such as an exponent, format. Which amounts a field takes beyond that, such as no zero, is its own rule.
func FromInput(path string, n json.Number, currency Currency) (Amount, []apperr.Field) {
	amount, err := FromNumber(n, currency)
	if err == nil {
		return amount, nil
	}
	fault := apperr.Field{Path: path, Rule: apperr.RuleFormat}
	unsigned, isNegative := strings.CutPrefix(n.String(), "-")
	whole, decimals, _ := strings.Cut(unsigned, ".")
	switch {
	case !isDigits(whole) || decimals != "" && !isDigits(decimals):
	case isNegative:
		fault.Rule, fault.Params = apperr.RuleMinValue, apperr.Params{"min": 0}
	case len(decimals) > 2:
		fault.Rule = apperr.RuleDecimals
	case errors.Is(err, ErrOverflow):
		fault.Rule, fault.Params = apperr.RuleMaxValue, apperr.Params{"max": Amount{Minor: math.MaxInt64}.Number()}
	}
	return Amount{}, []apperr.Field{fault}
}
