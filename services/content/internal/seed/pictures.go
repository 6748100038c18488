package seed

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"strings"

	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/writing/richtext"
)

// pictures stores the demo's artwork when it is first needed.
type pictures struct {
	store  *files.Store
	dir    *os.Root
	stored map[string]string // name under /media by file
}

func newPictures(store *files.Store, dir *os.Root) *pictures {
	return &pictures{store: store, dir: dir, stored: map[string]string{}}
}

// put stores a drawing of art/<folder>/ and returns its name under /media; an empty file gives an empty name. Names
// carry a hash of the content, because a name never changes its content.
func (p *pictures) put(ctx context.Context, folder, file string) (string, error) {
	if file == "" {
		return "", nil
	}
	from := path.Join("art", folder, file)
	if name, ok := p.stored[from]; ok {
		return name, nil
	}
	svg, err := p.dir.ReadFile(from)
	if err != nil {
		return "", fmt.Errorf("read artwork: %w", err)
	}
	sum := sha256.Sum256(svg)
	name := "art-" + strings.TrimSuffix(file, ".svg") + "-" + hex.EncodeToString(sum[:4]) + ".svg"
	if err := p.store.PutDrawing(ctx, name, svg); err != nil {
		return "", fmt.Errorf("store %s: %w", from, err)
	}
	p.stored[from] = name
	return name, nil
}

// story makes a document of blocks, with their pictures stored.
func (p *pictures) story(ctx context.Context, blocks []richtext.Block) (richtext.Doc, error) {
	named := make([]richtext.Block, len(blocks))
	copy(named, blocks)
	for i := range named {
		var err error
		if named[i].Image, err = p.put(ctx, "scenes", named[i].Image); err != nil {
			return richtext.Doc{}, err
		}
	}
	return richtext.FromBlocks(named)
}
