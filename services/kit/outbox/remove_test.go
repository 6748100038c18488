package outbox_test

import (
	"encoding/json"
	"errors"
	"testing"

	"talkoot.fi/kit/outbox"
)

func TestRemove_DeletesWhatNamesAValue(t *testing.T) {
	b := setup(t)
	for _, m := range []outbox.Message{{Kind: "mail.a", Payload: json.RawMessage(`{"user_id": 7}`)},
		{Kind: "mail.b", Payload: json.RawMessage(`{"user_id": "7"}`)},
		{Kind: "mail.a", Payload: json.RawMessage(`{"user_id": 77}`)}, {Kind: "mail.a", Payload: json.RawMessage(`{"id": 7}`)},
		{Kind: "close", Payload: json.RawMessage(`{"user_id": 7}`)}} {
		b.add(t, m)
	}
	if err := errors.Join(outbox.Remove(t.Context(), b.db, "mail.", "user_id", nil), outbox.Remove(t.Context(), b.db, "mail.", "user_id", []string{"7", "8"})); err != nil {
		t.Fatal(err)
	}
	if n := b.undone(t); n != 3 {
		t.Errorf("%d messages are left, want those of others, of another field and of another kind", n)
	}
}
