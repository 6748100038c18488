// Package tracingtest receives traces as a collector does, over HTTP in OTLP's protobuf, and shows them as trees.
package tracingtest

import (
	"cmp"
	"compress/gzip"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// Span is one that has arrived.
type Span struct {
	Trace, ID, Parent string
	// Service and Process are who wrote it, as in "content" and "serve".
	Service, Process string
	Name             string
	Start, End       time.Time
	Failed           bool
	// Links are the traces that it has links to.
	Links []string
	// Attributes are its attributes, as text.
	Attributes map[string]string
}

// Receiver is a collector that keeps what it gets.
type Receiver struct {
	*httptest.Server
	mu    sync.Mutex
	spans []Span
}

// New starts a receiver on loopback; close it after use.
func New() *Receiver {
	r := &Receiver{}
	r.Server = httptest.NewServer(r)
	return r
}

// ServeHTTP takes what an exporter sends.
func (r *Receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	spans, err := read(request)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	r.mu.Lock()
	r.spans = append(r.spans, spans...)
	r.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-protobuf")
}

// read decodes a request. The message of the call has the same fields as TracesData.
func read(request *http.Request) ([]Span, error) {
	form := request.Header.Get("Content-Type")
	if request.Method != http.MethodPost || request.URL.Path != "/v1/traces" || form != "application/x-protobuf" {
		return nil, fmt.Errorf("%s %s of %q is no OTLP over HTTP", request.Method, request.URL.Path, form)
	}
	body := io.Reader(request.Body)
	if request.Header.Get("Content-Encoding") == "gzip" {
		unpacked, err := gzip.NewReader(body)
		if err != nil {
			return nil, fmt.Errorf("unpack: %w", err)
		}
		body = unpacked
	}
	raw, err := io.ReadAll(body)
	if err != nil {
		return nil, fmt.Errorf("read: %w", err)
	}
	var sent tracepb.TracesData
	if err := proto.Unmarshal(raw, &sent); err != nil {
		return nil, fmt.Errorf("decode: %w", err)
	}
	var spans []Span
	for _, of := range sent.GetResourceSpans() {
		who := map[string]string{}
		for _, a := range of.GetResource().GetAttributes() {
			who[a.GetKey()] = a.GetValue().GetStringValue()
		}
		for _, scope := range of.GetScopeSpans() {
			for _, s := range scope.GetSpans() {
				spans = append(spans, spanOf(s, who))
			}
		}
	}
	return spans, nil
}

func spanOf(s *tracepb.Span, who map[string]string) Span {
	at := func(nano uint64) time.Time { return time.Unix(0, int64(nano)) }
	id := hex.EncodeToString
	span := Span{Trace: id(s.GetTraceId()), ID: id(s.GetSpanId()), Parent: id(s.GetParentSpanId()),
		Service: who["service.name"], Process: who["process"], Name: s.GetName(),
		Start: at(s.GetStartTimeUnixNano()), End: at(s.GetEndTimeUnixNano()),
		Failed: s.GetStatus().GetCode() == tracepb.Status_STATUS_CODE_ERROR, Attributes: map[string]string{}}
	for _, a := range s.GetAttributes() {
		span.Attributes[a.GetKey()] = a.GetValue().String()
	}
	for _, l := range s.GetLinks() {
		span.Links = append(span.Links, hex.EncodeToString(l.GetTraceId()))
	}
	return span
}

// Spans are all that have arrived.
func (r *Receiver) Spans() []Span {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.spans)
}

// TraceOf are the spans of the trace whose root, or first span, has a name; nil without one.
func (r *Receiver) TraceOf(name string) []Span {
	all := r.Spans()
	i := slices.IndexFunc(all, func(s Span) bool { return s.Name == name })
	if i < 0 {
		return nil
	}
	id := all[i].Trace
	return slices.DeleteFunc(all, func(s Span) bool { return s.Trace != id })
}

// Tree shows the spans of one trace: under each what it caused, with who did it, when it began and how long it took.
func Tree(spans []Span) string {
	if len(spans) == 0 {
		return "(no span)\n"
	}
	spans = slices.SortedFunc(slices.Values(spans), func(a, b Span) int {
		return cmp.Or(a.Start.Compare(b.Start), cmp.Compare(a.ID, b.ID))
	})
	first, known := spans[0].Start, map[string]bool{}
	for _, s := range spans {
		known[s.ID] = true
	}
	var out strings.Builder
	var show func(parent string, depth int)
	show = func(parent string, depth int) {
		for _, s := range spans {
			if s.Parent != parent && (depth > 0 || known[s.Parent]) {
				continue
			}
			mark := ""
			if s.Failed {
				mark = "  FAILED"
			}
			if len(s.Links) > 0 {
				mark += fmt.Sprintf("  (%d links)", len(s.Links))
			}
			fmt.Fprintf(&out, "%8.1f ms  %7.1f ms  %-14s %s%s%s\n", float64(s.Start.Sub(first).Microseconds())/1e3,
				float64(s.End.Sub(s.Start).Microseconds())/1e3, s.Service+" "+s.Process, strings.Repeat("  ", depth), s.Name, mark)
			show(s.ID, depth+1)
		}
	}
	show("", 0)
	return out.String()
}
