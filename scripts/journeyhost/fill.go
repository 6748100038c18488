//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"

	"talkoot.fi/scripts/platform"
)

// fillIn makes the demo content and the backers of the campaigns with these slugs. It returns when they have paid; the
// journeys wait for it, so the campaigns should be few.
func fillIn(ctx context.Context, p *platform.Platform, bin, temp string, slugs []string) error {
	env := maps.Clone(p.Env)
	env["DATABASE_URL"] = env["CONTENT_DATABASE_URL"]
	if err := runToEnd(ctx, env, filepath.Join(bin, "content"), "seed"); err != nil {
		return err
	}
	if len(slugs) == 0 {
		return nil
	}
	part, err := partOfDemo(env["DEMO_DIR"], filepath.Join(temp, "demo"), slugs)
	if err != nil {
		return err
	}
	env["DEMO_DIR"], env["PAID_FILE"] = part, filepath.Join(temp, "paid.txt")
	return runToEnd(ctx, env, filepath.Join(bin, "demopledges"))
}

// partOfDemo makes a demo folder in which only these campaigns have backers.
func partOfDemo(whole, part string, slugs []string) (string, error) {
	if err := os.MkdirAll(filepath.Join(part, "campaigns"), 0o750); err != nil {
		return "", fmt.Errorf("choose campaigns: %w", err)
	}
	names := []string{"people.yaml"}
	for _, slug := range slugs {
		names = append(names, filepath.Join("campaigns", slug+".yaml"))
	}
	for _, name := range names {
		_, missing := os.Stat(filepath.Join(whole, name))
		if err := errors.Join(missing, os.Symlink(filepath.Join(whole, name), filepath.Join(part, name))); err != nil {
			return "", fmt.Errorf("choose campaigns: %w", err)
		}
	}
	return part, nil
}

func runToEnd(ctx context.Context, env map[string]string, name string, args ...string) error {
	cmd := exec.CommandContext(ctx, name, args...) // #nosec G204 G702 -- programs of the checkout, words of this program
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.Getenv("TMPDIR")}
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s %v: %w\n%s", filepath.Base(name), args, err, out)
	}
	return nil
}
