package mails

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"strings"
	"testing"
)

func textPart(t *testing.T, m *mail.Message) string {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	part, err := multipart.NewReader(m.Body, params["boundary"]).NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(quotedprintable.NewReader(part))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// smtpServer is a minimal SMTP server (RFC 5321).
type smtpServer struct {
	address  string
	mails    chan string
	listener net.Listener
}

func (s *smtpServer) close() { _ = s.listener.Close() }

func listen(t *testing.T) *smtpServer {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &smtpServer{address: l.Addr().String(), mails: make(chan string, 10), listener: l}
	t.Cleanup(s.close)
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.talk(t.Context(), conn)
		}
	}()
	return s
}

func (s *smtpServer) talk(_ context.Context, conn net.Conn) {
	defer func() { _ = conn.Close() }()
	say := func(line string) { _, _ = fmt.Fprintf(conn, "%s\r\n", line) }
	say("220 test")
	lines := bufio.NewScanner(conn)
	for lines.Scan() {
		switch verb, _, _ := strings.Cut(strings.ToUpper(lines.Text()), " "); verb {
		case "EHLO":
			say("250-test")
			say("250 8BITMIME")
		case "DATA":
			say("354 go on")
			var body strings.Builder
			for lines.Scan() && lines.Text() != "." {
				body.WriteString(strings.TrimPrefix(lines.Text(), ".") + "\r\n")
			}
			s.mails <- body.String()
			say("250 taken")
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}
