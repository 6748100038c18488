//go:build unix && !linux

package dbtest

import "path/filepath"

// dataFolder is beside the locks: there is no memory disk to count on.
func dataFolder(dir string) string { return filepath.Join(dir, "postgres") }
