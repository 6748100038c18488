package app_test

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing/fstest"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/session"

	"talkoot.fi/content/internal/media/files"
	"talkoot.fi/content/internal/person/secondstep"
	"talkoot.fi/content/internal/person/sessions"
	"talkoot.fi/content/internal/seed"
	"talkoot.fi/content/internal/zone"
	"talkoot.fi/content/migrations"
)

const demoDir = "../../../../scripts/demo"

// demo is a database with the demo content: most tests here begin with it, and making it takes longer than they do.
var demo = dbtest.Filled{Migrations: migrations.FS, Fill: fillDemo}

// demoPictures are the files of the store that belong to it.
var demoPictures = fstest.MapFS{}

func fillDemo(ctx context.Context, db *gorm.DB) (err error) {
	folder, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	media := filepath.Join(folder, "media")
	store, err := openStore(ctx, media)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	location, err := zone.Load()
	if err != nil {
		return err
	}
	steps, err := secondstep.New(secondstep.Options{DB: db, Now: time.Now, Keys: sessions.SealsOf(session.NewSigner(signingKey, time.Now)),
		PublicURL: publicURL})
	if err != nil {
		return err
	}
	err = seed.Fill(ctx, seed.Options{DB: db, Files: store, Steps: steps, Log: slog.New(slog.DiscardHandler), Now: time.Now, Zone: location,
		Dir: demoDir})
	if err != nil {
		return err
	}
	return fs.WalkDir(os.DirFS(media), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(media, path))
		demoPictures[path] = &fstest.MapFile{Data: data, Mode: 0o600}
		return err
	})
}

func openStore(ctx context.Context, folder string) (*files.Store, error) {
	return files.Open(ctx, files.Options{BlobURL: "file://" + folder, Log: slog.New(slog.DiscardHandler), Now: time.Now})
}
