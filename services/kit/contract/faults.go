package contract

import (
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	"talkoot.fi/kit/apperr"
)

// fault is one thing wrong with one field. rule is a key of the catalogue's rules.
type fault struct {
	path, rule string
	params     apperr.Params
}

// faults collects the faults of a request by kind; the kind decides the status of the answer. Unknown fields and wrong
// types mean that the client does not know the contract, so broken rules are not reported beside them.
type faults struct {
	unknown, wrongType, rules []fault
}

func (f *faults) err() error {
	switch {
	case len(f.unknown) > 0:
		return asError(apperr.UnknownField, f.unknown)
	case len(f.wrongType) > 0:
		return asError(apperr.MalformedBody, f.wrongType)
	case len(f.rules) > 0:
		return asError(apperr.InvalidFields, f.rules)
	}
	return nil
}

// asError makes the error, with the first fault of each path and at most maxFaults.
func asError(status apperr.Status, list []fault) error {
	slices.SortStableFunc(list, func(a, b fault) int { return strings.Compare(a.path, b.path) })
	list = slices.CompactFunc(list, func(a, b fault) bool { return a.path == b.path })
	fields := make([]apperr.Field, min(len(list), maxFaults))
	for i := range fields {
		fields[i] = apperr.Field{Path: list[i].path, Rule: list[i].rule, Params: list[i].params}
	}
	return apperr.New(status).WithFields(fields)
}

// addParameter adds a query parameter's or header's faults; a value that cannot be parsed is of the wrong type.
func (f *faults) addParameter(name string, err error) {
	list := schemaErrors(err)
	if errors.Is(err, openapi3filter.ErrInvalidRequired) || errors.Is(err, openapi3filter.ErrInvalidEmptyValue) {
		f.rules = append(f.rules, fault{path: name, rule: apperr.RuleRequired})
		return
	}
	if len(list) == 0 {
		f.rules = append(f.rules, fault{path: name, rule: apperr.RuleType})
		return
	}
	for _, e := range list {
		found := ruleOf(e)
		found.path = joinPath(append([]string{name}, e.JSONPointer()...))
		f.rules = append(f.rules, found)
	}
}

// addBody adds the faults that the schema finds in a body.
func (f *faults) addBody(err error) {
	for _, e := range schemaErrors(err) {
		found := ruleOf(e)
		found.path = joinPath(e.JSONPointer())
		switch {
		case e.SchemaField == "properties": // an unknown field, which addUnknown reports with its path
		case found.rule == apperr.RuleType:
			f.wrongType = append(f.wrongType, found)
		default:
			f.rules = append(f.rules, found)
		}
	}
}

// schemaErrors flattens the validator's lists, and the parts of an allOf, which are all rules of the same value. A
// oneOf or anyOf stays one fault, because no alternative alone is the client's mistake.
func schemaErrors(err error) []*openapi3.SchemaError {
	var schema *openapi3.SchemaError
	var list openapi3.MultiError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &schema):
		// errors.As would find the first error inside a list; lists are taken apart below.
		if multi, ok := asMulti(err); ok {
			list = multi
			break
		}
		if schema.SchemaField == "allOf" && schema.Origin != nil {
			return schemaErrors(schema.Origin)
		}
		return []*openapi3.SchemaError{schema}
	}
	var found []*openapi3.SchemaError
	for _, e := range list {
		found = append(found, schemaErrors(e)...)
	}
	return found
}

// asMulti unwraps err to a list, unless a single schema error comes first.
func asMulti(err error) (openapi3.MultiError, bool) {
	for err != nil {
		switch e := err.(type) { //nolint:errorlint // walks the chain link by link, to see which kind comes first
		case openapi3.MultiError:
			return e, true
		case *openapi3.SchemaError:
			return nil, false
		case interface{ Unwrap() []error }:
			return e.Unwrap(), true
		}
		err = errors.Unwrap(err)
	}
	return nil, false
}

// ruleOf names the broken rule as the catalogue does.
func ruleOf(e *openapi3.SchemaError) fault {
	s := e.Schema
	switch e.SchemaField {
	case "required", "nullable":
		return fault{rule: apperr.RuleRequired}
	case "type":
		return fault{rule: apperr.RuleType}
	case "minLength", "minItems":
		if text, ok := e.Value.(string); ok && text == "" {
			return fault{rule: apperr.RuleRequired}
		}
		if e.SchemaField == "minItems" {
			return fault{rule: apperr.RuleMinValue, params: apperr.Params{"min": s.MinItems}}
		}
		return fault{rule: apperr.RuleMinLength, params: apperr.Params{"min": s.MinLength}}
	case "maxLength":
		return fault{rule: apperr.RuleMaxLength, params: apperr.Params{"max": *s.MaxLength}}
	case "maxItems":
		return fault{rule: apperr.RuleMaxValue, params: apperr.Params{"max": *s.MaxItems}}
	case "minimum", "exclusiveMinimum":
		return fault{rule: apperr.RuleMinValue, params: limit("min", s.Min)}
	case "maximum", "exclusiveMaximum":
		return fault{rule: apperr.RuleMaxValue, params: limit("max", s.Max)}
	case "enum":
		return fault{rule: apperr.RuleOneOf}
	case "format":
		if s.Format == "date" {
			return fault{rule: apperr.RuleDate}
		}
		return fault{rule: apperr.RuleFormat}
	default:
		return fault{rule: apperr.RuleFormat}
	}
}

func limit(name string, value *float64) apperr.Params {
	if value == nil {
		return nil
	}
	return apperr.Params{name: strconv.FormatFloat(*value, 'f', -1, 64)}
}

// joinPath writes a path as the catalogue's field paths are: rewards[0].title.
func joinPath(segments []string) string {
	var b strings.Builder
	for _, s := range segments {
		if _, err := strconv.Atoi(s); err == nil {
			b.WriteString("[" + s + "]")
			continue
		}
		if b.Len() > 0 {
			b.WriteByte('.')
		}
		b.WriteString(s)
	}
	return b.String()
}
