// Package officialclient proves the stand-in for Mangopay by what Mangopay's official Node client says: make clients runs the client itself
// against it, and the shapes of requests that the client declares are here for tests.
package officialclient

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Shape is what a value of a request is.
type Shape struct {
	Kind     string           `json:"kind"` // string, number, boolean, list, object, any
	Required bool             `json:"required"`
	Enum     []string         `json:"enum"`
	Fields   map[string]Shape `json:"fields"`
	Item     *Shape           `json:"item"`
}

//go:embed shapes.json
var declared []byte

// newer has what is optional though the Node client requires it, what Mangopay's reference and its PHP client 4.4.0 have, which is newer than the Node client, and the calls whose bodies the
// Node client does not declare.
const newer = `{
"POST payins/card/direct": {"fields": {"FlowDescriptor": {"kind": "object", "fields": {
	"Beneficiaries": {"kind": "list", "required": true, "item": {"kind": "object", "fields": {"UserId": {"kind": "string", "required": true}}}}}}}},
"POST payins/card/web": {"fields": {"Tag": {"kind": "string"}}},
"POST payins/directdebit/direct": {"fields": {"Tag": {"kind": "string"}}},
"POST reporting/reports": {"fields": {"DateRangeBy": {"kind": "string", "enum": ["CreationDate", "ExecutionDate"]},
	"ReportType": {"kind": "string", "required": true, "enum": ["USER_WALLET_TRANSACTIONS", "COLLECTED_FEES"]},
	"DownloadFormat": {"kind": "string", "required": true, "enum": ["CSV"]}}},
"POST hooks": {"fields": {"Email": {"kind": "string"}}},
"PUT sca/users/natural/{id}": {"fields": {"TermsAndConditionsAccepted": {"kind": "boolean"}}},
"PUT sca/users/legal/{id}": {"fields": {"TermsAndConditionsAccepted": {"kind": "boolean"}}},
"PUT sca/users/legal/{id}/category": {"fields": {"LegalRepresentative": {"kind": "object", "required": true, "fields": {
	"FirstName": {"kind": "string", "required": true}, "LastName": {"kind": "string", "required": true}, "Email": {"kind": "string"},
	"Birthday": {"kind": "number"}, "Nationality": {"kind": "string"}, "CountryOfResidence": {"kind": "string"},
	"PhoneNumber": {"kind": "string"}, "PhoneNumberCountry": {"kind": "string"}}}}},
"PUT hooks/{id}": {"fields": {"Email": {"kind": "string"}}},
"PUT users/{user}/bankaccounts/{id}": {"kind": "object", "fields": {"Active": {"kind": "boolean", "required": true}}},
"PUT recipients/{id}": {"kind": "object", "fields": {"Status": {"kind": "string", "required": true, "enum": ["DEACTIVATED"]}}},
"PUT mandates/{id}/cancel": {"kind": "object"},
"PUT disputes/{id}/close": {"kind": "object"},
"POST sca/users/{id}/enrollment": {"kind": "object"},
"POST sca/users/{id}/consent": {"kind": "object"}
}`

// Shapes are those of the bodies of calls, each by its method and path, such as "POST payins/{id}/refunds".
func Shapes() map[string]Shape {
	var out, more map[string]Shape
	for text, into := range map[string]*map[string]Shape{string(declared): &out, newer: &more} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			panic(fmt.Sprintf("the shapes of requests: %v", err)) // they are a part of the program
		}
	}
	for _, call := range []string{"POST payins/card/web", "POST payins/directdebit/direct"} {
		maps.Copy(more[call].Fields, more["POST payins/card/direct"].Fields)
	}
	for call, s := range more {
		if known, is := out[call]; is {
			maps.Copy(known.Fields, s.Fields)
			continue
		}
		out[call] = s
	}
	return out
}

// CallOf finds the call of a method and a path below the client's id; "" when it is none with a body.
func CallOf(shapes map[string]Shape, method, path string) string {
	words := strings.Split(strings.Trim(path, "/"), "/")
	best, bestIDs := "", len(words)+1
	for call := range shapes {
		parts := strings.Split(strings.TrimPrefix(call, method+" "), "/")
		if !strings.HasPrefix(call, method+" ") || len(parts) != len(words) {
			continue
		}
		ids, fits := 0, true
		for i, part := range parts {
			if part[0] == '{' {
				ids++
				continue
			}
			fits = fits && strings.EqualFold(part, words[i])
		}
		if fits && ids < bestIDs {
			best, bestIDs = call, ids
		}
	}
	return best
}

// Faults are what of a value is not of the shape: unknown, missing, of another kind, or none of its enum.
func (s Shape) Faults(at string, value any) (out []string) {
	switch v := value.(type) {
	case map[string]any:
		if s.Kind == "any" {
			return nil
		}
		if s.Kind != "object" {
			return []string{at + " is an object"}
		}
		for name, field := range s.Fields {
			if _, there := v[name]; !there && field.Required {
				out = append(out, below(at, name)+" is missing")
			}
		}
		for name, one := range v {
			field, known := s.Fields[name]
			if !known {
				out = append(out, below(at, name)+" is unknown")
				continue
			}
			out = append(out, field.Faults(below(at, name), one)...)
		}
		slices.Sort(out)
		return out
	case []any:
		if s.Kind != "list" {
			return []string{at + " is a list"}
		}
		for _, one := range v {
			out = append(out, s.Item.Faults(at, one)...)
		}
		return out
	case string:
		if s.Kind != "string" && s.Kind != "any" {
			return []string{at + " is a text"}
		}
		if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
			return []string{fmt.Sprintf("%s is %q", at, v)}
		}
	case float64:
		if s.Kind != "number" && s.Kind != "any" {
			return []string{at + " is a number"}
		}
	case bool:
		if s.Kind != "boolean" && s.Kind != "any" {
			return []string{at + " is a boolean"}
		}
	default:
		return []string{fmt.Sprintf("%s is %T", at, value)}
	}
	return nil
}

func below(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}
