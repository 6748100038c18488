package contract

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
)

// Middleware checks each request to a call of the contract; others pass unchecked (a path without a route, health).
// Unknown query parameters are ignored. Errors:
//
//	NotFound             a path parameter that no resource has
//	UnsupportedMediaType a body that is not of a described type, or JSON in another charset than UTF-8
//	MalformedBody        not one JSON value, or (with the fields' paths) values of the wrong type
//	UnknownField         with the paths of the fields that the call does not know
//	InvalidFields        with every field of body, query and headers that breaks a rule
func (c *Contract) Middleware() echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(ec echo.Context) error {
			o := c.byRoute[ec.Request().Method+" "+ec.Path()]
			if o == nil {
				return next(ec)
			}
			params, err := pathParams(ec)
			if err != nil {
				return err
			}
			if err := o.check(ec, params); err != nil {
				return err
			}
			return next(ec)
		}
	}
}

func pathParams(ec echo.Context) (map[string]string, error) {
	params := map[string]string{}
	for i, name := range ec.ParamNames() {
		value := ec.ParamValues()[i]
		// Echo routes by the escaped path if there is one, and does not unescape its values.
		if ec.Request().URL.RawPath != "" {
			unescaped, err := url.PathUnescape(value)
			if err != nil {
				return nil, apperr.New(apperr.NotFound).Wrap(err)
			}
			value = unescaped
		}
		params[name] = value
	}
	return params, nil
}

func (o *operation) check(ec echo.Context, params map[string]string) error {
	var faults faults
	input := o.input(ec.Request(), params)
	for _, p := range o.params {
		err := openapi3filter.ValidateParameter(ec.Request().Context(), input, p.Value)
		if err == nil {
			continue
		}
		if p.Value.In == openapi3.ParameterInPath {
			return apperr.New(apperr.NotFound).Wrap(fmt.Errorf("path parameter %s: %w", p.Value.Name, err))
		}
		faults.addParameter(p.Value.Name, err)
	}
	if o.route.Operation.RequestBody != nil {
		if err := o.checkBody(ec, &faults); err != nil {
			return err
		}
	}
	return faults.err()
}

// checkBody reads a JSON body, keeps it for the handler, and adds its broken rules to faults.
func (o *operation) checkBody(ec echo.Context, faults *faults) error {
	r := ec.Request()
	described := o.route.Operation.RequestBody.Value
	if r.ContentLength == 0 || r.Body == nil || r.Body == http.NoBody {
		return missingBody(described.Required)
	}
	contentType := r.Header.Get(echo.HeaderContentType)
	media := described.Content.Get(contentType)
	if media == nil {
		return apperr.New(apperr.UnsupportedMediaType)
	}
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return apperr.New(apperr.UnsupportedMediaType).Wrap(err)
	}
	if kind != echo.MIMEApplicationJSON && !strings.HasSuffix(kind, "+json") {
		if kind == echo.MIMEMultipartForm && params["boundary"] == "" {
			return apperr.New(apperr.MalformedBody).Wrap(http.ErrMissingBoundary)
		}
		return nil // a file or a form, which its handler reads as a stream
	}
	if charset := params["charset"]; charset != "" && !strings.EqualFold(charset, "utf-8") { // RFC 8259, 8.1
		return apperr.New(apperr.UnsupportedMediaType)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return apperr.New(apperr.BodyTooLarge).Wrap(err)
		}
		return apperr.New(apperr.MalformedBody).Wrap(fmt.Errorf("read body: %w", err))
	}
	if len(bytes.TrimSpace(body)) == 0 {
		return missingBody(described.Required)
	}
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))

	value, err := decode(body, o.maxValues)
	if err != nil {
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
	if media.Schema == nil {
		return nil
	}
	faults.addUnknown(media.Schema.Value, value, "")
	faults.addBody(media.Schema.Value.VisitJSON(value, openapi3.VisitAsRequest(), openapi3.MultiErrors()))
	return nil
}

func missingBody(required bool) error {
	if required {
		return apperr.New(apperr.MalformedBody).Wrap(errors.New("body missing"))
	}
	return nil
}

// decode reads exactly one JSON value of at most so many values. Numbers stay as they are written.
func decode(body []byte, maxValues int) (any, error) {
	if err := checkSize(body, maxValues); err != nil {
		return nil, err
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, fmt.Errorf("decode body: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("decode body: data after the JSON value")
	}
	return value, noDuplicates(json.NewDecoder(bytes.NewReader(body)))
}

// noDuplicates refuses an object that has a field twice: decoders keep the last value or merge both, so the checked
// value and the handler's could differ. It reads one value; checkSize has bounded the depth.
func noDuplicates(dec *json.Decoder) error {
	token, err := dec.Token()
	if err != nil {
		return fmt.Errorf("decode body: %w", err)
	}
	opening, nested := token.(json.Delim)
	if !nested {
		return nil
	}
	seen := map[string]bool{}
	for dec.More() {
		if opening == '{' {
			key, err := dec.Token()
			if err != nil {
				return fmt.Errorf("decode body: %w", err)
			}
			// Go's decoder ignores the case of names, so Amount and amount are the same field.
			name := strings.ToLower(fmt.Sprint(key))
			if seen[name] {
				return fmt.Errorf("decode body: %.40q twice in one object", name)
			}
			seen[name] = true
		}
		if err := noDuplicates(dec); err != nil {
			return err
		}
	}
	_, err = dec.Token() // the closing bracket
	return err
}
