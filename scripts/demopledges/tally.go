package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
)

// tally counts the backers and keeps in a file who has paid, a key a line, so that a later run leaves them alone.
type tally struct {
	total int

	mu      sync.Mutex
	file    *os.File
	keys    map[string]bool // who has paid
	tooLate int
}

// openTally reads the file, which is created if it is missing. Keys of backers who are not in the queues do not count.
func openTally(path string, queues []queue) (*tally, error) {
	text, err := os.ReadFile(path) //nolint:gosec // as told
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("read who has paid: %w", err)
	}
	noted := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if key, whole := strings.CutSuffix(line, "\n"); whole {
			noted[key] = true
		}
	}
	t := &tally{keys: map[string]bool{}}
	for _, q := range queues {
		t.total += len(q.backers)
		for _, p := range q.backers {
			if noted[p.key] {
				t.keys[p.key] = true
			}
		}
	}
	if t.file, err = os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil { //nolint:gosec // as told
		return nil, fmt.Errorf("note who has paid: %w", err)
	}
	if len(text) > 0 && text[len(text)-1] != '\n' { // the end of a run that was cut off
		if _, err := t.file.WriteString("\n"); err != nil {
			return nil, errors.Join(fmt.Errorf("note who has paid: %w", err), t.file.Close())
		}
	}
	return t, nil
}

func (t *tally) has(key string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.keys[key]
}

func (t *tally) paid(key string) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if _, err := t.file.WriteString(key + "\n"); err != nil {
		return fmt.Errorf("note who has paid: %w", err)
	}
	t.keys[key] = true
	return nil
}

// leaveOut counts a backer who cannot pay any more.
func (t *tally) leaveOut() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.tooLate++
}

func (t *tally) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	text := fmt.Sprintf("Demo backers paid: %d of %d", len(t.keys), t.total)
	if t.tooLate > 0 {
		text += fmt.Sprintf(" (for %d others the campaign or the reward has gone)", t.tooLate)
	}
	return text
}

func (t *tally) close() error { return t.file.Close() }
