package app

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/prometheus/client_golang/prometheus"

	"talkoot.fi/kit/dbx"
	"talkoot.fi/kit/httpx"
)

// replicaTimeout is how long an answer may be made from the replica, before the primary is asked: it may have gone silent.
const replicaTimeout = time.Second

// replicaReads makes the answers that all get alike from the replica, and no others: who is signed in, pays or writes reads the
// primary.
type replicaReads struct {
	replica *dbx.Replica // nil when there is none
	reads   *prometheus.CounterVec
}

// newReplicaReads registers the replica's metrics too.
func newReplicaReads(replica *dbx.Replica, metrics *prometheus.Registry) replicaReads {
	if replica == nil {
		return replicaReads{}
	}
	reads := prometheus.NewCounterVec(prometheus.CounterOpts{Name: "talkoot_content_replica_reads_total",
		Help: "Public answers by where they were read: replica, primary (the replica was behind or away), " +
			"again (the replica failed, the primary answered)."}, []string{"from"})
	used := prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: "talkoot_content_replica_used",
		Help: "1 while public answers are read from the replica."}, func() float64 {
		if _, ok := replica.Behind(); ok {
			return 1
		}
		return 0
	})
	metrics.MustRegister(reads, used)
	return replicaReads{replica, reads}
}

// middleware runs inside of the cache. No error is the replica's word: a list that is a moment old is one, a campaign that is not there
// yet is another matter, and a replica may be away.
func (s replicaReads) middleware(next echo.HandlerFunc) echo.HandlerFunc {
	if s.replica == nil {
		return next
	}
	return func(c echo.Context) error {
		r := c.Request()
		if !httpx.ForShared(r.Context()) {
			return next(c)
		}
		behind, ok := s.replica.Behind()
		if !ok {
			s.reads.WithLabelValues("primary").Inc()
			return next(c)
		}
		httpx.MadeFromOlder(r.Context(), behind)
		ctx, cancel := context.WithTimeout(s.replica.Reads(r.Context()), replicaTimeout)
		defer cancel()
		c.SetRequest(r.WithContext(ctx))
		err := next(c)
		c.SetRequest(r)
		if err == nil || c.Response().Committed {
			s.reads.WithLabelValues("replica").Inc()
			return err
		}
		if dbx.IsUnavailable(err) {
			s.replica.Doubt()
		}
		s.reads.WithLabelValues("again").Inc()
		httpx.MadeFromOlder(r.Context(), 0)
		return next(c)
	}
}
