package stripe

import (
	"regexp"
	"strconv"
	"strings"
)

// searchResult is Stripe's search object. Here it is consistent at once; Stripe's is not.
type searchResult struct {
	Object   string  `json:"object"`
	Data     []any   `json:"data"`
	HasMore  bool    `json:"has_more"`
	NextPage *string `json:"next_page"`
	URL      string  `json:"url"`
}

// clause is one comparison of a search query.
type clause struct {
	field, key, op, value string
	negated               bool
}

var clausePattern = regexp.MustCompile(`^(-?)([a-z_]+)(?:\[["']([^"']*)["']\])?(:|~|>=|<=|>|<)(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([0-9]+|null))`)

// parseSearch reads Stripe's search language: clauses joined by AND or by OR, not both.
func parseSearch(query string) (clauses []clause, anyOf bool, err error) {
	rest, joiner := strings.TrimSpace(query), ""
	for {
		m := clausePattern.FindStringSubmatch(rest)
		if m == nil {
			return nil, false, invalidParam("query", "", "We were unable to parse your search query near: "+rest)
		}
		clauses = append(clauses, clause{negated: m[1] == "-", field: m[2], key: m[3], op: m[4], value: m[5] + m[6] + m[7]})
		if rest = strings.TrimSpace(rest[len(m[0]):]); rest == "" {
			return clauses, joiner == "OR", nil
		}
		word, after, _ := strings.Cut(rest, " ")
		if word = strings.ToUpper(word); word != "AND" && word != "OR" { // a space means AND
			word, after = "AND", rest
		}
		if joiner != "" && joiner != word {
			return nil, false, invalidParam("query", "", "You may not combine AND and OR in one query.")
		}
		joiner, rest = word, strings.TrimSpace(after)
	}
}

func searchParams() fields {
	return fields{"query": text().must(), "limit": integer(), "page": text()}
}

// searchPage answers a search over all objects of a kind, newest first.
func searchPage[T any](c *call, k kind[T], visible func(*T) bool, columns map[string]func(*T) string, meta func(*T) (int64, map[string]string)) (any, error) {
	clauses, anyOf, err := parseSearch(c.p.text("query"))
	if err != nil {
		return nil, err
	}
	for _, cl := range clauses {
		if columns[cl.field] == nil && cl.field != "metadata" && cl.field != "created" {
			return nil, invalidParam("query", "", "Field `"+cl.field+"` is an unsupported search field for resource `"+k.noun+"`.")
		}
	}
	q := pageQuery{limit: 10, startingAfter: c.p.text("page")}
	if c.p.has("limit") {
		q.limit = int(c.p.integer("limit"))
	}
	if q.limit < 1 || q.limit > 100 {
		return nil, invalidParam("limit", "", "limit must be between 1 and 100")
	}
	found, more, err := k.page(c.tx, q, func(o *T) bool {
		if visible != nil && !visible(o) {
			return false
		}
		created, labels := meta(o)
		for _, cl := range clauses {
			held, present := strconv.FormatInt(created, 10), true
			switch cl.field {
			case "created":
			case "metadata":
				held, present = labels[cl.key]
			default:
				held = columns[cl.field](o)
				present = held != ""
			}
			if cl.matches(held, present) == anyOf {
				return anyOf
			}
		}
		return !anyOf
	})
	if err != nil {
		return nil, err
	}
	out := searchResult{Object: "search_result", Data: make([]any, 0, len(found)), HasMore: more, URL: c.path}
	for _, o := range found {
		out.Data = append(out.Data, o)
	}
	if more {
		next := k.ID(found[len(found)-1])
		out.NextPage = &next
	}
	return out, nil
}

func (cl clause) matches(held string, present bool) bool {
	ok := false
	switch cl.op {
	case ":":
		ok = strings.EqualFold(held, cl.value) && present || cl.value == "null" && !present
	case "~":
		ok = present && strings.Contains(strings.ToLower(held), strings.ToLower(cl.value))
	default:
		a, err1 := strconv.ParseInt(held, 10, 64)
		b, err2 := strconv.ParseInt(cl.value, 10, 64)
		ok = err1 == nil && err2 == nil && present &&
			(cl.op == ">" && a > b || cl.op == "<" && a < b || cl.op == ">=" && a >= b || cl.op == "<=" && a <= b)
	}
	return ok != cl.negated
}
