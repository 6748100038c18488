package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// tool builds a program of scripts/tools into bin/ and returns its path.
func tool(ctx context.Context, root, name, pkg string) (string, error) {
	made := filepath.Join(root, "bin", name)
	cmd := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", made, pkg)
	cmd.Dir, cmd.Stderr = filepath.Join(root, "scripts", "tools"), os.Stderr
	cmd.Env = append(os.Environ(), "GOWORK=off", "GOGC=400")
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("build %s: %w", name, err)
	}
	return made, nil
}

// secrets fails when a file of the checkout that is tracked, or would be with git add, holds what looks like a key of a provider, a private
// key or a password. The rules and the published values that are none are in .gitleaks.toml.
func secrets(ctx context.Context, root string) error {
	scanner, err := tool(ctx, root, "gitleaks", "github.com/zricethezav/gitleaks/v8")
	if err != nil {
		return err
	}
	return scan(ctx, scanner, root, filepath.Join(root, ".gitleaks.toml"))
}

// scan looks through the files of a checkout by the rules of a file.
func scan(ctx context.Context, scanner, root, rules string) (err error) {
	// The scanner reads folders, and this one has what is installed and built in it too.
	dir, err := os.MkdirTemp("", "talkoot-secrets-")
	if err != nil {
		return fmt.Errorf("look for secrets: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	files, err := tracked(ctx, root)
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := copyInto(dir, root, name); err != nil {
			return fmt.Errorf("look for secrets: %w", err)
		}
	}
	cmd := exec.CommandContext(ctx, scanner, "dir", ".", "--no-banner", "--no-color", "--redact", "--verbose", "--log-level", "warn",
		"--config", rules)
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("secrets in tracked files (%w):\n%s", err, said)
	}
	fmt.Printf("secrets: none in %d files\n", len(files))
	return nil
}

// tracked are the files that git has, or would take.
func tracked(ctx context.Context, root string) ([]string, error) {
	cmd := exec.CommandContext(ctx, "git", "ls-files", "-coz", "--exclude-standard")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the files of the checkout: %w", err)
	}
	return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"), nil
}

// copyInto copies a text; pictures and fonts, and files that are deleted but not committed, are left out.
func copyInto(dir, root, name string) error {
	from, err := os.Open(filepath.Join(root, name))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer from.Close() // only read
	content, err := io.ReadAll(from)
	if err != nil || bytes.IndexByte(content[:min(len(content), 8000)], 0) >= 0 {
		return err
	}
	to := filepath.Join(dir, name)
	return errors.Join(os.MkdirAll(filepath.Dir(to), 0o750), os.WriteFile(to, content, 0o600))
}
