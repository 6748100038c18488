package mail

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	message "github.com/emersion/go-message"
	_ "github.com/emersion/go-message/charset" // so that parts in other charsets are decoded
	gomail "github.com/emersion/go-message/mail"
)

// parse reads headers and the text and HTML parts. A mail that breaks the format is kept as plain
// text, because a catcher must show what was sent.
func parse(raw []byte) *Message {
	m := &Message{}
	if err := m.read(raw); err != nil {
		m.Text = "This mail could not be parsed: " + err.Error() + "\n\n" + strings.ToValidUTF8(string(raw), "\uFFFD")
	}
	return m
}

func (m *Message) read(raw []byte) error {
	reader, err := gomail.CreateReader(bytes.NewReader(raw))
	if err != nil && !message.IsUnknownCharset(err) {
		return fmt.Errorf("read header: %w", err)
	}
	for f := reader.Header.Fields(); f.Next(); {
		value, err := f.Text()
		if err != nil {
			value = f.Value()
		}
		m.Headers = append(m.Headers, Header{Name: f.Key(), Value: value})
	}
	if m.Subject, err = reader.Header.Subject(); err != nil {
		m.Subject = reader.Header.Get("Subject")
	}
	m.Language = reader.Header.Get("Content-Language")
	for {
		part, err := reader.NextPart()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil && !message.IsUnknownCharset(err) {
			return fmt.Errorf("read part: %w", err)
		}
		inline, isInline := part.Header.(*gomail.InlineHeader)
		if !isInline { // attachments are not kept
			continue
		}
		kind, _, err := inline.ContentType()
		if err != nil {
			kind = "text/plain"
		}
		body, err := io.ReadAll(part.Body)
		if err != nil {
			return fmt.Errorf("read part: %w", err)
		}
		switch {
		case kind == "text/html" && m.HTML == "":
			m.HTML = string(body)
		case kind == "text/plain" && m.Text == "":
			m.Text = string(body)
		}
	}
}
