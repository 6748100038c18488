// Package cloud keeps pictures in object storage that speaks S3, through gocloud.dev/blob.
//
// It is a package of its own because that library and the driver bring gRPC, protobuf and OpenTelemetry's SDK along, which take longer
// to compile than the whole content service: programs have it only when they are built with -tags cloud. Another kind of
// storage is one more driver linked in here.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"gocloud.dev/blob"
	_ "gocloud.dev/blob/s3blob" // s3://bucket?region=…
	"gocloud.dev/gcerrors"

	"talkoot.fi/content/internal/media/files"
)

// How long one call may take, tries again included. The driver has no bound of its own: a storage that takes connections
// and says nothing would hold requests, and the two places of the decoder, until their readers give up.
const (
	callTimeout  = 5 * time.Second
	writeTimeout = 20 * time.Second // of a few megabytes
)

// Open is a files.Opener of every scheme that has a driver. It fails where a bucket answers and there is none, or we may not list
// it: those are mistakes of the configuration. A storage that does not answer is none: everything but pictures works meanwhile.
func Open(ctx context.Context, address string) (files.Bucket, error) {
	b, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open object storage: %w", err)
	}
	asked, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	there, err := b.IsAccessible(asked)
	switch {
	case err == nil && !there:
		err = errors.New("there is no such bucket, or it may not be listed")
	case gcerrors.Code(err) != gcerrors.PermissionDenied:
		err = nil
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open object storage: %w", err), b.Close())
	}
	return bucket{b, callTimeout, writeTimeout}, nil
}

type bucket struct {
	*blob.Bucket
	call, write time.Duration // bounds of one call
}

func (b bucket) Exists(ctx context.Context, key string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, b.call)
	defer cancel()
	return b.Bucket.Exists(ctx, key)
}

func (b bucket) Read(ctx context.Context, key string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, b.call)
	defer cancel()
	data, err := b.ReadAll(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, errors.Join(fs.ErrNotExist, err)
	}
	return data, err
}

// Write cancels the writer after a failure: closing it would store what has come so far.
func (b bucket) Write(ctx context.Context, key string, data []byte, contentType string) error {
	ctx, cancel := context.WithTimeout(ctx, b.write)
	defer cancel()
	writer, err := b.NewWriter(ctx, key, &blob.WriterOptions{ContentType: contentType})
	if err != nil {
		return err
	}
	if _, err := writer.Write(data); err != nil {
		cancel()
		_ = writer.Close() // its error is only the cancellation
		return err
	}
	return writer.Close()
}

func (b bucket) List(ctx context.Context, prefix string) (keys []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, b.call)
	defer cancel()
	for list := b.Bucket.List(&blob.ListOptions{Prefix: prefix}); ; {
		object, err := list.Next(ctx)
		if errors.Is(err, io.EOF) {
			return keys, nil
		}
		if err != nil {
			return nil, err
		}
		keys = append(keys, object.Key)
	}
}

func (b bucket) Remove(ctx context.Context, key string) error {
	ctx, cancel := context.WithTimeout(ctx, b.call)
	defer cancel()
	if err := b.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return nil
}
