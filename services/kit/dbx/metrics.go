package dbx

import (
	"fmt"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"gorm.io/gorm"
)

// RegisterPool shows this process's pool of connections among its metrics: how many are in use, and how long callers waited for one.
func RegisterPool(metrics *prometheus.Registry, db *gorm.DB, database string) error {
	pool, err := db.DB()
	if err != nil {
		return fmt.Errorf("find the pool of connections: %w", err)
	}
	if err := metrics.Register(collectors.NewDBStatsCollector(pool, database)); err != nil {
		return fmt.Errorf("show the pool of connections: %w", err)
	}
	return nil
}
