//go:build unix

package main

import (
	"archive/tar"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// user owns what an image may write, and runs its program: nobody of the host's.
const user = 65532

// source is what one image is made from.
type source struct {
	program string            // the binary; it becomes the entrypoint
	files   map[string]string // files and folders of the host by their path in the image
	command []string
	env     []string
}

// image puts three layers on nothing: what all images share, the folders, the program.
func (s source) image(called string, of release) (v1.Image, error) {
	binary := path.Base(s.program)
	shared, err := sharedFiles()
	if err != nil {
		return nil, err
	}
	folders := contents{}
	for to, from := range s.files {
		if err := folders.add(to, from); err != nil {
			return nil, err
		}
	}
	program := contents{}
	if err := program.addFile(binary, s.program, 0o755); err != nil {
		return nil, err
	}
	made := mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON)
	for _, c := range []contents{shared, folders, program} {
		if len(c) == 0 {
			continue
		}
		layer, err := c.layer()
		if err != nil {
			return nil, err
		}
		if made, err = mutate.AppendLayers(made, layer); err != nil {
			return nil, fmt.Errorf("add a layer: %w", err)
		}
	}
	config, err := made.ConfigFile()
	if err != nil {
		return nil, fmt.Errorf("read the image's configuration: %w", err)
	}
	config = config.DeepCopy()
	config.OS, config.Architecture, config.Created = "linux", of.arch, v1.Time{Time: of.time}
	config.Config = v1.Config{
		User: fmt.Sprintf("%d:%d", user, user), Entrypoint: []string{"/" + binary}, Cmd: s.command, Env: s.env,
		Labels: map[string]string{
			"org.opencontainers.image.title":    "talkoot-" + called,
			"org.opencontainers.image.version":  of.version,
			"org.opencontainers.image.revision": of.revision,
			"org.opencontainers.image.created":  of.time.Format(time.RFC3339),
			"org.opencontainers.image.licenses": "MIT",
		},
	}
	if made, err = mutate.ConfigFile(made, config); err != nil {
		return nil, fmt.Errorf("configure the image: %w", err)
	}
	return made, nil
}

// contents are a layer's files by path.
type contents map[string]entry

type entry struct {
	mode fs.FileMode
	own  bool   // owned by the user of the image, not by root
	data []byte // nil for a folder
}

// sharedFiles are what programs expect of a system: trusted certificates, and folders to write to.
func sharedFiles() (contents, error) {
	certificates, err := trusted()
	if err != nil {
		return nil, err
	}
	return contents{
		"etc/ssl/certs/ca-certificates.crt": {mode: 0o644, data: certificates},
		"etc/passwd":                        {mode: 0o644, data: fmt.Appendf(nil, "talkoot:x:%d:%d::/:/\n", user, user)},
		"data":                              {mode: fs.ModeDir | 0o750, own: true}, // a new volume takes its owner
		"tmp":                               {mode: fs.ModeDir | fs.ModeSticky | 0o777},
	}, nil
}

func (c contents) addFile(to, from string, mode fs.FileMode) error {
	data, err := os.ReadFile(from) // #nosec G304 -- a file of the checkout
	if err != nil {
		return fmt.Errorf("read what goes into the image: %w", err)
	}
	c[to] = entry{mode: mode, data: data}
	return nil
}

func (c contents) add(to, from string) error {
	return filepath.WalkDir(from, func(file string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		relative, err := filepath.Rel(from, file)
		if err != nil {
			return fmt.Errorf("name a file of the image: %w", err)
		}
		return c.addFile(path.Join(to, filepath.ToSlash(relative)), file, 0o644)
	})
}

// layer has the files by name, with their folders before them, all as old as 1970.
func (c contents) layer() (v1.Layer, error) {
	all := maps.Clone(c)
	for name := range c {
		for folder := path.Dir(name); folder != "."; folder = path.Dir(folder) {
			if _, there := all[folder]; !there {
				all[folder] = entry{mode: fs.ModeDir | 0o755}
			}
		}
	}
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		e := all[name]
		header := tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: int64(e.mode.Perm()), Size: int64(len(e.data)), ModTime: time.Unix(0, 0)}
		if e.mode.IsDir() {
			header.Name, header.Typeflag = name+"/", tar.TypeDir
		}
		if e.mode&fs.ModeSticky != 0 {
			header.Mode |= 0o1000
		}
		if e.own {
			header.Uid, header.Gid = user, user
		}
		if err := w.WriteHeader(&header); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
		if _, err := w.Write(e.data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", name, err)
		}
	}
	if err := w.Close(); err != nil {
		return nil, fmt.Errorf("pack a layer: %w", err)
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(packed.Bytes())), nil
	}, tarball.WithMediaType(types.OCILayer))
	if err != nil {
		return nil, fmt.Errorf("make a layer: %w", err)
	}
	return layer, nil
}

// write writes the layouts, the archive of all images and their digests.
func write(images map[string]v1.Image, dir string, of release) (map[string]string, error) {
	digests, refs := map[string]string{}, map[name.Reference]v1.Image{}
	var list strings.Builder
	for _, called := range slices.Sorted(maps.Keys(images)) {
		to, err := layout.Write(filepath.Join(dir, called), empty.Index)
		if err != nil {
			return nil, fmt.Errorf("write layout of %s: %w", called, err)
		}
		ref, err := name.NewTag(prefix + called + ":" + of.version)
		if err != nil {
			return nil, fmt.Errorf("name image %s: %w", called, err)
		}
		if err := to.AppendImage(images[called], layout.WithAnnotations(map[string]string{
			"org.opencontainers.image.ref.name": of.version,
		})); err != nil {
			return nil, fmt.Errorf("write image %s: %w", called, err)
		}
		digest, err := images[called].Digest()
		if err != nil {
			return nil, fmt.Errorf("digest of %s: %w", called, err)
		}
		digests[called], refs[ref] = digest.String(), images[called]
		fmt.Fprintf(&list, "%s %s\n", prefix+called+":"+of.version, digest)
	}
	if err := tarball.MultiRefWriteToFile(filepath.Join(dir, "images.tar"), refs); err != nil {
		return nil, fmt.Errorf("write archive of all images: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "digests.txt"), []byte(list.String()), 0o600); err != nil {
		return nil, fmt.Errorf("write digests: %w", err)
	}
	return digests, nil
}
