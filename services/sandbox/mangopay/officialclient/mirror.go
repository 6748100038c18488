package officialclient

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// Mirror carries requests to the stand-in and holds their bodies to the shapes. What was accepted of each call it can send again with one
// thing wrong at a time.
type Mirror struct {
	Next  http.RoundTripper
	Fault func(text string) // what is not of the shapes; nil to say nothing of it

	shapes map[string]Shape
	mu     sync.Mutex
	kept   map[string]accepted // by call
}

type accepted struct {
	url  string
	body map[string]any
}

// NewMirror mirrors what goes to next.
func NewMirror(next http.RoundTripper, fault func(string)) *Mirror {
	return &Mirror{Next: next, Fault: fault, shapes: Shapes(), kept: map[string]accepted{}}
}

// RoundTrip is http.RoundTripper's.
func (m *Mirror) RoundTrip(r *http.Request) (*http.Response, error) {
	_, path, isAPI := strings.Cut(strings.TrimPrefix(r.URL.Path, "/v2.01/"), "/")
	if r.Method == http.MethodGet || !isAPI || !strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") {
		return m.Next.RoundTrip(r)
	}
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, fmt.Errorf("read a request: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	var body map[string]any
	call := CallOf(m.shapes, r.Method, path)
	isObject := json.Unmarshal(raw, &body) == nil || len(raw) == 0
	switch {
	case m.Fault == nil:
	case !isObject:
		m.Fault(fmt.Sprintf("%s %s: the body is no object: %s", r.Method, path, raw))
	case call == "":
		m.Fault(fmt.Sprintf("%s %s: nothing says what its body has", r.Method, path))
	default:
		for _, fault := range m.shapes[call].Faults("", body) {
			m.Fault(call + ": " + fault)
		}
	}
	answer, err := m.Next.RoundTrip(r)
	if err == nil && answer.StatusCode < http.StatusMultipleChoices && call != "" && isObject {
		m.mu.Lock()
		m.kept[call] = accepted{r.URL.String(), body}
		m.mu.Unlock()
	}
	return answer, err
}

// Calls are those of which a request was accepted.
func (m *Mirror) Calls() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Sorted(maps.Keys(m.kept))
}

// Spoil sends what was accepted of a call again, once for each thing that can be wrong with each of its fields: every one is to be refused with
// the field's name. It gives how many there were, none when what it was about is gone, and those that were not. authorise says who calls.
func (m *Mirror) Spoil(call string, authorise func(*http.Request)) (sent int, taken []string, err error) {
	m.mu.Lock()
	of := m.kept[call]
	m.mu.Unlock()
	method, _, _ := strings.Cut(call, " ")
	for _, wrong := range spoiled(m.shapes[call], of.body) {
		raw, err := json.Marshal(wrong.body)
		if err != nil {
			return sent, taken, fmt.Errorf("%s: %w", call, err)
		}
		r, err := http.NewRequest(method, of.url, bytes.NewReader(raw)) //nolint:noctx // within the process
		if err != nil {
			return sent, taken, fmt.Errorf("%s: %w", call, err)
		}
		r.Header.Set("Content-Type", "application/json")
		authorise(r)
		answer, err := m.Next.RoundTrip(r)
		if err != nil {
			return sent, taken, fmt.Errorf("%s: %w", call, err)
		}
		var said struct {
			Type   string
			Errors map[string]string `json:"errors"`
		}
		err = errors.Join(json.NewDecoder(answer.Body).Decode(&said), answer.Body.Close())
		if answer.StatusCode == http.StatusNotFound { // what it was about is there no longer
			return 0, nil, nil
		}
		sent++
		_, isNamed := said.Errors[wrong.field]
		if err != nil || answer.StatusCode != http.StatusBadRequest || said.Type != "param_error" || !isNamed {
			taken = append(taken, fmt.Sprintf("%s with %s is answered %d %s %v", call, wrong.what, answer.StatusCode, said.Type, said.Errors))
		}
	}
	return sent, taken, nil
}

// wrong is a body with one thing wrong.
type wrong struct {
	field, what string
	body        map[string]any
}

func spoiled(s Shape, body map[string]any) (out []wrong) {
	out = append(out, spoiledAt(s, "", body, func(part map[string]any) map[string]any { return part })...)
	slices.SortFunc(out, func(a, b wrong) int { return strings.Compare(a.what, b.what) })
	return out
}

// spoiledAt are those of a part of a body; whole puts the part into its place.
func spoiledAt(s Shape, at string, part map[string]any, whole func(map[string]any) map[string]any) (out []wrong) {
	change := func(name, what string, fn func(map[string]any)) {
		changed := map[string]any{}
		maps.Copy(changed, part)
		fn(changed)
		out = append(out, wrong{below(at, name), below(at, name) + " " + what, whole(changed)})
	}
	change("Surprise", "unknown", func(o map[string]any) { o["Surprise"] = 1 })
	for name, value := range part {
		field := s.Fields[name]
		if field.Required {
			change(name, "missing", func(o map[string]any) { delete(o, name) })
		}
		change(name, "of another kind", func(o map[string]any) { o[name] = another(value) })
		if len(field.Enum) > 0 {
			change(name, "of no value", func(o map[string]any) { o[name] = "NOT_A_VALUE" })
		}
		if inner, is := value.(map[string]any); is {
			out = append(out, spoiledAt(field, below(at, name), inner, func(changed map[string]any) map[string]any {
				outer := maps.Clone(part)
				outer[name] = changed
				return whole(outer)
			})...)
		}
	}
	return out
}

// another is a value of a kind that value is not.
func another(value any) any {
	switch value.(type) {
	case string:
		return map[string]any{}
	case float64, bool:
		return "text"
	}
	return 17
}
