package mail

import (
	"context"
	"errors"
	"fmt"
	"html/template"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

const (
	maxMessage    = 10 << 20
	maxRecipients = 100
	sessionLimit  = time.Minute
)

// Options configure a Catcher; the zero value works and forgets everything on Close.
type Options struct {
	// StateDir keeps the messages. Empty means a temporary folder that Close removes.
	StateDir string
	// Sync flushes every message to the disk. Without it a killed process loses nothing, a power cut may.
	Sync bool
	// Log receives ids and sizes, never addresses or texts. Nil discards.
	Log *slog.Logger
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Catcher stores the mail that Serve receives; Handler shows it.
type Catcher struct {
	opts    Options
	store   *store
	server  *smtp.Server
	handler http.Handler
	pages   *template.Template
	temp    bool

	mu        sync.Mutex
	closed    bool
	listeners []net.Listener // also those whose Serve has not begun to accept
}

// New opens the stored mail.
func New(opts Options) (*Catcher, error) {
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now //nolint:forbidigo // what Options promises for nil
	}
	c := &Catcher{opts: opts}
	if opts.StateDir == "" {
		dir, err := os.MkdirTemp("", "mail-sandbox-")
		if err != nil {
			return nil, fmt.Errorf("create mail folder: %w", err)
		}
		c.opts.StateDir, c.temp = dir, true
	} else if err := os.MkdirAll(opts.StateDir, 0o700); err != nil {
		return nil, fmt.Errorf("create mail folder: %w", err)
	}
	var err error
	if c.pages, err = template.ParseFS(web, "web/*.html"); err != nil {
		return nil, fmt.Errorf("parse inbox pages: %w", err)
	}
	if c.store, err = openStore(c.opts.StateDir, opts.Sync); err != nil {
		return nil, err
	}
	c.handler = c.routes()
	c.server = smtp.NewServer(c)
	c.server.Domain = "localhost"
	c.server.MaxMessageBytes, c.server.MaxRecipients = maxMessage, maxRecipients
	c.server.ReadTimeout, c.server.WriteTimeout = sessionLimit, sessionLimit
	c.server.AllowInsecureAuth = true // a catcher on loopback takes any login and keeps none
	return c, nil
}

// Handler serves the inbox under /mail/.
func (c *Catcher) Handler() http.Handler { return c.handler }

// Serve takes mail from the listener until Close or Shutdown; it closes the listener.
func (c *Catcher) Serve(l net.Listener) error {
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return l.Close()
	}
	c.listeners = append(c.listeners, l)
	c.mu.Unlock()
	if err := c.server.Serve(l); err != nil && !errors.Is(err, smtp.ErrServerClosed) {
		return fmt.Errorf("serve SMTP: %w", err)
	}
	return nil
}

// Shutdown stops taking mail and waits for open sessions, at most until ctx ends.
func (c *Catcher) Shutdown(ctx context.Context) error {
	return errors.Join(c.server.Shutdown(ctx), c.closeListeners())
}

// closeListeners ends a Serve that started too late for the server to know its listener.
func (c *Catcher) closeListeners() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	var errs []error
	for _, l := range c.listeners {
		if err := l.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// Close stops taking mail and closes the store.
func (c *Catcher) Close() error {
	err := c.server.Close()
	if errors.Is(err, smtp.ErrServerClosed) {
		err = nil
	}
	err = errors.Join(err, c.closeListeners(), c.store.db.Close())
	if c.temp {
		err = errors.Join(err, os.RemoveAll(c.opts.StateDir))
	}
	return err
}

// Messages returns the newest mail first, only to that address when it is not empty.
func (c *Catcher) Messages(to string) ([]*Message, error) { return c.store.list(to, Kept) }

// NewSession begins one SMTP conversation.
func (c *Catcher) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{catcher: c}, nil }

// session is one SMTP conversation.
type session struct {
	catcher *Catcher
	from    string
	to      []string
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, _, _ string) error { return nil }), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error { s.from = from; return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error { s.to = append(s.to, to); return nil }

func (s *session) Data(r io.Reader) error {
	raw, err := io.ReadAll(r)
	if err != nil {
		return fmt.Errorf("read mail: %w", err)
	}
	m := parse(raw)
	m.From, m.To, m.ReceivedAt = s.from, s.to, s.catcher.opts.Now().UTC()
	if err := s.catcher.store.add(m); err != nil {
		return fmt.Errorf("store mail: %w", err)
	}
	s.catcher.opts.Log.Debug("mail caught", "id", m.ID, "size_bytes", len(raw))
	return nil
}

func (s *session) Reset() { s.from, s.to = "", nil }

func (s *session) Logout() error { return nil }
