package app

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"hash/maphash"
	"net/http"
	"strconv"
	"sync"

	"github.com/labstack/echo/v4"

	"talkoot.fi/content/internal/web"
)

const (
	// leastPacked is the smallest body in bytes that is worth packing: a smaller one is a packet of the network anyway.
	leastPacked = 1 << 10
	// packLevel takes a third of the default's time, and makes bodies 3 % larger.
	packLevel = 4
	// maxPacked bounds the memory for bodies that are kept packed, in bytes.
	maxPacked = 8 << 20
)

// packer sends public answers as gzip to who takes it. Most are sent many times before they change, so packed bodies are
// kept: what is asked for often costs no packing. Answers to who is signed in stay as they are: beside what a caller can
// make us repeat, the length of a packed answer would tell of its secrets (BREACH).
type packer struct {
	seed    maphash.Seed
	writers sync.Pool // of *gzip.Writer
	buffers sync.Pool // of *bytes.Buffer

	mu    sync.RWMutex
	kept  map[uint64]packed
	bytes int
}

type packed struct{ plain, body []byte }

func newPacker() *packer {
	return &packer{seed: maphash.MakeSeed(), kept: map[uint64]packed{},
		writers: sync.Pool{New: func() any {
			w, _ := gzip.NewWriterLevel(nil, packLevel) // refuses levels that do not exist
			return w
		}},
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

// middleware is for routes whose GET answers are text and are written whole.
func (p *packer) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	return func(c echo.Context) error {
		r, w := c.Request(), c.Response()
		w.Header().Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		if !readOnly(r.Method) || r.Header.Get(echo.HeaderAuthorization) != "" || !web.Accepts(r.Header.Get(echo.HeaderAcceptEncoding), "gzip") {
			return next(c)
		}
		buffer := p.buffers.Get().(*bytes.Buffer) //nolint:forcetypeassert // the pool's own
		defer p.buffers.Put(buffer)
		buffer.Reset()
		held := &heldAnswer{ResponseWriter: w.Writer, status: http.StatusOK, body: buffer}
		w.Writer = held
		defer func() { w.Writer = held.ResponseWriter }() // the error handler's answer is not held, a panic's neither
		err := next(c)
		if !w.Committed {
			return err
		}
		if sent := p.send(held); err == nil {
			err = sent
		}
		return err
	}
}

// heldAnswer keeps an answer back until it is whole.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   *bytes.Buffer
}

// WriteHeader notes the status.
func (a *heldAnswer) WriteHeader(status int) { a.status = status }

// Write keeps a part of the body.
func (a *heldAnswer) Write(part []byte) (int, error) { return a.body.Write(part) }

func (p *packer) send(a *heldAnswer) error {
	body, h := a.body.Bytes(), a.Header()
	if len(body) >= leastPacked && h.Get(echo.HeaderContentEncoding) == "" {
		smaller, err := p.pack(body)
		if err != nil {
			return err
		}
		body = smaller
		h.Set(echo.HeaderContentEncoding, "gzip")
		h.Set(echo.HeaderContentLength, strconv.Itoa(len(body)))
	}
	a.ResponseWriter.WriteHeader(a.status)
	if _, err := a.ResponseWriter.Write(body); err != nil {
		return fmt.Errorf("send answer: %w", err)
	}
	return nil
}

// pack gives the packed body, made anew when it is not kept. Nobody writes to what it returns.
func (p *packer) pack(plain []byte) ([]byte, error) {
	key := maphash.Bytes(p.seed, plain)
	p.mu.RLock()
	known, ok := p.kept[key]
	p.mu.RUnlock()
	if ok && bytes.Equal(known.plain, plain) {
		return known.body, nil
	}
	var out bytes.Buffer
	w := p.writers.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool's own
	defer p.writers.Put(w)
	w.Reset(&out)
	if _, err := w.Write(plain); err != nil {
		return nil, fmt.Errorf("pack answer: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack answer: %w", err)
	}
	p.keep(key, packed{bytes.Clone(plain), out.Bytes()})
	return out.Bytes(), nil
}

// keep makes room by forgetting everything: what is asked for often is back at once.
func (p *packer) keep(key uint64, made packed) {
	size := len(made.plain) + cap(made.body)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes += size; p.bytes > maxPacked {
		clear(p.kept)
		p.bytes = size
	}
	p.kept[key] = made
}
