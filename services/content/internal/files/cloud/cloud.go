// Package cloud keeps pictures in object storage, through gocloud.dev/blob.
//
// It is a package of its own because that library brings gRPC, protobuf and OpenTelemetry's SDK along, which take longer
// to compile than the whole content service: programs have it only when they are built with -tags cloud. Of drivers none is
// linked in; for s3://bucket?region=… import gocloud.dev/blob/s3blob here.
package cloud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"talkoot.fi/content/internal/files"
)

// Open is a files.Opener of every scheme that has a driver.
func Open(ctx context.Context, address string) (files.Bucket, error) {
	b, err := blob.OpenBucket(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("open object storage: %w", err)
	}
	return bucket{b}, nil
}

type bucket struct{ *blob.Bucket }

func (b bucket) Read(ctx context.Context, key string) ([]byte, error) {
	data, err := b.ReadAll(ctx, key)
	if gcerrors.Code(err) == gcerrors.NotFound {
		return nil, errors.Join(fs.ErrNotExist, err)
	}
	return data, err
}

// Write cancels the writer after a failure: closing it would store what has come so far.
func (b bucket) Write(ctx context.Context, key string, data []byte, contentType string) error {
	ctx, cancel := context.WithCancel(ctx)
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
	if err := b.Delete(ctx, key); err != nil && gcerrors.Code(err) != gcerrors.NotFound {
		return err
	}
	return nil
}
