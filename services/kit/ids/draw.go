package ids

import (
	"context"
	"sync/atomic"
)

type drawnKey struct{}

// Draw makes an id before what it is for is made, which then takes it out of ctx by Drawn.
func Draw(ctx context.Context) (context.Context, string) {
	id := New()
	kept := &atomic.Pointer[string]{}
	kept.Store(&id)
	return context.WithValue(ctx, drawnKey{}, kept), id
}

// Drawn is the id that was drawn for ctx, the first time; else a new one.
func Drawn(ctx context.Context) string {
	if kept, ok := ctx.Value(drawnKey{}).(*atomic.Pointer[string]); ok {
		if id := kept.Swap(nil); id != nil {
			return *id
		}
	}
	return New()
}
