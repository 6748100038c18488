package contract

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// Contract is a loaded OpenAPI file. It is safe for concurrent use.
type Contract struct {
	doc        *openapi3.T
	operations []*operation
	byRoute    map[string]*operation // "GET /campaigns/:campaign_id", as Echo names its routes
}

// Operation is one call of the contract.
type Operation struct {
	Method string
	// Path as the contract writes it: /campaigns/{campaign_id}/{language}/.
	Path string
	// ID is the operationId.
	ID string
	// Tags group the calls, as the contract orders them.
	Tags []string
	// Route is the path as Echo names it: /campaigns/:campaign_id/:language.
	Route string
	// Beyond marks calls that are not in the product's specification (x-beyond: true).
	Beyond bool
	// Shared marks calls whose answers to anonymous readers may be cached for a moment (x-shared: true).
	Shared bool
	// Params are the names of its query parameters.
	Params []string
	// NeedsSession marks calls that cannot be made anonymously: each of their security requirements wants a session.
	NeedsSession bool
}

type operation struct {
	Operation
	route    *routers.Route
	segments []string
	params   openapi3.Parameters
	// maxBytes is the largest body where it is not the server's usual limit (x-max-bytes); 0 elsewhere.
	maxBytes int64
	// maxValues is how many values a body may have (x-max-values).
	maxValues int
}

// loaded are the contracts of this process by the checksum of their text: reading one takes a quarter of a second, and tests
// ask for the same one hundreds of times.
var loaded sync.Map //nolint:gochecknoglobals // a cache of what never changes

// Load reads an OpenAPI 3.0 file, JSON or YAML; the same text is read once. Errors: a file that is not valid OpenAPI.
func Load(spec []byte) (*Contract, error) {
	sum := sha256.Sum256(spec)
	if known, ok := loaded.Load(sum); ok {
		return known.(*Contract), nil
	}
	c, err := read(spec)
	if err == nil {
		loaded.Store(sum, c)
	}
	return c, err
}

// takeDays has a format "date" be a day of the calendar: the library takes 30 February, and the year 0, which PostgreSQL has not.
var takeDays = sync.OnceFunc(func() { //nolint:gochecknoglobals // the library's formats are global
	openapi3.DefineStringFormatValidator("date", openapi3.NewCallbackValidator(func(text string) error {
		day, err := time.Parse(time.DateOnly, text)
		if err == nil && day.Year() == 0 {
			err = fmt.Errorf("%s: there is no year 0", text)
		}
		return err
	}))
})

func read(spec []byte) (*Contract, error) {
	takeDays()
	loader := openapi3.NewLoader()
	doc, err := loader.LoadFromData(spec)
	if err != nil {
		return nil, fmt.Errorf("load contract: %w", err)
	}
	if err := doc.Validate(loader.Context, openapi3.DisableExamplesValidation()); err != nil {
		return nil, fmt.Errorf("load contract: %w", err)
	}
	c := &Contract{doc: doc, byRoute: map[string]*operation{}}
	for path, item := range doc.Paths.Map() {
		for method, op := range item.Operations() {
			o := newOperation(doc, path, item, method, op)
			c.operations = append(c.operations, o)
			c.byRoute[method+" "+o.Route] = o
		}
	}
	slices.SortFunc(c.operations, func(a, b *operation) int {
		return strings.Compare(a.Path+" "+a.Method, b.Path+" "+b.Method)
	})
	return c, nil
}

// Operations lists every call, by path, then method.
func (c *Contract) Operations() []Operation {
	list := make([]Operation, len(c.operations))
	for i, o := range c.operations {
		list[i] = o.Operation
	}
	return list
}

// Uploads are the routes whose bodies may be larger than usual, by "POST /files/images" with their limits in bytes.
func (c *Contract) Uploads() map[string]int64 {
	limits := map[string]int64{}
	for route, o := range c.byRoute {
		if o.maxBytes > 0 {
			limits[route] = o.maxBytes
		}
	}
	return limits
}

func newOperation(doc *openapi3.T, path string, item *openapi3.PathItem, method string,
	op *openapi3.Operation) *operation {
	o := &operation{
		Operation: Operation{Method: method, Path: path, Route: echoPath(path), ID: op.OperationID, Tags: op.Tags,
			NeedsSession: needsSession(doc, op)},
		route:    &routers.Route{Spec: doc, Path: path, PathItem: item, Method: method, Operation: op},
		segments: segments(path), params: slices.Clone(op.Parameters),
	}
	o.Beyond, _ = op.Extensions["x-beyond"].(bool)
	o.Shared, _ = op.Extensions["x-shared"].(bool)
	o.maxBytes = int64(number(op, "x-max-bytes"))
	o.maxValues = max(maxValues, int(number(op, "x-max-values")))
	for _, p := range item.Parameters {
		if op.Parameters.GetByInAndName(p.Value.In, p.Value.Name) == nil {
			o.params = append(o.params, p)
		}
	}
	for _, p := range o.params {
		if p.Value.In == openapi3.ParameterInQuery {
			o.Params = append(o.Params, p.Value.Name)
		}
	}
	return o
}

// number is a number among an operation's extensions; 0 when it is not there.
func number(op *openapi3.Operation, name string) float64 {
	value, _ := op.Extensions[name].(float64)
	return value
}

func needsSession(doc *openapi3.T, op *openapi3.Operation) bool {
	security := doc.Security
	if op.Security != nil {
		security = *op.Security
	}
	for _, requirement := range security {
		if !slices.ContainsFunc(slices.Collect(maps.Keys(requirement)), func(scheme string) bool { return isSession(doc, scheme) }) {
			return false
		}
	}
	return len(security) > 0
}

// isSession reports whether a scheme is a session's token; others, such as a token of one order, are in headers of their own.
func isSession(doc *openapi3.T, scheme string) bool {
	ref := doc.Components.SecuritySchemes[scheme]
	return ref == nil || ref.Value == nil || ref.Value.Type == "http"
}

// echoPath is a contract's path as package httpx registers it with Echo: parameters with a colon, no final slash.
func echoPath(path string) string {
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return strings.NewReplacer("{", ":", "}", "").Replace(path)
}

func segments(path string) []string { return strings.Split(strings.Trim(path, "/"), "/") }

func isParam(segment string) bool { return strings.HasPrefix(segment, "{") }

// match finds the operation of a request by its path; if several match, the one with the earliest static segment, as
// Echo's router decides. params are the values of the path parameters.
func (c *Contract) match(r *http.Request) (best *operation, params map[string]string) {
	got := segments(r.URL.Path)
	for _, o := range c.operations {
		if o.Method == r.Method && fits(o.segments, got) && (best == nil || moreFixed(o.segments, best.segments)) {
			best = o
		}
	}
	if best == nil {
		return nil, nil
	}
	params = map[string]string{}
	for i, s := range best.segments {
		if isParam(s) {
			params[strings.Trim(s, "{}")] = got[i]
		}
	}
	return best, params
}

func fits(pattern, got []string) bool {
	if len(pattern) != len(got) {
		return false
	}
	for i, s := range pattern {
		if !isParam(s) && s != got[i] {
			return false
		}
	}
	return true
}

func moreFixed(a, b []string) bool {
	for i := range a {
		if isParam(a[i]) != isParam(b[i]) {
			return isParam(b[i])
		}
	}
	return false
}

// input is the input of openapi3filter. Authentication is left out, and so are default values: the request is checked
// and not changed.
func (o *operation) input(r *http.Request, params map[string]string) *openapi3filter.RequestValidationInput {
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: params, Route: o.route, Options: &openapi3filter.Options{
			MultiError: true, SkipSettingDefaults: true, IncludeResponseStatus: true,
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}
}
