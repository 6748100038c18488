package contract

import (
	"maps"
	"slices"
	"strconv"

	"github.com/getkin/kin-openapi/openapi3"

	"talkoot.fi/kit/apperr"
)

// addUnknown adds the fields of a body that its schema does not name, up to maxFaults. A schema without properties, or
// with additionalProperties, accepts any.
func (f *faults) addUnknown(schema *openapi3.Schema, value any, path string) {
	if len(f.unknown) >= maxFaults {
		return
	}
	switch value := value.(type) {
	case map[string]any:
		known := knownFields(schema)
		for _, name := range slices.Sorted(maps.Keys(value)) {
			member, at := value[name], name
			if path != "" {
				at = path + "." + name
			}
			switch {
			case known.fields[name] != nil:
				f.addUnknown(known.fields[name], member, at)
			case known.rest != nil:
				f.addUnknown(known.rest, member, at)
			case !known.open:
				f.unknown = append(f.unknown, fault{path: at, rule: string(apperr.UnknownField)})
			}
		}
	case []any:
		items := itemsOf(schema)
		if items == nil {
			return
		}
		for i, item := range value {
			f.addUnknown(items, item, path+"["+strconv.Itoa(i)+"]")
		}
	}
}

// fieldSet is the fields of a schema and of the schemas that it is composed of.
type fieldSet struct {
	fields map[string]*openapi3.Schema
	rest   *openapi3.Schema // of fields that are not named
	open   bool
}

func knownFields(schema *openapi3.Schema) fieldSet {
	set := fieldSet{fields: map[string]*openapi3.Schema{}}
	closed := set.gather(schema)
	if len(set.fields) == 0 && !closed {
		set.open = true
	}
	return set
}

// gather collects the fields, and reports whether one of the schemas forbids others explicitly.
func (set *fieldSet) gather(schema *openapi3.Schema) (closed bool) {
	for name, ref := range schema.Properties {
		set.fields[name] = ref.Value
	}
	if extra := schema.AdditionalProperties; extra.Schema != nil {
		set.rest = extra.Schema.Value
	} else if extra.Has != nil {
		closed = !*extra.Has
		set.open = set.open || *extra.Has
	}
	for _, list := range []openapi3.SchemaRefs{schema.AllOf, schema.OneOf, schema.AnyOf} {
		for _, ref := range list {
			closed = set.gather(ref.Value) || closed
		}
	}
	return closed
}

func itemsOf(schema *openapi3.Schema) *openapi3.Schema {
	if schema.Items != nil {
		return schema.Items.Value
	}
	for _, ref := range schema.AllOf {
		if items := itemsOf(ref.Value); items != nil {
			return items
		}
	}
	return nil
}
