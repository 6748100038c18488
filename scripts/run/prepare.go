//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"

	"golang.org/x/sync/errgroup"

	"talkoot.fi/kit/localpg"
	"talkoot.fi/scripts/platform"
)

// prepare builds the programs and the web app and installs npm packages, each only when its sources changed.
func prepare(ctx context.Context, root, bin string, env map[string]string, out io.Writer) error {
	both, ctx := errgroup.WithContext(ctx)
	both.Go(func() error {
		say(out, "Building the programs (the first time takes a minute)")
		if err := platform.Build(ctx, root, bin); err != nil {
			return err
		}
		say(out, "Programs are built")
		return nil
	})
	both.Go(func() error {
		if err := preparePostgres(ctx, root, env, out); err != nil {
			return err
		}
		return prepareWeb(ctx, root, out)
	})
	return both.Wait()
}

// preparePostgres installs the embedded server, unless the user gave another. Without network any server that the
// machine already has will do.
func preparePostgres(ctx context.Context, root string, env map[string]string, out io.Writer) error {
	if env["DATABASE_URL"] != "" || env["PG_BIN"] != "" {
		return nil
	}
	err := installPackages(ctx, filepath.Join(root, "scripts", "embedded"), out, "--ignore-scripts")
	if err == nil {
		return nil
	}
	if _, findErr := localpg.Find(ctx, root, 0); findErr != nil {
		return errors.Join(err, findErr)
	}
	say(out, "The embedded PostgreSQL cannot be installed; using the machine's own")
	return nil
}

func prepareWeb(ctx context.Context, root string, out io.Writer) error {
	frontend := filepath.Join(root, "frontend")
	if err := installPackages(ctx, frontend, out); err != nil {
		return err
	}
	sum, err := sourceSum(frontend)
	if err != nil {
		return err
	}
	stamp := filepath.Join(root, "bin", ".frontend.sum")
	if _, err := os.Stat(filepath.Join(frontend, "dist", "index.html")); err == nil && stampIs(stamp, sum) {
		return nil
	}
	say(out, "Building the web app")
	if err := npm(ctx, frontend, "run", "build"); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o750); err != nil {
		return fmt.Errorf("note the web app's build: %w", err)
	}
	if err := os.WriteFile(stamp, []byte(sum), 0o600); err != nil {
		return fmt.Errorf("note the web app's build: %w", err)
	}
	say(out, "The web app is built")
	return nil
}

// installPackages runs npm ci when the lock file, or the kind of machine, is not the one installed for.
func installPackages(ctx context.Context, dir string, out io.Writer, flags ...string) error {
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json"))
	if err != nil {
		return fmt.Errorf("read npm's lock file: %w", err)
	}
	hash := sha256.Sum256(append(lock, []byte(runtime.GOOS+runtime.GOARCH)...))
	sum := hex.EncodeToString(hash[:])
	stamp := filepath.Join(dir, "node_modules", ".installed.sum")
	if stampIs(stamp, sum) {
		return nil
	}
	say(out, "Installing npm packages in %s", filepath.Base(dir))
	if err := npm(ctx, dir, append([]string{"ci", "--no-audit", "--no-fund", "--loglevel=error"}, flags...)...); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(stamp), 0o750); err != nil {
		return fmt.Errorf("note the installed packages: %w", err)
	}
	if err := os.WriteFile(stamp, []byte(sum), 0o600); err != nil { // #nosec G703 -- a folder of the checkout
		return fmt.Errorf("note the installed packages: %w", err)
	}
	return nil
}

func npm(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "npm", args...) // our own words
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s in %s: %w\n%s", args[0], dir, err, out)
	}
	return nil
}

func stampIs(path, sum string) bool {
	raw, err := os.ReadFile(path)
	return err == nil && string(raw) == sum
}

// sourceSum is over the names and contents of everything that the web app is built from.
func sourceSum(dir string) (string, error) {
	hash := sha256.New()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch entry.Name() {
			case "node_modules", "dist", "coverage":
				return filepath.SkipDir
			}
			return nil
		}
		file, err := os.Open(path) // #nosec G122 -- the user's own sources, only hashed
		if err != nil {
			return err
		}
		fmt.Fprintln(hash, path)
		_, err = io.Copy(hash, file)
		return errors.Join(err, file.Close())
	})
	if err != nil {
		return "", fmt.Errorf("read the web app's sources: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
