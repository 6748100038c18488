package stripe

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

type fieldType int

const (
	textField fieldType = iota
	integerField
	booleanField
	enumField
	hashField
	listField
	metadataField
	intOrHashField // created=… or created[gte]=…
	textOrBoolField
)

// field is the rule for one parameter.
type field struct {
	typ      fieldType
	required bool
	values   []string // enumField
	fields   fields   // hashField, intOrHashField
	elem     *field   // listField
	maxLen   int      // textField; 0 means 5,000
}

type fields map[string]field

func text() field                  { return field{typ: textField} }
func textMax(n int) field          { return field{typ: textField, maxLen: n} }
func integer() field               { return field{typ: integerField} }
func boolean() field               { return field{typ: booleanField} }
func oneOf(v ...string) field      { return field{typ: enumField, values: v} }
func hash(f fields) field          { return field{typ: hashField, fields: f} }
func listOf(f field) field         { return field{typ: listField, elem: &f} }
func metadata() field              { return field{typ: metadataField} }
func textOrBool(v ...string) field { return field{typ: textOrBoolField, values: v} }
func (f field) must() field        { f.required = true; return f }

// with joins parameter sets.
func (f fields) with(more fields) fields {
	out := make(fields, len(f)+len(more))
	for name, rule := range f {
		out[name] = rule
	}
	for name, rule := range more {
		out[name] = rule
	}
	return out
}

// listParams are the parameters every list call takes, beside its own.
func listParams(more fields) fields {
	return fields{
		"limit": integer(), "starting_after": text(), "ending_before": text(),
		"created": ranged(),
	}.with(more)
}

// ranged is a number that a list is filtered by: exactly, or between bounds.
func ranged() field {
	return field{typ: intOrHashField, fields: fields{"gt": integer(), "gte": integer(), "lt": integer(), "lte": integer()}}
}

// checkParams refuses unknown names first (also nested ones), then wrong values, then missing ones.
func checkParams(n *node, rules fields) (*params, *apiError) {
	rules = rules.with(fields{"expand": listOf(text())})
	if e := checkUnknown(n, rules, ""); e != nil {
		return nil, e
	}
	if e := checkHash(n, rules, ""); e != nil {
		return nil, e
	}
	return &params{n: n}, nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "[" + name + "]"
}

func checkUnknown(n *node, rules fields, path string) *apiError {
	for _, name := range n.order {
		at := join(path, name)
		rule, known := rules[name]
		if !known {
			return invalidParam(at, "parameter_unknown", "Received unknown parameter: "+at)
		}
		if e := rule.checkUnknown(n.kids[name], at); e != nil {
			return e
		}
	}
	return nil
}

func (f field) checkUnknown(n *node, at string) *apiError {
	switch f.typ {
	case hashField, intOrHashField:
		return checkUnknown(n, f.fields, at)
	case listField:
		for _, name := range n.order {
			if e := f.elem.checkUnknown(n.kids[name], join(at, name)); e != nil {
				return e
			}
		}
	default: // nothing has a name in it
	}
	return nil
}

func checkHash(n *node, rules fields, path string) *apiError {
	for _, name := range n.order {
		if e := rules[name].check(n.kids[name], join(path, name)); e != nil {
			return e
		}
	}
	names := make([]string, 0, len(rules))
	for name, rule := range rules {
		if rule.required {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		if n.kids[name] == nil {
			return missingParam(join(path, name))
		}
	}
	return nil
}

func (f field) check(n *node, at string) *apiError {
	nested := len(n.order) > 0
	empty := n.isLeaf && n.scalar == ""
	if empty && f.required {
		return invalidParam(at, "parameter_invalid_empty", "You passed an empty string for '"+at+"'.")
	}
	if empty { // an empty value unsets
		return nil
	}
	switch f.typ {
	case hashField:
		if !nested {
			return invalidParam(at, "", "Invalid object")
		}
		return checkHash(n, f.fields, at)
	case intOrHashField:
		if nested {
			return checkHash(n, f.fields, at)
		}
		return field{typ: integerField}.check(n, at)
	case listField:
		items, numbered := n.elements()
		if !nested || !numbered {
			return invalidParam(at, "", "Invalid array")
		}
		for i, item := range items {
			if e := f.elem.check(item, join(at, strconv.Itoa(i))); e != nil {
				return e
			}
		}
		return nil
	case metadataField:
		return checkMetadata(n, at)
	default:
		if nested {
			return invalidParam(at, "", "Invalid string")
		}
		return f.checkScalar(n.scalar, at)
	}
}

func (f field) checkScalar(v, at string) *apiError {
	switch f.typ {
	case integerField:
		if _, err := strconv.ParseInt(v, 10, 64); err != nil {
			return invalidParam(at, "parameter_invalid_integer", "Invalid integer: "+v)
		}
	case booleanField:
		if v != "true" && v != "false" {
			return invalidParam(at, "", "Invalid boolean: "+v)
		}
	case enumField:
		if !slices.Contains(f.values, v) {
			return invalidParam(at, "", fmt.Sprintf("Invalid %s: must be one of %s", at, strings.Join(f.values, ", ")))
		}
	case textOrBoolField:
		if v != "true" && v != "false" && !slices.Contains(f.values, v) {
			return invalidParam(at, "", fmt.Sprintf("Invalid %s: must be true, false or one of %s", at, strings.Join(f.values, ", ")))
		}
	default:
		limit := f.maxLen
		if limit == 0 {
			limit = 5000
		}
		if len([]rune(v)) > limit {
			return invalidParam(at, "", fmt.Sprintf("Invalid string: must be at most %d characters", limit))
		}
	}
	return nil
}

// checkMetadata holds Stripe's limits: 50 keys, 40 characters in a key, 500 in a value.
func checkMetadata(n *node, at string) *apiError {
	if n.isLeaf {
		return invalidParam(at, "", "Invalid object")
	}
	if len(n.order) > 50 {
		return invalidParam(at, "", "Metadata may have at most 50 keys.")
	}
	for _, name := range n.order {
		kid := n.kids[name]
		if len(kid.order) > 0 {
			return invalidParam(join(at, name), "", "Metadata values can't be objects.")
		}
		if len([]rune(name)) > 40 {
			return invalidParam(join(at, name), "", "Metadata keys can be up to 40 characters long.")
		}
		if len([]rune(kid.scalar)) > 500 {
			return invalidParam(join(at, name), "", "Metadata values can have up to 500 characters.")
		}
	}
	return nil
}
