package httpx

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"math"
	"net/http"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"talkoot.fi/kit/apperr"
)

// ErrorBody is the body of every answer that is not a success.
type ErrorBody struct {
	Status  string      `json:"status"`
	Code    string      `json:"code,omitempty"`
	Message string      `json:"message"`
	Fields  []FieldBody `json:"fields,omitempty"`
	Version int64       `json:"version,omitempty"`
	// Params are what a program needs to go on.
	Params    apperr.Params `json:"params,omitempty"`
	RequestID string        `json:"request_id"`
}

// FieldBody is one fault of the input on the wire.
type FieldBody struct {
	Path string `json:"path"`
	Rule string `json:"rule"`
	// Params fill the placeholders of the rule's text, for a client that has texts of its own.
	Params  apperr.Params `json:"params,omitempty"`
	Message string        `json:"message"`
}

// NewErrorBody is the body for an error, in the language of ctx.
func NewErrorBody(ctx context.Context, e *apperr.Error) ErrorBody {
	lang := Lang(ctx)
	body := ErrorBody{Status: string(e.Status), Code: e.Code, Message: e.Message(lang), Version: e.Version, Params: e.Params, RequestID: RequestID(ctx)}
	for _, f := range e.Fields[:min(len(e.Fields), maxFields)] {
		body.Fields = append(body.Fields, FieldBody{Path: shortened(f.Path), Rule: f.Rule, Params: f.Params, Message: f.Message(lang)})
	}
	return body
}

// Bounds of an error's body: faults, and characters of a field's path, which can come from the caller.
const (
	maxFields    = 20
	maxPathRunes = 80
)

func shortened(path string) string {
	if len(path) <= maxPathRunes { // bytes: at least as many as runes
		return path
	}
	for n, i := 0, 0; i < len(path); n++ {
		if n == maxPathRunes {
			return path[:i] + "…"
		}
		_, size := utf8.DecodeRuneInString(path[i:])
		i += size
	}
	return path
}

// retryWhenBusy is the Retry-After of a request that timed out.
const retryWhenBusy = 2 * time.Second

// errorHandler writes the answer for any error, unless an answer has begun.
func errorHandler(log *slog.Logger, classify func(error) *apperr.Error) echo.HTTPErrorHandler {
	return func(err error, c echo.Context) {
		ctx := c.Request().Context()
		e := toCatalogue(ctx, err, classify)
		if e.HTTP() >= http.StatusInternalServerError && !clientGone(ctx, err) {
			log.LogAttrs(ctx, slog.LevelError, "request failed",
				slog.String("request_id", RequestID(ctx)),
				slog.String("status", string(e.Status)),
				slog.String("route", routeOf(c)),
				slog.Any("error", err))
		}
		if c.Response().Committed {
			return
		}
		setErrorHeaders(c.Response().Header(), e)
		if werr := c.JSON(e.HTTP(), NewErrorBody(ctx, e)); werr != nil {
			log.LogAttrs(ctx, slog.LevelInfo, "error answer not delivered",
				slog.String("request_id", RequestID(ctx)), slog.Any("error", werr))
		}
	}
}

func setErrorHeaders(h http.Header, e *apperr.Error) {
	if e.Retry > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(e.Retry.Seconds()))))
	}
	// Errors are never cached.
	h.Set("Cache-Control", "no-store")
}

// WriteError answers with an error in the same form, for servers without Echo such as the launcher's proxy: with the
// default headers, a request id, and in the reader's language.
func WriteError(w http.ResponseWriter, r *http.Request, e *apperr.Error) {
	h := w.Header()
	ctx := begin(h, r)
	setErrorHeaders(h, e)
	h.Set("Content-Type", "application/json")
	w.WriteHeader(e.HTTP())
	_ = json.NewEncoder(w).Encode(NewErrorBody(ctx, e)) // only strings; a client that has hung up is no fault
}

// clientGone reports that the client has hung up, which is no failure of ours.
func clientGone(ctx context.Context, err error) bool {
	return errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled)
}

// toCatalogue maps any error to the error catalogue.
func toCatalogue(ctx context.Context, err error, classify func(error) *apperr.Error) *apperr.Error {
	var known *apperr.Error
	if errors.As(err, &known) && known.Status != apperr.Internal {
		return known
	}
	if classify != nil {
		if e := classify(err); e != nil {
			return e.Wrap(err)
		}
	}
	var tooLarge *http.MaxBytesError
	var he *echo.HTTPError
	switch {
	case errors.As(err, &tooLarge):
		return apperr.New(apperr.BodyTooLarge).Wrap(err)
	case errors.Is(err, context.DeadlineExceeded), clientGone(ctx, err):
		return apperr.New(apperr.Busy).RetryAfter(retryWhenBusy).Wrap(err)
	case errors.As(err, &he):
		return apperr.New(statusOf(he.Code)).Wrap(err)
	}
	return apperr.From(err)
}

// statusOf maps the HTTP status of errors by Echo and the generated code.
func statusOf(code int) apperr.Status {
	switch code {
	case http.StatusBadRequest:
		return apperr.MalformedBody
	case http.StatusUnauthorized:
		return apperr.NotAuthenticated
	case http.StatusForbidden:
		return apperr.Forbidden
	case http.StatusNotFound:
		return apperr.NotFound
	case http.StatusMethodNotAllowed:
		return apperr.MethodNotAllowed
	case http.StatusRequestEntityTooLarge:
		return apperr.BodyTooLarge
	case http.StatusUnsupportedMediaType:
		return apperr.UnsupportedMediaType
	case http.StatusTooManyRequests:
		return apperr.TooManyRequests
	case http.StatusServiceUnavailable:
		return apperr.Busy
	default:
		return apperr.Internal
	}
}
