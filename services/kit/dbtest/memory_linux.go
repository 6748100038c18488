package dbtest

import (
	"os"
	"path/filepath"
	"syscall"
)

const (
	memoryDisk = "/dev/shm"
	// wantFree is enough for a test run's databases, in bytes; containers often have a /dev/shm of only 64 MB.
	wantFree = 2 << 30
)

// dataFolder is on the memory disk if that has enough space.
func dataFolder(dir string) string {
	var disk syscall.Statfs_t
	if err := syscall.Statfs(memoryDisk, &disk); err != nil || disk.Bavail*uint64(disk.Bsize) < wantFree { // #nosec G115 -- a block size is positive
		return filepath.Join(dir, "postgres")
	}
	folder := filepath.Join(memoryDisk, filepath.Base(dir))
	if err := os.MkdirAll(folder, 0o755); err != nil { // #nosec G301 -- the server's user needs access
		return filepath.Join(dir, "postgres")
	}
	return folder
}
