//go:build unix

package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// errNotTraversable says what to do when other users cannot reach root's files.
var errNotTraversable = errors.New(
	"PostgreSQL refuses to run as root, and its files are not reachable for another user: " +
		"move the checkout to a folder that others may enter, or set DATABASE_URL")

// identity is the user that the server runs as and that owns its files.
type identity struct {
	attr     *syscall.SysProcAttr // nil: this process's user
	uid, gid int                  // owner of the data folder; -1: unchanged
}

// chooseIdentity picks the user for the server. PostgreSQL refuses root, so root runs it as postgres or nobody:
// directly if that user can reach both folders, else in a user namespace in which root has that user's id.
func chooseIdentity(ctx context.Context, bin Binaries, dataParent string) (identity, error) {
	if os.Geteuid() != 0 {
		return identity{uid: -1, gid: -1}, nil
	}
	uid, gid, err := serverUser()
	if err != nil {
		return identity{}, err
	}
	plain := identity{uid: uid, gid: gid, attr: &syscall.SysProcAttr{
		Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}, // #nosec G115 -- parsed as 32 bits
	}}
	if plain.reaches(ctx, bin, dataParent) {
		return plain, nil
	}
	if attr := namespaced(uid, gid); attr != nil {
		if mapped := (identity{uid: 0, gid: 0, attr: attr}); mapped.reaches(ctx, bin, dataParent) {
			return mapped, nil
		}
	}
	return identity{}, errNotTraversable
}

// reaches tests whether the user can enter the data folder's parent and run the server's binary.
func (id identity) reaches(ctx context.Context, bin Binaries, dataParent string) bool {
	cmd := exec.CommandContext(ctx, filepath.Join(bin.Dir, "postgres"), "--version") // #nosec G204 -- found by Find
	cmd.Dir = dataParent
	id.apply(cmd)
	return cmd.Run() == nil
}

func (id identity) apply(cmd *exec.Cmd) {
	if id.attr != nil {
		attr := *id.attr
		cmd.SysProcAttr = &attr
	}
}

// own makes the server's user the owner of the tree, if it is not yet.
func (id identity) own(root string) error {
	if id.uid < 0 {
		return nil
	}
	info, err := os.Stat(root)
	if err != nil {
		return fmt.Errorf("look at owner of %s: %w", root, err)
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) == id.uid {
		return nil
	}
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		return os.Lchown(path, id.uid, id.gid) // #nosec G122 -- a link is not followed, and only its owner and root may write here
	})
	if err != nil {
		return fmt.Errorf("give %s to the server's user: %w", root, err)
	}
	return nil
}

func serverUser() (uid, gid int, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, err := strconv.ParseInt(u.Uid, 10, 32)
		if err != nil {
			continue
		}
		gid, err := strconv.ParseInt(u.Gid, 10, 32)
		if err != nil {
			continue
		}
		return int(uid), int(gid), nil
	}
	return 0, 0, errors.New("PostgreSQL refuses to run as root and there is neither a user postgres nor nobody: set DATABASE_URL")
}
