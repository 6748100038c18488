package localpg

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// initialise makes the data folder under a temporary name and renames it, so that a crash leaves no incomplete folder.
func initialise(ctx context.Context, bin Binaries, id identity, dir string) error {
	making := filepath.Join(dir, "making")
	if err := os.RemoveAll(making); err != nil {
		return fmt.Errorf("clear unfinished data folder: %w", err)
	}
	if err := os.Mkdir(making, 0o700); err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	password := rand.Text()
	pwFile := filepath.Join(making, "password")
	if err := os.WriteFile(pwFile, []byte(password), 0o600); err != nil {
		return fmt.Errorf("write password: %w", err)
	}
	data := filepath.Join(making, "data")
	if err := os.Mkdir(data, 0o700); err != nil {
		return fmt.Errorf("make data folder: %w", err)
	}
	if err := id.own(making); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, filepath.Join(bin.Dir, "initdb"), // #nosec G204 -- found by Find
		"--pgdata", data, "--username", Superuser, "--pwfile", pwFile,
		"--auth", "scram-sha-256", "--encoding", "UTF8", "--no-sync", "--no-instructions")
	cmd.Args = append(cmd.Args, localeArgs(bin.Major)...)
	cmd.Dir = "/"
	cmd.Env = serverEnv()
	id.apply(cmd)
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, strings.TrimSpace(string(out)))
	}
	if err := os.WriteFile(filepath.Join(dir, "password"), []byte(password), 0o600); err != nil {
		return fmt.Errorf("write password: %w", err)
	}
	if err := os.Rename(data, filepath.Join(dir, "data")); err != nil {
		return fmt.Errorf("put data folder in place: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "major"), []byte(strconv.Itoa(bin.Major)), 0o600); err != nil {
		return fmt.Errorf("write major version: %w", err)
	}
	if err := os.RemoveAll(making); err != nil {
		return fmt.Errorf("clear data folder's scaffold: %w", err)
	}
	return nil
}

// localeArgs choose code point order with case rules for all of Unicode: plain C would break lower() and ILIKE
// beyond ASCII. macOS has no C.UTF-8 of its own; there newer servers bring theirs.
func localeArgs(major int) []string {
	if runtime.GOOS != "darwin" {
		return []string{"--locale", "C.UTF-8"}
	}
	args := []string{"--locale", "C", "--lc-ctype", "UTF-8"}
	if major >= 17 {
		args = append(args, "--locale-provider", "builtin", "--builtin-locale", "C.UTF-8")
	}
	return args
}

// madeBy returns the major version that made the data in dir, 0 if there are none.
func madeBy(dir string) (int, error) {
	for _, name := range []string{"major", filepath.Join("data", "PG_VERSION")} {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		if err != nil {
			return 0, fmt.Errorf("read PostgreSQL data's version: %w", err)
		}
		major, err := strconv.Atoi(strings.TrimSpace(string(raw)))
		if err != nil {
			return 0, fmt.Errorf("read PostgreSQL data's version: %w", err)
		}
		return major, nil
	}
	return 0, nil
}
