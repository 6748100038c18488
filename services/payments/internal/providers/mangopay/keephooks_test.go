package mangopay

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"talkoot.fi/payments/internal/provider"
	sandbox "talkoot.fi/sandbox/mangopay"
)

const ourHook = "https://talkoot.example/payments/api/webhooks/mangopay"

type keptHook struct{ Id, EventType, Url, Status string } //nolint:revive // the wire's

func (w *world) hooks() map[string]keptHook {
	w.t.Helper()
	out := map[string]keptHook{}
	w.ok(each(w.t.Context(), w.Client, "list hooks", "/hooks", map[string][]string{}, func(h keptHook) error {
		out[h.EventType] = h
		return nil
	}))
	return out
}

// unhooked is a world whose hooks nobody has made.
func unhooked(t *testing.T) *world {
	t.Helper()
	w := newWorldAt(t, "")
	w.config.HookURL = ourHook
	return w
}

func TestKeepHooks_EachTypeThatIsReadHasOne_AndARepeatChangesNothing(t *testing.T) {
	t.Parallel()
	w := unhooked(t)
	w.ok(w.KeepHooks(t.Context()))
	made := w.hooks()
	for _, kind := range toldOf() {
		if h := made[kind]; h.Url != ourHook || h.Status != "ENABLED" {
			t.Errorf("%s: %+v", kind, h)
		}
		if aboutOf(kind) == provider.AboutNothing {
			t.Errorf("%s is of no use to us", kind)
		}
	}
	if len(made) != len(toldOf()) || slices.ContainsFunc(toldOf(), func(kind string) bool { return strings.HasSuffix(kind, "_") }) {
		t.Errorf("%d hooks for %d types", len(made), len(toldOf()))
	}
	w.ok(w.KeepHooks(t.Context()))
	for kind, h := range w.hooks() {
		if h != made[kind] {
			t.Errorf("%s was %+v and is %+v", kind, made[kind], h)
		}
	}
}

func TestKeepHooks_WhatIsDisabledOrElsewhereIsMended(t *testing.T) {
	t.Parallel()
	w := unhooked(t)
	w.ok(w.KeepHooks(t.Context()))
	made := w.hooks()
	w.ok(w.put(t.Context(), "disable", "/hooks/"+made["PAYIN_NORMAL_SUCCEEDED"].Id, map[string]any{"Status": "DISABLED"}, nil))
	w.ok(w.put(t.Context(), "move", "/hooks/"+made["DISPUTE_CREATED"].Id, map[string]any{"Url": "https://old.example/"}, nil))
	w.ok(w.KeepHooks(t.Context()))
	for kind, h := range w.hooks() {
		if h != made[kind] {
			t.Errorf("%s was %+v and is %+v", kind, made[kind], h)
		}
	}
}

func TestKeepHooks_OneThatFails_KeepsNoOtherFromBeingMade(t *testing.T) {
	t.Parallel()
	w := unhooked(t)
	w.ok(w.at.AddFault(sandbox.FaultRule{Kind: "500_stored", Times: 1, Method: http.MethodPost, Path: "/hooks"}))
	if err := w.KeepHooks(t.Context()); err == nil {
		t.Error("nobody hears of it")
	}
	if n := len(w.hooks()); n < len(toldOf())-1 {
		t.Errorf("%d hooks for %d types", n, len(toldOf()))
	}
	w.clock = w.clock.Add(time.Minute)
	w.ok(w.KeepHooks(t.Context()))
	if n := len(w.hooks()); n != len(toldOf()) {
		t.Errorf("afterwards %d hooks for %d types", n, len(toldOf()))
	}
}

func TestKeepHooks_WithoutAnAddress_NothingIsMade(t *testing.T) {
	t.Parallel()
	w := newWorldAt(t, "")
	w.ok(w.KeepHooks(t.Context()))
	if n := len(w.hooks()); n != 0 {
		t.Errorf("%d hooks", n)
	}
}
