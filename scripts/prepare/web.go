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
)

// web builds the web app when its sources are not those of the last build.
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
