//go:build unix

package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// usage is what something has used.
type usage struct {
	took         time.Duration
	cpu          [len(costly)]time.Duration
	redisCPU     time.Duration
	postgres     [2]time.Duration // sessions of content and payments
	postgresRest time.Duration    // what no session's is: checkpoints, the WAL, vacuum, sessions that have ended
	statements   [2]float64
	wal          float64 // bytes
	fullPages    float64
	multixacts   float64
	xids         float64
	redis        float64
	provider     float64
	moved        float64
	visitors     float64
}

// times is so many of it: an idle share of a longer time, or the part of one in n.
func (u usage) times(n float64) usage {
	t := func(d time.Duration) time.Duration { return time.Duration(float64(d) * n) }
	u.took, u.redisCPU, u.postgresRest = t(u.took), t(u.redisCPU), t(u.postgresRest)
	for i := range u.cpu {
		u.cpu[i] = t(u.cpu[i])
	}
	for i := range u.postgres {
		u.postgres[i], u.statements[i] = t(u.postgres[i]), u.statements[i]*n
	}
	u.wal, u.fullPages, u.multixacts, u.redis, u.moved, u.visitors = u.wal*n, u.fullPages*n, u.multixacts*n, u.redis*n, u.moved*n, u.visitors*n
	u.xids, u.provider = u.xids*n, u.provider*n
	return u
}

// plus is both together; with other.times(-1) what is left.
func (u usage) plus(other usage) usage {
	u.took, u.redisCPU, u.postgresRest = u.took+other.took, u.redisCPU+other.redisCPU, u.postgresRest+other.postgresRest
	for i := range u.cpu {
		u.cpu[i] += other.cpu[i]
	}
	for i := range u.postgres {
		u.postgres[i], u.statements[i] = u.postgres[i]+other.postgres[i], u.statements[i]+other.statements[i]
	}
	u.xids, u.provider = u.xids+other.xids, u.provider+other.provider
	u.wal, u.fullPages, u.multixacts = u.wal+other.wal, u.fullPages+other.fullPages, u.multixacts+other.multixacts
	u.redis, u.moved, u.visitors = u.redis+other.redis, u.moved+other.moved, u.visitors+other.visitors
	return u
}

// unit is what one of something uses and leaves behind.
type unit struct {
	name string
	n    int
	usage
	rows map[string]rowChange // by table, of all n
}

// rowChange is how many rows of a table came, and how many versions of rows were written.
type rowChange struct{ stays, written float64 }

// writeUnits prints the units as two tables of Markdown: processor time, and the rest. bytes has those of a row by table, its indexes
// included.
func writeUnits(out io.Writer, units []unit, bytes map[string]float64) error {
	cpu := []string{"| CPU ms of one | content | its worker | payments | its worker | PostgreSQL: content | payments | its own | Redis |",
		"| --- |" + strings.Repeat(" ---: |", 8)}
	rest := []string{"| one | statements: content | payments | transactions | multixacts | WAL kB | of it whole pages | " +
		"Redis commands | provider calls | with visitors kB | moved kB | rows | stored kB |",
		"| --- |" + strings.Repeat(" ---: |", 12)}
	row := func(name string, cells ...float64) string {
		text := "| " + name + " |"
		for _, c := range cells {
			text += " " + figure(c) + " |"
		}
		return text
	}
	milli := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	for _, u := range units {
		one := u.times(1 / float64(u.n))
		var rows, stored float64
		for table, r := range u.rows {
			rows += r.stays / float64(u.n)
			stored += r.stays / float64(u.n) * bytes[table] / 1000
		}
		cpu = append(cpu, row(u.name, milli(one.cpu[0]), milli(one.cpu[1]), milli(one.cpu[2]), milli(one.cpu[3]),
			milli(one.postgres[0]), milli(one.postgres[1]), milli(one.postgresRest), milli(one.redisCPU)))
		rest = append(rest, row(u.name, one.statements[0], one.statements[1], one.xids, one.multixacts, one.wal/1000, one.fullPages*pageBytes/1000,
			one.redis, one.provider, one.visitors/1000, one.moved/1000, rows, stored))
	}
	_, err := fmt.Fprintf(out, "%s\n\n%s\n", strings.Join(cpu, "\n"), strings.Join(rest, "\n"))
	return err
}

// pageBytes is the size of PostgreSQL's pages.
const pageBytes = 8192

// figure is a number with three digits that say something.
func figure(v float64) string {
	switch {
	case v < 0.005:
		return "0"
	case v < 0.995:
		return fmt.Sprintf("%.2f", v)
	case v < 9.95:
		return fmt.Sprintf("%.1f", v)
	default:
		return fmt.Sprintf("%.0f", v)
	}
}
