//go:build unix

package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
)

// extent is how much of npm's packages is installed. Its values are part of what install writes into its stamp.
type extent string

const (
	forRunning extent = "run"  // dependencies: the app, and what builds it
	withTools  extent = "test" // devDependencies too: tests, lint, generators
)

// install runs npm ci in a folder of the checkout, unless the installed packages are of this lock file, for this
// operating system and processor, and include those that are wanted.
func (p *preparation) install(ctx context.Context, folder string, wanted extent, flags ...string) error {
	dir := filepath.Join(p.root, folder)
	lock, err := os.ReadFile(filepath.Join(dir, "package-lock.json")) // #nosec G304 -- a folder of the checkout
	if err != nil {
		return fmt.Errorf("read npm's lock file: %w", err)
	}
	hash := sha256.Sum256(append(lock, []byte(runtime.GOOS+runtime.GOARCH)...))
	sum := hex.EncodeToString(hash[:])
	installed := stamp(filepath.Join(dir, "node_modules", ".installed.sum"))
	if installed.is(sum+string(withTools)) || installed.is(sum+string(wanted)) {
		return nil
	}
	args := append([]string{"ci", "--no-audit", "--no-fund", "--loglevel=error"}, flags...)
	if wanted == forRunning {
		args = append(args, "--omit=dev")
	}
	p.out.Say("Installing npm packages in %s", filepath.Base(dir))
	if err := npm(ctx, dir, args...); err != nil {
		return err
	}
	return installed.set(sum + string(wanted))
}

func npm(ctx context.Context, dir string, args ...string) error {
	cmd := exec.CommandContext(ctx, "npm", args...) // our own words
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("npm %s in %s: %w\n%s", args[0], dir, err, out)
	}
	return nil
}

// stamp is a file that notes what something was made from.
type stamp string

func (s stamp) is(sum string) bool {
	raw, err := os.ReadFile(string(s))
	return err == nil && string(raw) == sum
}

func (s stamp) set(sum string) error {
	err := os.MkdirAll(filepath.Dir(string(s)), 0o750)
	if err == nil {
		err = os.WriteFile(string(s), []byte(sum), 0o600) // #nosec G703 -- a folder of the checkout
	}
	if err != nil {
		return fmt.Errorf("note what is there: %w", err)
	}
	return nil
}

func (s stamp) clear() error {
	if err := os.Remove(string(s)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("forget what was there: %w", err)
	}
	return nil
}
