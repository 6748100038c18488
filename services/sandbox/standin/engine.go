package standin

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	bolt "go.etcd.io/bbolt"
)

// Options configure an Engine.
type Options struct {
	// Name is the provider's: of the state file and of temporary folders.
	Name string
	// StateDir keeps the state. Empty means a temporary folder that Close removes.
	StateDir string
	// Sync flushes every write to the disk. Without it a killed process loses nothing, a power cut may.
	Sync bool
	// InMemory keeps the temporary state on the machine's memory disk when it has one. StateDir must be empty.
	InMemory bool
	// ManualDelivery starts no goroutine: webhooks are sent by Deliver only, and scheduled tasks are done by RunDue
	// only. It requires Now.
	ManualDelivery bool
	// Log receives ids and outcomes. Nil discards.
	Log *slog.Logger
	// Now is the wall clock. Nil means time.Now. Advance adds an offset to it.
	Now func() time.Time
	// Random makes ids and secrets. Nil means crypto/rand.
	Random rand.Source
	// Objects are the buckets of the stand-in's kinds, Plain its other ones.
	Objects, Plain []string
	// RetryAfter lists the waits between delivery attempts, DeliveryTimeout is how long one may take, and Taken tells
	// whether an answer's status ends them.
	RetryAfter      []time.Duration
	DeliveryTimeout time.Duration
	Taken           func(status int) bool
	// HookTransport carries the deliveries. Nil means the network.
	HookTransport http.RoundTripper
	// Post addresses deliveries.
	Post Post
	// Perform does one task. It does nothing if the object's status has changed meanwhile.
	Perform func(*Unit, Task) error
	// Setup writes what the state has from the start; it is repeated at each start and after each Reset.
	Setup func(*Unit) error
}

// Settings is a bucket for values that a stand-in keeps by name.
const Settings = "settings"

const clockOffset = "clock_offset"

// Engine is one running stand-in's state, clock and goroutines; Close stops them.
type Engine struct {
	IDs    IDs
	Faults Faults
	Hooks  *Dispatcher

	opts    Options
	db      *bolt.DB
	log     *slog.Logger
	dir     string
	temp    bool
	offset  atomic.Int64 // seconds the clock has been advanced
	wake    chan struct{}
	stop    context.CancelFunc
	running sync.WaitGroup
}

// Open opens the state. Nothing is delivered or done before Start.
func Open(opts Options) (*Engine, error) {
	if opts.InMemory && opts.StateDir != "" {
		return nil, errors.New("a state folder is kept on its disk: set StateDir or InMemory, not both")
	}
	if opts.ManualDelivery && opts.Now == nil {
		return nil, errors.New("manual delivery needs a clock: set Now")
	}
	if opts.Log == nil {
		opts.Log = slog.New(slog.DiscardHandler)
	}
	if opts.Now == nil {
		opts.Now = time.Now //nolint:forbidigo // what Options promises for nil
	}
	e := &Engine{opts: opts, log: opts.Log, wake: make(chan struct{}, 1), IDs: IDs{from: opts.Random}}
	if err := e.makeStateDir(); err != nil {
		return nil, err
	}
	db, err := openStore(opts, e.dir)
	if err != nil {
		return nil, errors.Join(err, e.removeTemporary())
	}
	e.db = db
	e.Hooks = newDispatcher(e)
	return e, nil
}

// memoryDisk is where Linux keeps files in memory.
const memoryDisk = "/dev/shm"

func (e *Engine) makeStateDir() error {
	if e.dir = e.opts.StateDir; e.dir != "" {
		if err := os.MkdirAll(e.dir, 0o700); err != nil {
			return fmt.Errorf("create state folder: %w", err)
		}
		return nil
	}
	pattern := e.opts.Name + "-sandbox-"
	dir, err := "", error(nil)
	if e.opts.InMemory {
		dir, err = os.MkdirTemp(memoryDisk, pattern)
	}
	if dir == "" || err != nil { // no memory disk here, or not ours to write
		dir, err = os.MkdirTemp("", pattern)
	}
	if err != nil {
		return fmt.Errorf("create state folder: %w", err)
	}
	e.dir, e.temp = dir, true
	return nil
}

func (e *Engine) removeTemporary() error {
	if !e.temp {
		return nil
	}
	return os.RemoveAll(e.dir)
}

// Start loads the clock and what is pending, and starts delivering and doing what falls due, unless delivery is manual.
// After an error the engine is closed.
func (e *Engine) Start() error {
	var pending []queuedDelivery
	err := e.Write(func(u *Unit) error {
		var offset int64
		if _, err := GetJSON(u.Tx, Settings, clockOffset, &offset); err != nil {
			return err
		}
		e.offset.Store(offset)
		u.Now = e.Now()
		if err := e.opts.Setup(u); err != nil {
			return err
		}
		var err error
		pending, err = pendingDeliveries(u.Tx)
		return err
	})
	if err != nil {
		return errors.Join(fmt.Errorf("load state: %w", err), e.db.Close(), e.removeTemporary())
	}
	ctx, stop := context.WithCancel(context.Background()) //nolint:forbidigo // the goroutines end with Close, not with a caller
	e.stop = stop
	e.Hooks.add(pending...)
	if e.opts.ManualDelivery {
		return nil
	}
	for range dispatchWorkers {
		e.running.Go(func() { e.Hooks.run(ctx) })
	}
	e.running.Go(func() { e.runSchedule(ctx) })
	return nil
}

// Close stops deliveries (an attempt in progress is cut and repeated after the next start) and closes the state.
func (e *Engine) Close() error {
	e.stop()
	e.Hooks.client.CloseIdleConnections()
	e.running.Wait()
	return errors.Join(e.db.Close(), e.removeTemporary())
}

// Wall is the wall clock, not the advanced one.
func (e *Engine) Wall() time.Time { return e.opts.Now() }

// Now is the stand-in's clock: the wall clock plus what controls have added.
func (e *Engine) Now() int64 { return e.opts.Now().Unix() + e.offset.Load() }

func (e *Engine) nowMs() int64 { return e.opts.Now().UnixMilli() + e.offset.Load()*1000 }

// Advance moves the clock forward for good and does what falls due.
func (e *Engine) Advance(seconds int64) error {
	if seconds < 1 {
		return BadControl("advance_seconds must be at least 1: the clock only moves forward")
	}
	total := e.offset.Add(seconds)
	err := e.db.Update(func(tx *bolt.Tx) error { return PutJSON(tx, Settings, clockOffset, total) })
	if err != nil {
		return fmt.Errorf("store clock: %w", err)
	}
	e.kickSchedule()
	e.Hooks.kick()
	return nil
}

// Calm turns every fault off; deliveries that were held go out.
func (e *Engine) Calm() error {
	e.Faults.calm()
	return e.Hooks.SetPlan(HookPlan{})
}

// Reset forgets everything but what Setup writes, and resets the clock. Nothing else may run meanwhile. It does not
// reset Options.Random.
func (e *Engine) Reset() error {
	if err := e.Calm(); err != nil {
		return err
	}
	err := e.Write(func(u *Unit) error {
		for _, name := range e.opts.buckets() {
			if err := u.Tx.DeleteBucket([]byte(name)); err != nil {
				return fmt.Errorf("empty %s: %w", name, err)
			}
		}
		if err := e.opts.createBuckets(u.Tx); err != nil {
			return err
		}
		e.offset.Store(0)
		u.Now = e.Now()
		return e.opts.Setup(u)
	})
	if err != nil {
		return fmt.Errorf("reset: %w", err)
	}
	e.Hooks.forget()
	return nil
}

// Unit is one unit of work on the state. Everything it writes commits together.
type Unit struct {
	Tx        *bolt.Tx
	Now       int64
	engine    *Engine
	queued    []queuedDelivery
	scheduled bool
}

// Write runs fn in a read-write transaction, then hands its deliveries to the dispatcher. An error undoes everything.
func (e *Engine) Write(fn func(*Unit) error) error {
	u := &Unit{engine: e}
	err := e.db.Update(func(tx *bolt.Tx) error {
		u.Tx, u.Now = tx, e.Now()
		return fn(u)
	})
	if err != nil {
		return err
	}
	e.Hooks.add(u.queued...)
	if u.scheduled {
		e.kickSchedule()
	}
	return nil
}

// Read runs fn on a snapshot of the state.
func (e *Engine) Read(fn func(*Unit) error) error {
	return e.db.View(func(tx *bolt.Tx) error { return fn(&Unit{Tx: tx, Now: e.Now(), engine: e}) })
}
