//go:build unix

package main

import (
	"fmt"
	"io"
	"strings"
	"time"
)

// line is a row of the report.
type line struct {
	name, measured, reference, ratio, bar string
	met                                   string // yes, no, or a dash for rows without a bar
}

// table is the report.
type table struct{ lines []line }

func verdict(met bool) string {
	if met {
		return "yes"
	}
	return "no"
}

// atLeast adds a row whose ratio must not be below bar.
func (t *table) atLeast(name string, measured, reference, bar float64, unit, against string) {
	ratio := measured / reference
	t.lines = append(t.lines, line{name, fmt.Sprintf("%.0f %s", measured, unit),
		fmt.Sprintf("%.0f %s, %s", reference, unit, against),
		fmt.Sprintf("%.2f", ratio), fmt.Sprintf("≥ %.2f", bar), verdict(ratio >= bar)})
}

// unrated adds a row without a bar.
func (t *table) unrated(name string, measured, reference float64, unit, against string) {
	t.lines = append(t.lines, line{name, fmt.Sprintf("%.0f %s", measured, unit),
		fmt.Sprintf("%.0f %s, %s", reference, unit, against),
		fmt.Sprintf("%.2f", measured/reference), "–", "–"})
}

// slower adds a row about latency, whose ratio must not be above bar.
func (t *table) slower(name string, measured, reference time.Duration, bar float64, against string) {
	ratio := float64(measured) / float64(reference)
	t.lines = append(t.lines, line{name, ms(measured), ms(reference) + ", " + against, fmt.Sprintf("%.2f", ratio),
		fmt.Sprintf("≤ %.2f", bar), verdict(ratio <= bar)})
}

// slowerAtP95 adds a row about latencies, of which the 95th percentile must not be above bar times the reference's. It
// shows the 50th, the 95th and the 99th.
func (t *table) slowerAtP95(name string, measured, reference latencies, bar float64, against string) {
	ratio := float64(measured.at(0.95)) / float64(reference.at(0.95))
	t.lines = append(t.lines, line{name, measured.summary(), reference.summary() + ", " + against, fmt.Sprintf("%.2f", ratio),
		fmt.Sprintf("≤ %.2f", bar), verdict(ratio <= bar)})
}

func (l latencies) summary() string {
	return fmt.Sprintf("p50 %s, p95 %s, p99 %s", ms(l.at(0.5)), ms(l.at(0.95)), ms(l.at(0.99)))
}

// below adds a row of an absolute figure.
func (t *table) below(name string, measured, bar float64, unit string) {
	t.lines = append(t.lines, line{name, fmt.Sprintf("%.2f %s", measured, unit), "–", "–",
		fmt.Sprintf("≤ %g %s", bar, unit), verdict(measured <= bar)})
}

func ms(d time.Duration) string { return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000) }

// growth compares the reads of the smallest and the largest size.
func (t *table) growth(o options, reads map[int]map[string]latencies) {
	small, large := o.sizes[0], o.sizes[len(o.sizes)-1]
	if small == large || reads[small] == nil {
		return
	}
	against := fmt.Sprintf("at %d", small)
	for _, name := range readNames() {
		few, many := reads[small][name], reads[large][name]
		if o.wants("growth") {
			t.slower(fmt.Sprintf("growth: p50 of %s at %d", name, large), many.at(0.5), few.at(0.5), 1.5, against)
		}
		if name == keywordRead && o.wants("keyword") {
			t.slower(fmt.Sprintf("keyword search: p95 at %d", large), many.at(0.95), few.at(0.95), 3, against)
		}
	}
}

func (t *table) write(out io.Writer) error {
	rows := []string{"| what | measured | reference | ratio | bar | met |", "| --- | ---: | ---: | ---: | ---: | --- |"}
	for _, l := range t.lines {
		rows = append(rows, fmt.Sprintf("| %s | %s | %s | %s | %s | %s |", l.name, l.measured, l.reference, l.ratio, l.bar,
			l.met))
	}
	_, err := fmt.Fprintln(out, strings.Join(rows, "\n"))
	return err
}
