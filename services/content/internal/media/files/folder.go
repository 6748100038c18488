package files

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
)

// folder is a Bucket of files. Nothing outside the folder is reached, whatever the key.
type folder struct{ root *os.Root }

func openFolder(dir string) (Bucket, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, fmt.Errorf("make picture folder: %w", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, fmt.Errorf("open picture folder: %w", err)
	}
	return folder{root}, nil
}

func (f folder) Exists(_ context.Context, key string) (bool, error) {
	_, err := f.root.Stat(key)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (f folder) Read(_ context.Context, key string) ([]byte, error) { return f.root.ReadFile(key) }

// Write writes another file and renames it, so that a process that ends meanwhile or a full disk leaves nothing under the key.
func (f folder) Write(_ context.Context, key string, data []byte, _ string) error {
	if err := f.root.MkdirAll(path.Dir(key), 0o750); err != nil {
		return err
	}
	partial := key + ".partial-" + rand.Text()
	err := f.root.WriteFile(partial, data, 0o600)
	if err == nil {
		err = f.root.Rename(partial, key)
	}
	if err != nil {
		_ = f.root.Remove(partial) // it may not even have been made
	}
	return err
}

func (f folder) List(_ context.Context, prefix string) (keys []string, err error) {
	entries, err := fs.ReadDir(f.root.FS(), path.Clean(prefix))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	for _, entry := range entries {
		if !entry.IsDir() {
			keys = append(keys, prefix+entry.Name())
		}
	}
	return keys, err
}

func (f folder) Remove(_ context.Context, key string) error {
	if err := f.root.Remove(key); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (f folder) Close() error { return f.root.Close() }
