package dbtest

import (
	"os"
	"path/filepath"
	"syscall"
)

const (
	memoryDisk = "/dev/shm"
	// wantFree is what a test run's databases may need; containers often have a memory disk of 64 MB only.
	wantFree = 2 << 30
)

// dataFolder is on the memory disk when there is a roomy one.
func dataFolder(dir string) string {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memoryDisk, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < wantFree { // #nosec G115 -- a block size is positive
		return filepath.Join(dir, "postgres")
	}
	folder := filepath.Join(memoryDisk, filepath.Base(dir))
	if err := os.MkdirAll(folder, 0o755); err != nil { // #nosec G301 -- the server's user must pass
		return filepath.Join(dir, "postgres")
	}
	return folder
}
