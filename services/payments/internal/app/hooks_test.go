package app

import (
	"context"
	"errors"
	"log/slog"
	"testing"
	"time"

	"talkoot.fi/payments/internal/provider"
)

// hooked is a provider whose hooks are made by calls.
type hooked struct {
	provider.Provider
	fails bool
	kept  chan string
	name  string
}

func (h hooked) KeepHooks(context.Context) error {
	h.kept <- h.name
	if h.fails {
		return errors.New("it is away")
	}
	return nil
}

// A sweep, of which the first is at the worker's start, makes the hooks. A provider that is away keeps no other's from being made.
func TestWork_KeepsTheHooksOfEveryProvider(t *testing.T) {
	t.Parallel()
	kept := make(chan string, 2)
	a := &App{log: slog.New(slog.DiscardHandler), config: Config{SweepEvery: time.Hour}, Providers: map[string]provider.Provider{
		"away": hooked{fails: true, kept: kept, name: "away"}, "there": hooked{kept: kept, name: "there"}, "other": nil,
	}}
	for _, s := range a.sweeps() {
		if s.Name != "hooks" {
			continue
		}
		err := s.Work(t.Context())
		close(kept)
		names := map[string]bool{}
		for name := range kept {
			names[name] = true
		}
		if err == nil || !names["away"] || !names["there"] {
			t.Errorf("kept %v, %v", names, err)
		}
		return
	}
	t.Error("no sweep keeps hooks")
}
