package files

import (
	"context"
	"fmt"
	"net/url"
)

// Bucket keeps blobs under keys of letters, digits, dots, hyphens and slashes. It is safe for concurrent use.
type Bucket interface {
	// Exists reports whether there is a blob.
	Exists(ctx context.Context, key string) (bool, error)
	// Read returns a blob; fs.ErrNotExist when there is none.
	Read(ctx context.Context, key string) ([]byte, error)
	// Write stores a blob completely or not at all, in the place of one that is there.
	Write(ctx context.Context, key string, data []byte, contentType string) error
	// List returns the keys that begin with a prefix, which ends in a slash.
	List(ctx context.Context, prefix string) ([]string, error)
	// Remove deletes a blob; there need not be one.
	Remove(ctx context.Context, key string) error
	// Close releases the bucket; calls under way may fail.
	Close() error
}

// Opener opens the bucket that a URL names.
type Opener func(ctx context.Context, address string) (Bucket, error)

// openBucket opens a folder itself (file:///path, made when missing), and leaves other schemes to others, if there are any.
func openBucket(ctx context.Context, address string, others Opener) (Bucket, error) {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return nil, fmt.Errorf("read blob URL: %w", err)
	case u.Scheme == "":
		return nil, fmt.Errorf("blob URL %q needs a scheme, such as file:///var/lib/talkoot/files", address)
	case u.Scheme == "file" && (u.Host != "" || u.RawQuery != ""):
		return nil, fmt.Errorf("blob URL %q: a folder is file:///path, and nothing else", address)
	case u.Scheme == "file":
		return openFolder(u.Path)
	case others == nil:
		return nil, fmt.Errorf("blob URL %q: this program was built without object storage (-tags cloud)", address)
	}
	return others(ctx, address)
}
