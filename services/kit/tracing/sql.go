package tracing

import (
	"context"
	"strings"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
)

type statementKey struct{}

// Statement begins the span of a statement, if ctx belongs to a trace that is kept; the context it gives is for StatementEnded.
// The span's name is what the statement does and to which table first.
func Statement(ctx context.Context, sql string) context.Context {
	t := current.Load()
	if t == nil || !trace.SpanFromContext(ctx).IsRecording() {
		return ctx
	}
	_, span := t.Start(ctx, summary(sql), trace.WithSpanKind(trace.SpanKindClient),
		trace.WithAttributes(attribute.String("db.system.name", "postgresql")))
	return context.WithValue(ctx, statementKey{}, span)
}

// StatementEnded ends the span of a statement.
func StatementEnded(ctx context.Context, rows int64, failed bool) {
	if !On() {
		return
	}
	span, ok := ctx.Value(statementKey{}).(trace.Span)
	if !ok {
		return
	}
	span.SetAttributes(attribute.Int64("db.response.returned_rows", rows))
	if failed {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// lookAt bounds how many words of a statement are looked at.
const lookAt = 400

// summary is what a statement does and the first table that it writes, or else the outermost that it reads, or the function that it calls.
func summary(sql string) string {
	var did, read, before, beforeThat string
	n, depth, readAt := 0, 0, lookAt
	for word := range strings.FieldsSeq(sql) {
		if n++; n > lookAt {
			break
		}
		if did == "" {
			did = strings.ToUpper(strings.Trim(word, "();"))
		}
		table := tableIn(word)
		switch {
		case before == "INTO" && table != "":
			return "INSERT " + table
		case before == "UPDATE" && table != "":
			return "UPDATE " + table
		case before == "FROM" && beforeThat == "DELETE" && table != "":
			return "DELETE " + table
		case before == "FROM" && table != "" && depth < readAt:
			read, readAt = table, depth
		case n == 2 && did == "SELECT":
			if called, _, isCall := strings.Cut(word, "("); isCall && tableIn(called) != "" {
				read = called + "()"
			}
		}
		depth += strings.Count(word, "(") - strings.Count(word, ")")
		beforeThat, before = before, strings.Trim(word, "(")
	}
	switch {
	case read == "":
		return did
	case did == "WITH":
		did = "SELECT"
	}
	return did + " " + read
}

// tableIn is a word that can be a table's name: small letters, digits and underscores, quoted or not.
func tableIn(word string) string {
	name := strings.Trim(word, `"(),;`)
	if name == "" || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz_0123456789.") != "" {
		return ""
	}
	return name
}
