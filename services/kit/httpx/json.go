package httpx

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"

	"talkoot.fi/kit/apperr"
)

// strictJSON reads exactly one JSON value, refuses unknown fields, and says which field is of the wrong type.
type strictJSON struct{}

// Serialize writes an answer.
func (strictJSON) Serialize(c echo.Context, value any, indent string) error {
	enc := json.NewEncoder(c.Response())
	if indent != "" {
		enc.SetIndent("", indent)
	}
	return enc.Encode(value)
}

// Deserialize reads a request's body. Errors: MalformedBody, with the field's path when a value has the wrong type;
// UnknownField with the field's name; BodyTooLarge.
func (strictJSON) Deserialize(c echo.Context, into any) error {
	// encoding/json would put U+FFFD in the place of bytes that are no text, and nobody would hear of what was lost.
	dec := json.NewDecoder(transform.NewReader(c.Request().Body, encoding.UTF8Validator))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return decodeError(err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		if err == nil {
			err = errors.New("data after the JSON value")
		}
		return decodeError(err)
	}
	return nil
}

const unknownFieldPrefix = `json: unknown field "`

func decodeError(err error) error {
	var wrongType *json.UnmarshalTypeError
	var tooLarge *http.MaxBytesError
	switch {
	case errors.As(err, &tooLarge):
		return apperr.New(apperr.BodyTooLarge).Wrap(err)
	case errors.Is(err, io.EOF):
		// io.EOF as it is: generated code reads it as "no body" where the body is optional.
		return err
	case errors.As(err, &wrongType):
		return apperr.New(apperr.MalformedBody).WithField(wrongType.Field, apperr.RuleType).Wrap(err)
	// encoding/json has no error type for an unknown field.
	case strings.HasPrefix(err.Error(), unknownFieldPrefix):
		name := strings.TrimSuffix(strings.TrimPrefix(err.Error(), unknownFieldPrefix), `"`)
		return apperr.New(apperr.UnknownField).WithField(name, string(apperr.UnknownField)).Wrap(err)
	default:
		return apperr.New(apperr.MalformedBody).Wrap(err)
	}
}
