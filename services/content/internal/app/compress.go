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
	// minCompressed is the smallest body in bytes that is worth compressing: a smaller one fits into one network packet
	// anyway.
	minCompressed = 1 << 10
	// gzipLevel takes a third of the default level's time and makes bodies 3 % larger.
	gzipLevel = 4
	// maxCompressedCache is the size of the cache of compressed bodies in bytes.
	maxCompressedCache = 8 << 20
)

// compressor compresses answers to anonymous readers with gzip. Most are sent many times before they change, so compressed
// bodies are cached. Answers to signed-in people are not compressed: their length would give away secrets next to text
// that an attacker chooses (the BREACH attack).
type compressor struct {
	seed    maphash.Seed
	writers sync.Pool // of *gzip.Writer
	buffers sync.Pool // of *bytes.Buffer

	mu    sync.RWMutex
	kept  map[uint64]compressed
	bytes int
}

type compressed struct{ plain, body []byte }

func newCompressor() *compressor {
	return &compressor{seed: maphash.MakeSeed(), kept: map[uint64]compressed{},
		writers: sync.Pool{New: func() any {
			w, _ := gzip.NewWriterLevel(nil, gzipLevel) // refuses levels that do not exist
			return w
		}},
		buffers: sync.Pool{New: func() any { return new(bytes.Buffer) }}}
}

// middleware is for routes whose GET answers are text and not streamed.
func (p *compressor) middleware(next echo.HandlerFunc) echo.HandlerFunc {
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
		defer func() { w.Writer = held.ResponseWriter }() // what the error handler writes, also after a panic, is not buffered
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

// heldAnswer buffers an answer.
type heldAnswer struct {
	http.ResponseWriter
	status int
	body   *bytes.Buffer
}

// WriteHeader keeps the status.
func (a *heldAnswer) WriteHeader(status int) { a.status = status }

// Write buffers a part of the body.
func (a *heldAnswer) Write(part []byte) (int, error) { return a.body.Write(part) }

func (p *compressor) send(a *heldAnswer) error {
	body, h := a.body.Bytes(), a.Header()
	if len(body) >= minCompressed && h.Get(echo.HeaderContentEncoding) == "" {
		smaller, err := p.compress(body)
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

// compress returns the compressed body, from the cache if it is there. Callers do not change it.
func (p *compressor) compress(plain []byte) ([]byte, error) {
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
		return nil, fmt.Errorf("compress answer: %w", err)
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("compress answer: %w", err)
	}
	p.keep(key, compressed{bytes.Clone(plain), out.Bytes()})
	return out.Bytes(), nil
}

// keep adds to the cache, and empties it when it is full: popular answers are soon in it again.
func (p *compressor) keep(key uint64, made compressed) {
	size := len(made.plain) + cap(made.body)
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.bytes += size; p.bytes > maxCompressedCache {
		clear(p.kept)
		p.bytes = size
	}
	p.kept[key] = made
}
