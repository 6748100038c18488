//go:build unix

package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// wire is one connection that speaks as little HTTP/1.1 as measuring needs, so that the generator leaves the processors
// to what is measured.
type wire struct {
	conn net.Conn
	in   *bufio.Reader
}

func dial(ctx context.Context, address string) (*wire, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return nil, fmt.Errorf("connect to what is measured: %w", err)
	}
	return &wire{conn: conn, in: bufio.NewReaderSize(conn, 64<<10)}, nil
}

// get is the bytes of a GET request.
func get(path string) []byte { return []byte("GET " + path + " HTTP/1.1\r\nHost: bench\r\n\r\n") }

// getAs is the bytes of a GET request of a signed-in person.
func getAs(path, token string) []byte {
	return []byte("GET " + path + " HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer " + token + "\r\n\r\n")
}

// post is the bytes of a POST request with JSON; header lines end with CRLF.
func post(path, header string, body []byte) []byte {
	return fmt.Appendf(nil,
		"POST %s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", path, header,
		len(body), body)
}

// do sends a request and reads its answer. The body is kept only when keep is set, or when the status is no success:
// then it is in the error.
func (w *wire) do(request []byte, keep bool) (body []byte, err error) {
	if _, err := w.conn.Write(request); err != nil {
		return nil, fmt.Errorf("send: %w", err)
	}
	status, length, chunked, err := w.head()
	if err != nil {
		return nil, err
	}
	if !keep && status < http.StatusMultipleChoices && !chunked {
		_, err := w.in.Discard(length)
		return nil, err
	}
	if chunked {
		body, err = w.chunks()
	} else {
		body = make([]byte, length)
		_, err = io.ReadFull(w.in, body)
	}
	if err == nil && status >= http.StatusMultipleChoices {
		line, _, _ := bytes.Cut(request, []byte("\r\n"))
		err = fmt.Errorf("%s is answered %d: %.200s", line, status, body)
	}
	return body, err
}

func (w *wire) head() (status, length int, chunked bool, err error) {
	line, err := w.in.ReadSlice('\n')
	if err != nil || len(line) < len("HTTP/1.1 200") {
		return 0, 0, false, fmt.Errorf("read answer: %q: %w", line, err)
	}
	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, 0, false, fmt.Errorf("read answer: %w", err)
	}
	for {
		line, err := w.in.ReadSlice('\n')
		if err != nil {
			return 0, 0, false, fmt.Errorf("read header: %w", err)
		}
		if len(line) <= 2 {
			return status, length, chunked, nil
		}
		name, value, _ := strings.Cut(string(line), ":")
		switch {
		case strings.EqualFold(name, "Content-Length"):
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return 0, 0, false, fmt.Errorf("read header: %w", err)
			}
		case strings.EqualFold(name, "Transfer-Encoding"):
			chunked = true
		}
	}
}

func (w *wire) chunks() (body []byte, err error) {
	for {
		line, err := w.in.ReadString('\n')
		if err != nil {
			return nil, fmt.Errorf("read chunk: %w", err)
		}
		size, err := strconv.ParseInt(strings.TrimSpace(line), 16, 32)
		if err != nil {
			return nil, fmt.Errorf("read chunk: %w", err)
		}
		chunk := make([]byte, size+2)
		if _, err := io.ReadFull(w.in, chunk); err != nil {
			return nil, fmt.Errorf("read chunk: %w", err)
		}
		if size == 0 {
			return body, nil
		}
		body = append(body, chunk[:size]...)
	}
}
