//go:build unix

package dbtest

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"talkoot.fi/kit/localpg"
)

const (
	keeperDirEnv  = "TALKOOT_DBTEST_KEEPER"
	keeperRootEnv = "TALKOOT_DBTEST_ROOT"

	stopLimit = 10 * time.Second
)

// patience is how long a server waits for its next user.
type patience struct {
	look   time.Duration // between two looks for users
	idle   time.Duration // bridges the gaps between the packages of one go test
	linger time.Duration // instead of idle after a failed test has kept its database
}

var usual = patience{look: time.Second, idle: time.Minute, linger: time.Hour}

// A test binary that is started as the keeper runs keep instead of its tests.
func init() { // there is no main of ours in a test binary
	dir := os.Getenv(keeperDirEnv)
	if dir == "" {
		return
	}
	if err := keep(dir, os.Getenv(keeperRootEnv), os.Stdout); err != nil {
		os.Exit(1) // the reason is in the answer
	}
	os.Exit(0)
}

// keep runs the server until no test process has used it for a while. It runs on the process's main thread, so that
// the server, which ends with the thread that started it, ends with the keeper even if that is killed.
func keep(dir, root string, answer io.WriteCloser) error {
	own, err := lock(filepath.Join(dir, keeperLock), syscall.LOCK_EX)
	if err != nil {
		return tell(answer, state{Fault: err.Error()})
	}
	data := dataFolder(dir)
	if err := errors.Join(os.RemoveAll(data), os.RemoveAll(filepath.Join(dir, lingerFile))); err != nil {
		return tell(answer, state{Fault: fmt.Sprintf("clear the last test server: %v", err)})
	}
	token := "talkoot-dbtest-" + rand.Text()
	pg, err := localpg.Start(context.Background(), localpg.Options{
		Dir: data, RepoRoot: root, Settings: settings(token),
		Prepare: func(cmd *exec.Cmd) { localpg.EndWithParent(cmd, syscall.SIGINT) },
	})
	if err != nil {
		return errors.Join(tell(answer, state{Fault: err.Error()}), os.RemoveAll(data))
	}
	st := state{URL: pg.URL("postgres"), Token: token}
	if err := writeState(dir, st); err != nil {
		return errors.Join(tell(answer, state{Fault: err.Error()}), end(pg, data))
	}
	if err := tell(answer, st); err != nil {
		return errors.Join(err, end(pg, data))
	}
	unused, err := awaitUnused(dir, pg.Exited(), usual)
	if err != nil {
		return errors.Join(err, end(pg, data))
	}
	return errors.Join(end(pg, data), release(own, unused))
}

// release gives back the locks of a keeper whose server has ended. The own one goes first: a test process that has waited
// for the start lock takes a keeper that still holds its own for a running one, and its server for one that listens. Where
// keep returns early, the end of the process gives back what it holds.
func release(own, starting *os.File) error {
	return errors.Join(own.Close(), starting.Close())
}

// settings turn off durability, for speed, and autovacuum, for repeatable plans. A statement is planned once a session: a
// plan for each run's own values was a third of the server's time, and tests' tables are too small for it to matter. Tests
// of plans choose theirs.
func settings(token string) map[string]string {
	return map[string]string{
		"cluster_name":       token,
		"fsync":              "off",
		"synchronous_commit": "off",
		"full_page_writes":   "off",
		"wal_level":          "minimal",
		"max_wal_senders":    "0",
		"max_wal_size":       "2GB",
		"checkpoint_timeout": "1h",
		"autovacuum":         "off",
		"max_connections":    "500",
		"shared_buffers":     "256MB",
		"plan_cache_mode":    "force_generic_plan",
	}
}

// awaitUnused returns with the start lock held once no process has been seen to use the server for the idle time, so that
// no process can join a server that is about to end. It returns at once, without the lock, when the server ends by itself.
func awaitUnused(dir string, exited <-chan struct{}, p patience) (*os.File, error) {
	looks := time.NewTicker(p.look)
	defer looks.Stop()
	for lastUsed := time.Now(); ; {
		select {
		case <-looks.C:
		case <-exited:
			return nil, errors.New("the server ended by itself")
		}
		used, err := inUse(dir)
		if err != nil {
			return nil, err
		}
		if used {
			lastUsed = time.Now()
		}
		idle := p.idle
		if _, err := os.Stat(filepath.Join(dir, lingerFile)); err == nil {
			idle = p.linger
		}
		if time.Since(lastUsed) < idle {
			continue
		}
		starting, err := lock(filepath.Join(dir, startLock), syscall.LOCK_EX)
		if err != nil {
			return nil, err
		}
		if used, err = inUse(dir); err == nil && !used {
			return starting, nil
		}
		if err := errors.Join(err, starting.Close()); err != nil {
			return nil, err
		}
		lastUsed = time.Now() // somebody has joined since the look
	}
}

func inUse(dir string) (bool, error) {
	users, err := lock(filepath.Join(dir, usersLock), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	return false, users.Close()
}

func end(pg *localpg.Server, data string) error {
	ctx, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	return errors.Join(pg.Stop(ctx), os.RemoveAll(data))
}

func writeState(dir string, st state) error {
	raw, err := json.Marshal(st)
	if err != nil {
		return fmt.Errorf("tell where the test server listens: %w", err)
	}
	path := filepath.Join(dir, stateFile)
	if err := os.WriteFile(path+".new", raw, 0o600); err != nil {
		return fmt.Errorf("tell where the test server listens: %w", err)
	}
	if err := os.Rename(path+".new", path); err != nil {
		return fmt.Errorf("tell where the test server listens: %w", err)
	}
	return nil
}

// tell sends the state to the process that started the keeper. A state with a fault comes back as an error.
func tell(answer io.WriteCloser, st state) error {
	err := json.NewEncoder(answer).Encode(st)
	if err == nil {
		err = answer.Close()
	}
	if st.Fault != "" {
		return errors.Join(errors.New(st.Fault), err)
	}
	return err
}
