package recommend

import (
	"cmp"
	"math"
	"slices"
	"time"
)

// kind is the kind of a reason, as the contract names them.
type kind string

const (
	topic          kind = "topic"
	sameTags       kind = "same_tags"
	backedTogether kind = "backed_together"
	likedTogether  kind = "liked_together"
	youBacked      kind = "you_backed"
	youLike        kind = "you_like"
	yourTags       kind = "your_tags"
	endsSoon       kind = "ends_soon"
	near           kind = "near"
	popular        kind = "popular"
)

// soon is how long before its deadline a campaign ends soon.
const soon = 3 * 24 * time.Hour

// mostOfCreator is how many suggestions may be of one creator.
const mostOfCreator = 2

// choice is one possible suggestion.
type choice struct {
	key
	score      float64
	popularity int
	deadline   *time.Time
	// sums are how much each reason speaks for it; shared are the tags and categories in common with the subject.
	sums   map[reason]float64
	shared []candidate
}

type key struct {
	id           int64
	isExperiment bool
}

// reason is why something is suggested; seed is the campaign of the reason youBacked, and that or the experiment of
// youLike.
type reason struct {
	kind kind
	seed key
}

// reader says how the sources become reasons: what leads from a seed is, for the reader themself, about what they did.
type reader struct {
	isTopic       bool // the subject is a page's topic
	backed, liked []int64
}

func (r reader) kindOf(c candidate) kind {
	switch {
	case c.Source == ownTag:
		return yourTags
	case c.Source == likedExperiment:
		return youLike
	case slices.Contains(r.backed, c.Seed):
		return youBacked
	case slices.Contains(r.liked, c.Seed):
		return youLike
	}
	switch c.Source {
	case "tag", "category":
		if r.isTopic {
			return topic
		}
		return sameTags
	case "backed":
		return backedTogether
	case "liked":
		return likedTogether
	case "near":
		return near
	case "ending":
		return endsSoon
	}
	return popular
}

// strength is how much a source speaks for a candidate: a rare tag more than a common one, many people more than few,
// and all of these more than what holds for everybody. Each is at most 2.
func (c candidate) strength(now time.Time) float64 {
	switch c.Source {
	case "tag", "category", ownTag, likedExperiment:
		return 1 / math.Log(math.E+float64(c.Weight)) // 0.76 of a tag that nothing else has, 0.24 of a common one
	case "backed":
		return 1 + float64(c.Weight)/(float64(c.Weight)+20)
	case "liked":
		return 0.6 + float64(c.Weight)/(float64(c.Weight)+40)
	case "near":
		return 0.7
	case "ending":
		if c.Deadline != nil && c.Deadline.Sub(now) > soon {
			return 0
		}
		return 0.2
	}
	return 0.1
}

// rank joins the candidates that are the same, and orders them: the best first, then the more popular, then by id.
func rank(s subject, r reader, now time.Time) []choice {
	byKey := map[key]*choice{}
	for _, c := range s.candidates {
		k, strength := key{c.ID, c.IsExperiment}, c.strength(now)
		isOver := c.Deadline != nil && !c.Deadline.After(now)
		isOther := s.onlyAbout && (c.Source == "ending" || c.Source == "popular")
		if isOver || strength == 0 || s.without[k] || isOther {
			continue
		}
		if byKey[k] == nil {
			byKey[k] = &choice{key: k, popularity: c.Popularity, deadline: c.Deadline, sums: map[reason]float64{}}
		}
		byKey[k].add(c, r.kindOf(c), strength)
	}
	ranked := make([]choice, 0, len(byKey))
	for _, c := range byKey {
		ranked = append(ranked, *c)
	}
	slices.SortFunc(ranked, func(a, b choice) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.popularity, a.popularity), cmp.Compare(a.id, b.id))
	})
	return ranked
}

// add counts one source. Tags in common add up to one reason: two say more than one.
func (c *choice) add(from candidate, kind kind, strength float64) {
	c.score += strength
	why := reason{kind: kind}
	if kind == youBacked || kind == youLike {
		why.seed = key{from.Seed, from.Source == likedExperiment}
	}
	c.sums[why] += strength
	if kind == sameTags || kind == topic || kind == yourTags {
		c.shared = append(c.shared, from)
	}
}

// reason is the one that speaks most for it.
func (c *choice) reason() (best reason) {
	for why, sum := range c.sums {
		if order := cmp.Or(cmp.Compare(sum, c.sums[best]), why.compare(best)); order > 0 {
			best = why
		}
	}
	return best
}

// compare orders reasons that speak equally much, so that it is always the same one that is told: by kind, then the newest
// seed, an experiment before a campaign of the same id.
func (r reason) compare(other reason) int {
	rank := map[bool]int{true: 1}
	return cmp.Or(cmp.Compare(other.kind, r.kind), cmp.Compare(r.seed.id, other.seed.id),
		cmp.Compare(rank[r.seed.isExperiment], rank[other.seed.isExperiment]))
}

// rarest are the tags or categories in common with the subject, the rarest first.
func (c *choice) rarest() []candidate {
	return slices.SortedFunc(slices.Values(c.shared), func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.Weight, b.Weight), cmp.Compare(a.Tag, b.Tag))
	})
}
