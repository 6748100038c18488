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

	"talkoot.fi/kit/outbox"
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
	rcpt     func(to string) string // the answer to RCPT TO; nil takes all
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
		case "RCPT":
			answer := "250 fine"
			if s.rcpt != nil {
				_, to, _ := strings.Cut(lines.Text(), "<")
				answer = s.rcpt(strings.TrimSuffix(to, ">"))
			}
			say(answer)
		case "QUIT":
			say("221 bye")
			return
		default:
			say("250 fine")
		}
	}
}

func TestPost_ReachesADomainOfAnyScriptAndRepeatsOnlyWhatMayGetThrough(t *testing.T) {
	server := listen(t)
	var asked []string
	answer := ""
	server.rcpt = func(to string) string {
		asked = append(asked, to)
		return answer
	}
	sender, err := NewSender(Options{SMTPURL: "smtp://" + server.address, From: "Talkoot <no-reply@talkoot.test>"})
	if err != nil {
		t.Fatal(err)
	}
	var handled error
	post := func(to string) {
		handled = sender.post(context.WithoutCancel(t.Context()), outbox.Message{}, Mail{To: to, Subject: "S", Text: "T", HTML: "H"})
	}
	for _, c := range []struct {
		to, asked, answer string
		fails, isFinal    bool
	}{
		{"user@exämple.fi", "user@xn--exmple-cua.fi", "250 fine", false, false},
		{"user@kylä.例え", "user@xn--kyl-sla.xn--r8jz45g", "250 fine", false, false},
		{"user@x.fi", "user@x.fi", "450 4.2.1 later", true, false},
		{"user@x.fi", "user@x.fi", "553 5.1.3 no such box: user@x.fi", true, true},
		{"user@a_b.fi", "", "", true, true},
	} {
		asked, answer = nil, c.answer
		post(c.to)
		if got := strings.Join(asked, " "); got != c.asked || (handled != nil) != c.fails || outbox.IsFinal(handled) != c.isFinal {
			t.Errorf("%s, %s: asked for %q, %v, final %t", c.to, c.answer, got, handled, outbox.IsFinal(handled))
		}
		if c.isFinal && strings.Contains(handled.Error(), c.to) {
			t.Errorf("the error has the address: %v", handled)
		}
		if !c.fails {
			<-server.mails
		}
	}
}
