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
	"path/filepath"
	"strings"
)

// web builds the web app, and holds it to its budgets, when its sources are not those of the last build that succeeded.
func (p *preparation) web(ctx context.Context) error {
	dir := filepath.Join(p.root, "frontend")
	sum, err := sourceSum(dir)
	if err != nil {
		return err
	}
	built := stamp(filepath.Join(p.root, "bin", ".frontend.sum"))
	if _, err := os.Stat(filepath.Join(dir, "dist", "index.html")); err == nil && built.is(sum) {
		return nil
	}
	if err := built.clear(); err != nil { // what a failed build leaves is of no sources that ever passed
		return err
	}
	p.out.Say("Building the web app")
	if err := npm(ctx, dir, "run", "build"); err != nil {
		return err
	}
	if err := built.set(sum); err != nil {
		return err
	}
	p.out.Say("The web app is built")
	return nil
}

// sourceSum is over the names and contents of everything that the web app may be built from, which its tests are not.
func sourceSum(dir string) (string, error) {
	hash := sha256.New()
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			switch name {
			case "node_modules", "dist", "coverage", "e2e", "test", ".texts": // jest makes the last
				return filepath.SkipDir
			}
			return nil
		}
		if strings.HasSuffix(name, ".test.ts") || strings.HasSuffix(name, ".test.tsx") {
			return nil
		}
		file, err := os.Open(path) // #nosec G122 -- the user's own sources, only hashed
		if err != nil {
			return err
		}
		fmt.Fprintln(hash, name)
		_, err = io.Copy(hash, file)
		return errors.Join(err, file.Close())
	})
	if err != nil {
		return "", fmt.Errorf("read the web app's sources: %w", err)
	}
	return hex.EncodeToString(hash.Sum(nil)), nil
}
