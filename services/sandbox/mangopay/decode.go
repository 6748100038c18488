package mangopay

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// decode reads the call's body into a struct whose fields have rules: `rule:"required,max=255,in=A|B"`. Names are
// case-sensitive, names without a field are refused, and null counts as absent.
func decode[T any](c *call) (T, error) {
	var out T
	err := c.decodeInto(&out, false)
	return out, err
}

// decodeInto reads the body over what out has. A partial body may leave out what is required.
func (c *call) decodeInto(out any, partial bool) error {
	faults := map[string]string{}
	raw := c.body
	if len(raw) == 0 {
		raw = []byte("{}")
	}
	c.isRead = true
	if !json.Valid(raw) {
		return paramError("Body", "The body is not valid JSON.")
	}
	reader{faults, partial, c.ids["id"]}.fill("", raw, reflect.ValueOf(out).Elem())
	if len(faults) > 0 {
		return paramErrors(faults)
	}
	return nil
}

// unread refuses a body of a call that has none.
func (c *call) unread() error {
	if c.isRead || c.r == nil || c.r.Method == http.MethodGet {
		return nil
	}
	return c.decodeInto(&struct{}{}, false)
}

type reader struct {
	faults  map[string]string
	partial bool
	id      string // of the path: the official clients send it along
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

func (d reader) fill(at string, raw json.RawMessage, v reflect.Value) {
	switch {
	case v.Type() == rawMessage:
		v.SetBytes(raw)
	case v.Kind() == reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		d.fill(at, raw, v.Elem())
	case v.Kind() == reflect.Slice:
		var items []json.RawMessage
		if err := json.Unmarshal(raw, &items); err != nil {
			d.faults[at] = "The value must be a list."
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			d.fill(at+"["+strconv.Itoa(i)+"]", item, v.Index(i))
		}
	case v.Kind() == reflect.Struct:
		d.object(at, raw, v)
	default:
		if err := json.Unmarshal(raw, v.Addr().Interface()); err != nil {
			d.faults[at] = "The value is not valid: " + string(raw)
		}
	}
}

func (d reader) object(at string, raw json.RawMessage, v reflect.Value) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		d.faults[at] = "The value must be an object."
		return
	}
	prefix := ""
	if at != "" {
		prefix = at + "."
	}
	for _, f := range reflect.VisibleFields(v.Type()) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		rules := strings.Split(f.Tag.Get("rule"), ",")
		value, present := given[name]
		delete(given, name)
		switch present = present && string(value) != "null"; {
		case present:
			field := v.FieldByIndex(f.Index)
			d.fill(prefix+name, value, field)
			if fault := broken(rules, field); fault != "" && d.faults[prefix+name] == "" {
				d.faults[prefix+name] = fault
			}
		case slices.Contains(rules, "required") && (!d.partial || at != ""):
			d.faults[prefix+name] = "The " + name + " field is required."
		}
	}
	if id := given["Id"]; at == "" && d.id != "" && string(id) == `"`+d.id+`"` {
		delete(given, "Id")
	}
	for name := range given {
		d.faults[prefix+name] = "The field " + name + " is unknown."
	}
}

// broken tells which rule a value breaks.
func broken(rules []string, v reflect.Value) string {
	for v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if v.Kind() != reflect.String {
		return ""
	}
	text := v.String()
	for _, rule := range rules {
		name, want, _ := strings.Cut(rule, "=")
		switch name {
		case "required":
			if text == "" {
				return "The value must not be empty."
			}
		case "max":
			if most, _ := strconv.Atoi(want); utf8.RuneCountInString(text) > most {
				return "The value may have at most " + want + " characters."
			}
		case "in":
			if !slices.Contains(strings.Split(want, "|"), text) {
				return fmt.Sprintf("The value %q is not one of %s.", text, strings.ReplaceAll(want, "|", ", "))
			}
		case "country":
			if len(text) != 2 || strings.ToUpper(text) != text {
				return "The value is not a country of two letters."
			}
		case "email":
			if at := strings.IndexByte(text, '@'); at < 1 || at == len(text)-1 {
				return "The value is not an email address."
			}
		case "url":
			if !strings.HasPrefix(text, "http://") && !strings.HasPrefix(text, "https://") {
				return "The value is not a URL."
			}
		}
	}
	return ""
}
