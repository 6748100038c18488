package localpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// RepoRoot walks up from the working directory to the folder that holds go.work.
func RepoRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("find the repository: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.work")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("find the repository: no go.work in any parent folder; run this inside the checkout")
		}
		dir = parent
	}
}
