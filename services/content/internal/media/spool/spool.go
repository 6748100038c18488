// Package spool is temporary files for what comes or goes more slowly than it is handled here.
package spool

import (
	"fmt"
	"os"
)

// File is a temporary file. It has no name as soon as it is open, so that the system also deletes it when the process is
// killed or the machine stops.
type File struct {
	*os.File
	named bool // on systems that cannot unlink an open file
}

// New makes a file; what names its purpose. Remove deletes it.
func New(what string) (*File, error) {
	file, err := os.CreateTemp("", "talkoot-"+what+"-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	return &File{file, os.Remove(file.Name()) != nil}, nil
}

// Remove closes and deletes the file.
func (f *File) Remove() {
	_ = f.Close()
	if f.named {
		_ = os.Remove(f.Name())
	}
}
