package apperr

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

func TestError_MethodsReturnCopies(t *testing.T) {
	base := New(PaymentFailed)
	first := base.WithField("a", RuleRequired)
	second := first.WithField("b", RuleRequired)
	third := first.WithField("c", RuleRequired)
	_ = base.WithCode(CodeCardDeclined).Wrap(io.EOF).RetryAfter(time.Second)
	if base.Code != "" || base.Retry != 0 || base.Unwrap() != nil || len(base.Fields) != 0 {
		t.Errorf("base changed: %+v", base)
	}
	if len(first.Fields) != 1 || second.Fields[1].Path != "b" || third.Fields[1].Path != "c" {
		t.Errorf("copies share fields: %v %v %v", first.Fields, second.Fields, third.Fields)
	}
}

func TestIs_MatchesByStatusAndByCodeWhenTheTargetHasOne(t *testing.T) {
	err := fmt.Errorf("pay: %w", New(PaymentFailed).WithCode(CodeCardDeclined).Wrap(io.EOF))
	tests := []struct {
		name   string
		target error
		want   bool
	}{
		{"same status", New(PaymentFailed), true},
		{"same status and code", New(PaymentFailed).WithCode(CodeCardDeclined), true},
		{"other code", New(PaymentFailed).WithCode(CodeExpiredCard), false},
		{"other status", New(NotFound), false},
		{"cause", io.EOF, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := errors.Is(err, tt.target); got != tt.want {
				t.Errorf("Is = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestFrom_FindsTheErrorOrHidesTheCause(t *testing.T) {
	if From(nil) != nil {
		t.Error("From(nil) is not nil")
	}
	gone := New(RewardGone)
	if got := From(fmt.Errorf("reserve: %w", gone)); got != gone {
		t.Errorf("From = %v, want the error in the chain", got)
	}
	secret := errors.New("password=hunter2")
	unknown := From(secret)
	if unknown.Status != Internal || unknown.HTTP() != 500 || !errors.Is(unknown, secret) {
		t.Errorf("From = %v, want internal with its cause", unknown)
	}
	for _, lang := range []Lang{Finnish, English, Swedish} {
		if strings.Contains(unknown.Message(lang), "hunter2") {
			t.Errorf("the message in %s leaks the cause", lang)
		}
	}
}

func TestWrap_KeepsEveryCause(t *testing.T) {
	err := New(Internal).Wrap(io.EOF).Wrap(io.ErrClosedPipe).Wrap(nil)
	if !errors.Is(err, io.EOF) || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("%v lost a cause", err)
	}
}

func TestMessage_PrefersTheCodesTextAndFallsBackToFinnish(t *testing.T) {
	plain, narrow := New(PaymentFailed), New(PaymentFailed).WithCode(CodeExpiredCard)
	if narrow.Message("EN") != New(ExpiredCard).Message("en") || narrow.HTTP() != plain.HTTP() {
		t.Errorf("message = %q, want that of the code", narrow.Message("EN"))
	}
	if got := plain.WithCode("code_without_text").Message("sv"); got != plain.Message("sv") {
		t.Errorf("message = %q, want that of the status", got)
	}
	if plain.Message("de") != plain.Message("fi") || plain.Message("fi") == plain.Message("en") {
		t.Error("an unknown language does not read as Finnish")
	}
}

func TestFieldMessage_FillsPlaceholdersOnce(t *testing.T) {
	f := New(InvalidFields).WithField("name", RuleMaxLength, Params{"max": "{max}"}).Fields[0]
	if got := f.Message("en"); got != "At most {max} characters." {
		t.Errorf("message = %q", got)
	}
	unknown := New(InvalidFields).WithField("name", "no_such_rule").Fields[0]
	if got := unknown.Message("en"); got != New(InvalidFields).Message("en") {
		t.Errorf("message = %q, want the general text", got)
	}
}

func TestCatalogue_IsWhole(t *testing.T) {
	for _, s := range Statuses() {
		for _, lang := range []Lang{Finnish, English, Swedish} {
			if New(s).Message(lang) == "" || s.HTTP() < 400 {
				t.Errorf("%s has no text in %s or no HTTP status", s, lang)
			}
		}
	}
	if Status("nonsense").HTTP() != 500 || Status("nonsense").Known() {
		t.Error("an unknown status does not read as internal")
	}
}
