// Package apperr is the one typed error that crosses package and service boundaries.
//
// It owns the stable error keys (codes.gen.go, generated from proto-docs/errors.yaml, which alone knows the HTTP
// status and the texts in Finnish, English and Swedish) and the value that carries a key, field faults and a hidden
// cause. An Error is immutable: every method that adds something returns a copy, so a package-level error value can
// be shared. The cause is for logs; nothing of it ever reaches Message. Turning an Error into an HTTP response is
// left to the edge.
package apperr

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Status is a key of the error catalogue; the constants are generated.
type Status string

// HTTP is the HTTP status code of the catalogue entry, and 500 for a key that the catalogue does not know.
func (s Status) HTTP() int {
	if e, ok := catalogue[s]; ok {
		return e.http
	}
	return catalogue[Internal].http
}

// Known reports whether the catalogue has this key.
func (s Status) Known() bool {
	_, ok := catalogue[s]
	return ok
}

// Statuses lists every key of the catalogue, sorted.
func Statuses() []Status {
	list := make([]Status, 0, len(catalogue))
	for s := range catalogue {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// Lang is a language of the catalogue. Any other value stands for Finnish, the platform's default.
type Lang = string

// The languages that every entry of the catalogue has.
const (
	Finnish Lang = "fi"
	English Lang = "en"
	Swedish Lang = "sv"
)

// Params fill the {name} placeholders of a field's text.
type Params map[string]any

// Field is one fault of the input.
type Field struct {
	// Path is where the fault is, in the wire's names: "address.postal_code", "answers[2]".
	Path string
	// Rule is the broken rule, one of the generated Rule constants.
	Rule string
	// Params fill the placeholders of the rule's text; nil when it has none.
	Params Params
}

// Message is the rule's text in a language. A rule that the catalogue does not know reads as the general text of
// InvalidFields, so a person never sees a bare key.
func (f Field) Message(lang Lang) string {
	text, ok := rules[f.Rule]
	if !ok {
		text = catalogue[InvalidFields].text
	}
	return fill(text.in(lang), f.Params)
}

// Error is an error with a stable key. Make one with New; the zero value is not valid.
type Error struct {
	// Status is the catalogue key that decides the HTTP status.
	Status Status
	// Code narrows Status down, or is empty: one of the generated Code constants.
	Code string
	// Fields are the faults of the input, in the order they were added.
	Fields []Field
	// Retry is how long the caller should wait before it asks again; 0 when that is not known.
	Retry time.Duration
	// Version is the entity's current version, for ChangedMeanwhile only.
	Version int64
	// Params are what a program needs to go on, such as a limit and by how much it would be crossed; nil for none.
	Params Params

	cause error
}

// New makes an error of the catalogue entry.
func New(status Status) *Error { return &Error{Status: status} }

// From finds the first Error in err's chain. An err without one becomes Internal with err as its cause; nil stays nil.
func From(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return New(Internal).Wrap(err)
}

// WithCode returns a copy with a narrower code.
func (e *Error) WithCode(code string) *Error {
	c := *e
	c.Code = code
	return &c
}

// WithField returns a copy with one more fault of the input. Params fill the placeholders of the rule's text; when
// several are given, later ones win.
func (e *Error) WithField(path, rule string, params ...Params) *Error {
	c := *e
	f := Field{Path: path, Rule: rule}
	for _, p := range params {
		for name, value := range p {
			if f.Params == nil {
				f.Params = Params{}
			}
			f.Params[name] = value
		}
	}
	c.Fields = append(slices.Clip(slices.Clone(e.Fields)), f)
	return &c
}

// WithFields returns a copy with more faults of the input.
func (e *Error) WithFields(fields []Field) *Error {
	c := *e
	c.Fields = slices.Concat(e.Fields, fields)
	return &c
}

// OrNil is nil if no fault was added, else the error.
func (e *Error) OrNil() error {
	if len(e.Fields) == 0 {
		return nil
	}
	return e
}

// Wrap returns a copy that keeps the cause for logs and for errors.Is and errors.As. An earlier cause is kept too.
func (e *Error) Wrap(cause error) *Error {
	c := *e
	if c.cause != nil && cause != nil {
		cause = errors.Join(cause, c.cause)
	}
	if cause != nil {
		c.cause = cause
	}
	return &c
}

// RetryAfter returns a copy that says when asking again makes sense.
func (e *Error) RetryAfter(d time.Duration) *Error {
	c := *e
	c.Retry = d
	return &c
}

// WithVersion returns a copy that says which version the entity has now.
func (e *Error) WithVersion(version int64) *Error {
	c := *e
	c.Version = version
	return &c
}

// WithParams returns a copy that tells a program what it needs to go on.
func (e *Error) WithParams(params Params) *Error {
	c := *e
	c.Params = params
	return &c
}

// HTTP is the HTTP status code of the error.
func (e *Error) HTTP() int { return e.Status.HTTP() }

// Message is the text for a person in a language: that of the code when the catalogue has one, else that of the status.
func (e *Error) Message(lang Lang) string {
	if entry, ok := catalogue[Status(e.Code)]; ok {
		return entry.text.in(lang)
	}
	if entry, ok := catalogue[e.Status]; ok {
		return entry.text.in(lang)
	}
	return catalogue[Internal].text.in(lang)
}

// Error is for logs: keys, field paths and the cause. It may hold internals and is never sent to a client.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(string(e.Status))
	if e.Code != "" {
		b.WriteString("/" + e.Code)
	}
	for i, f := range e.Fields {
		sep := ", "
		if i == 0 {
			sep = " ("
		}
		b.WriteString(sep + f.Path + " " + f.Rule)
	}
	if len(e.Fields) > 0 {
		b.WriteString(")")
	}
	if e.cause != nil {
		b.WriteString(": " + e.cause.Error())
	}
	return b.String()
}

// Unwrap gives the cause, nil when there is none.
func (e *Error) Unwrap() error { return e.cause }

// Is matches another Error of the same status; when target has a code, that must be the same too.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error) // this one link of the chain: the errors package walks it
	return ok && t.Status == e.Status && (t.Code == "" || t.Code == e.Code)
}

// entry is one row of the generated catalogue.
type entry struct {
	http int
	text texts
}

// texts are one text in every language.
type texts struct{ fi, en, sv string }

func (t texts) in(lang Lang) string {
	switch strings.ToLower(lang) {
	case English:
		return t.en
	case Swedish:
		return t.sv
	default:
		return t.fi
	}
}

// fill replaces {name} placeholders in one pass, so that a value with braces stays as it is.
func fill(text string, params Params) string {
	pairs := make([]string, 0, 2*len(params))
	for name, value := range params {
		pairs = append(pairs, "{"+name+"}", fmt.Sprint(value))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}
