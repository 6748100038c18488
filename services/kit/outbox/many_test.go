package outbox_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"testing"

	"talkoot.fi/kit/outbox"
)

func TestAddAll_KeepsTheOrderAndRefusesAllForOne(t *testing.T) {
	b := setup(t)
	message := func(payload string) outbox.Message {
		return outbox.Message{Kind: "mail", Payload: json.RawMessage(payload)}
	}
	for _, bad := range []outbox.Message{message("{"), {Payload: json.RawMessage("1")},
		{Kind: "mail", Payload: json.RawMessage("1"), Stream: "s"}} {
		if err := outbox.AddAll(t.Context(), b.db, []outbox.Message{message("1"), bad}); !errors.Is(err, outbox.ErrInvalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	keyed := message(`"2"`)
	keyed.DedupeKey = "k"
	if err := errors.Join(outbox.AddAll(t.Context(), b.db, nil), outbox.AddAll(t.Context(), b.db, []outbox.Message{message("1"), keyed, message(`{"n":3}`)}),
		outbox.AddAll(t.Context(), b.db, []outbox.Message{keyed})); err != nil {
		t.Fatal(err)
	}
	var got []string
	b.handler = func(_ context.Context, m outbox.Message) error {
		got = append(got, string(m.Payload))
		return nil
	}
	r := b.relay(t)
	for range 4 {
		if _, err := r.RunOnce(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	if !slices.Equal(got, []string{"1", `"2"`, `{"n": 3}`}) {
		t.Errorf("delivered %q", got)
	}
}
