package standin

import (
	"bytes"
	"io"
	"net/http"
)

// InProcess carries a client's requests to a handler within the process, one at a time per caller and without sockets.
// A connection that a fault cuts is io.ErrUnexpectedEOF.
func InProcess(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

func (t inProcess) RoundTrip(r *http.Request) (res *http.Response, err error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	served := r.Clone(r.Context())
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer served.Body.Close()
	defer func() {
		if cut := recover(); cut == http.ErrAbortHandler { //nolint:errorlint // net/http compares it the same way
			res, err = nil, io.ErrUnexpectedEOF
		} else if cut != nil {
			panic(cut)
		}
	}()
	w := &recorded{header: http.Header{}, status: http.StatusOK}
	t.handler.ServeHTTP(w, served)
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.header, Body: io.NopCloser(&w.body), ContentLength: int64(w.body.Len()), Request: r,
	}, nil
}

// recorded is an answer as the handler writes it.
type recorded struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (w *recorded) Header() http.Header            { return w.header }
func (w *recorded) WriteHeader(status int)         { w.status = status }
func (w *recorded) Write(body []byte) (int, error) { return w.body.Write(body) }
