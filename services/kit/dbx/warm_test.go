package dbx_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"gorm.io/gorm"

	"talkoot.fi/kit/dbtest"
	"talkoot.fi/kit/dbx"
)

func TestKeepWarm_KeepsSomeConnectionsAndLetsTheOthersGo(t *testing.T) {
	db := dbtest.New(t, schema).Gorm
	pool, err := db.DB()
	if err != nil {
		t.Fatal(err)
	}
	before := processes(t, db, 4)
	pool.SetConnMaxIdleTime(2 * time.Second)
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	ended := make(chan error, 1)
	go func() { ended <- dbx.KeepWarmEvery(ctx, db, 2, 10*time.Millisecond) }()
	for pool.Stats().OpenConnections > 2 {
		if ctx.Err() != nil {
			t.Fatal("the others, given back at the same time, stay")
		}
		time.Sleep(10 * time.Millisecond)
	}
	after := processes(t, db, 2)
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
	for _, process := range after {
		if !slices.Contains(before, process) {
			t.Errorf("process %d of PostgreSQL is new; before there were %d", process, before)
		}
	}
}

// processes are those of so many connections, taken at once.
func processes(t *testing.T, db *gorm.DB, count int) (list []int) {
	t.Helper()
	for range count {
		tx := db.Begin()
		defer tx.Rollback()
		var process int
		if err := tx.Raw("SELECT pg_backend_pid()").Scan(&process).Error; err != nil {
			t.Fatal(err)
		}
		list = append(list, process)
	}
	return list
}
