//go:build unix

package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"talkoot.fi/scripts/harness"
)

// capture reads which statements a service sends from PostgreSQL's log. The reference runs exactly these, so it cannot
// fall behind the service's code as a copy of the statements would.
type capture struct {
	harness *harness.Harness
	file    string
}

// startCapture makes PostgreSQL log every statement with its parameters and its sender.
func startCapture(ctx context.Context, r *harness.Harness) (*capture, error) {
	c := &capture{harness: r, file: filepath.Join(r.DataDir, "log", "postgres.log")}
	return c, c.configure(ctx, "SET log_statement = 'all'", "SET log_line_prefix = '@@%a@'",
		"SET log_parameter_max_length = -1")
}

// stop ends the logging: it would slow down what is measured.
func (c *capture) stop(ctx context.Context) error {
	return c.configure(ctx, "RESET log_statement", "RESET log_line_prefix", "RESET log_parameter_max_length")
}

func (c *capture) configure(ctx context.Context, settings ...string) error {
	for _, s := range settings {
		if _, err := c.harness.Content.Exec(ctx, "ALTER SYSTEM "+s); err != nil {
			return fmt.Errorf("configure PostgreSQL's log: %w", err)
		}
	}
	if _, err := c.harness.Content.Exec(ctx, "SELECT pg_reload_conf()"); err != nil {
		return fmt.Errorf("configure PostgreSQL's log: %w", err)
	}
	time.Sleep(300 * time.Millisecond) // open connections apply the change only after a while
	return nil
}

// of sends the requests one after the other and returns the statements that sender, an application name, sent for them.
func (c *capture) of(ctx context.Context, sender, address string, requests ...[]byte) ([]string, error) {
	before, err := os.Stat(c.file)
	if err != nil {
		return nil, fmt.Errorf("look at PostgreSQL's log: %w", err)
	}
	w, err := dial(ctx, address)
	if err != nil {
		return nil, err
	}
	for _, request := range requests {
		if _, err := w.do(request, true); err != nil {
			return nil, err
		}
	}
	if err := w.conn.Close(); err != nil {
		return nil, err
	}
	text, err := readFrom(c.file, before.Size())
	if err != nil {
		return nil, err
	}
	return statements(text, sender)
}

func readFrom(path string, offset int64) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("read PostgreSQL's log: %w", err)
	}
	defer file.Close() // only read
	text, err := io.ReadAll(io.NewSectionReader(file, offset, 1<<30))
	if err != nil {
		return "", fmt.Errorf("read PostgreSQL's log: %w", err)
	}
	return string(text), nil
}

var (
	logged    = regexp.MustCompile(`(?s)^LOG:  (?:execute [^:]*|statement): (.*)$`)
	logDetail = regexp.MustCompile(`(?s)^DETAIL:  [Pp]arameters: (.*)$`)
	parameter = regexp.MustCompile(`\$(\d+) = (NULL|'(?:[^']|'')*')`)
	holder    = regexp.MustCompile(`\$(\d+)`)
)

// statements reads log entries of one sender, each as SQL with its parameters written in.
func statements(text, sender string) ([]string, error) {
	var list []string
	for entry := range strings.SplitSeq(text, "@@") {
		who, message, found := strings.Cut(entry, "@")
		if !found || who != sender {
			continue
		}
		message = strings.ReplaceAll(strings.TrimSuffix(message, "\n"), "\n\t", "\n")
		if m := logged.FindStringSubmatch(message); m != nil {
			list = append(list, m[1])
			continue
		}
		if m := logDetail.FindStringSubmatch(message); m != nil && len(list) > 0 {
			last := &list[len(list)-1]
			*last = fillIn(*last, m[1])
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%q sent no statement", sender)
	}
	return list, nil
}

// fillIn writes parameters into a statement.
func fillIn(sql, parameters string) string {
	values := map[int]string{}
	for _, m := range parameter.FindAllStringSubmatch(parameters, -1) {
		n, err := strconv.Atoi(m[1])
		if err != nil {
			continue // more digits than a number has
		}
		values[n] = literal(m[2])
	}
	return holder.ReplaceAllStringFunc(sql, func(h string) string {
		n, err := strconv.Atoi(h[1:])
		if value, known := values[n]; err == nil && known {
			return value
		}
		return h
	})
}

// literal writes a logged value so that pgbench leaves it alone: for pgbench a colon begins a variable.
func literal(logged string) string {
	if logged == "NULL" {
		return logged
	}
	return "E" + strings.NewReplacer(`\`, `\\`, ":", `\072`, "\n", `\n`).Replace(logged)
}
