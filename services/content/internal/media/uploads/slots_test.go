//go:build unix

package uploads_test

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"talkoot.fi/content/internal/contenttest"
)

// sending is a fixture with uploads that are running.
type sending struct {
	*fixture
	all     sync.WaitGroup
	writers []*io.PipeWriter
	answers []contenttest.Answer
}

// begin begins to send a picture from a network, and returns once the upload has read a little of it. The clock stands
// still.
func (s *sending) begin(from string, as int64) {
	s.t.Helper()
	reader, writer := io.Pipe()
	n := len(s.writers)
	s.writers, s.answers = append(s.writers, writer), append(s.answers, contenttest.Answer{})
	s.all.Go(func() {
		s.answers[n] = s.from(from, reader, as)
		_ = reader.Close() // who goes on writing must not wait
	})
	// a write returns once the upload has read it
	if _, err := writer.Write(form("file", photo(s.t, 30, 20))[:200]); err != nil {
		s.t.Fatal(err)
	}
}

// end sends the rest of all, and returns how many were answered with each status.
func (s *sending) end() map[int]int {
	whole := form("file", photo(s.t, 30, 20))
	for _, writer := range s.writers {
		_, _ = writer.Write(whole[200:]) // one that was refused reads no more
		_ = writer.Close()
	}
	s.all.Wait()
	statuses := map[int]int{}
	for _, answer := range s.answers {
		statuses[answer.Status]++
	}
	return statuses
}

// from sends a picture from an address.
func (s *sending) from(address string, body io.Reader, as int64) contenttest.Answer {
	s.t.Helper()
	return s.Send(http.MethodPost, "/files/images/", body, as, "Content-Type", formType, "X-Forwarded-For", address)
}

func (s *sending) busy(from string, as int64) {
	s.t.Helper()
	s.refused(s.from(from, unread{s.t}, as), http.StatusServiceUnavailable, "busy")
}

func TestUpload_TakesFourOfAPersonAtATime(t *testing.T) {
	s := &sending{fixture: setup(t)}
	for i := range 4 {
		s.begin(fmt.Sprintf("203.0.113.%d", i), s.creator)
	}
	s.busy("203.0.113.9", s.creator)
	if got := s.end(); got[http.StatusCreated] != 4 {
		t.Errorf("answered %v", got)
	}
	answer := s.from("203.0.113.9", bytes.NewReader(form("file", photo(t, 30, 20))), s.creator)
	if answer.Status != http.StatusCreated {
		t.Errorf("afterwards: %d %s", answer.Status, answer.Body)
	}
}

func TestUpload_TakesTwelveFromANetworkAtATime(t *testing.T) {
	s := &sending{fixture: setup(t)}
	for i := range 12 {
		s.begin(fmt.Sprintf("2001:db8:1:2::%d", i+1), s.Person(fmt.Sprint("Person", i/4)))
	}
	stranger := s.Person("Stranger")
	s.busy("2001:db8:1:2:ffff::1", stranger)
	s.begin("2001:db8:1:3::1", stranger)
	if got := s.end(); got[http.StatusCreated] != 13 {
		t.Errorf("answered %v", got)
	}
}

// Ten accounts that send next to nothing keep nobody out for longer than twenty seconds.
func TestUpload_GivesTheSlotOfASlowOneToANewOne(t *testing.T) {
	s := &sending{fixture: setup(t)}
	for i := range 40 {
		s.begin(fmt.Sprintf("203.0.113.%d", i/4), s.Person(fmt.Sprint("Slow", i)))
	}
	honest := s.Person("Honest")
	s.busy("198.51.100.1", honest)
	s.Advance(20 * time.Second)
	for range 3 {
		answer := s.from("198.51.100.1", bytes.NewReader(form("file", photo(t, 30, 20))), honest)
		if answer.Status != http.StatusCreated {
			t.Errorf("%d %s", answer.Status, answer.Body)
		}
	}
	// One slow upload lost its slot to the first new one, and is refused at its next byte. The new ones came one after the
	// other, so they needed no second slot.
	if got := s.end(); got[http.StatusCreated] != 39 || got[http.StatusServiceUnavailable] != 1 {
		t.Errorf("the slow ones are answered %v", got)
	}
}
