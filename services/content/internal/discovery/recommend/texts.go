package recommend

import (
	"fmt"
	"strings"
	"time"

	"talkoot.fi/content/internal/api"
)

// words are the texts of a language. They are here and not among the app's, because the widget has none of those.
type words struct {
	topic, tags, backed, liked, youBacked, youLike, yourTags, near, popular string
	// ends says when a campaign ends: today, tomorrow, or on a day, as time.Format has it. A number of days would be another
	// one than that of the time left.
	endsToday, endsTomorrow, endsOn string
	// Time left and kinds, beside the progress.
	day, days, hours, monthly, idea, running string
	heading, why, aboutYou, privacy, nothing string
	all                                      string
	// Where reasons come from.
	fromTopic, fromPlace, fromBackers, fromEnd, fromPopular string
}

var texts = map[string]words{
	"fi": {topic: "Aiheesta %s", tags: "Sama aihe: %s", backed: "Moni tukee molempia", liked: "Moni tykkää molemmista",
		youBacked: "Koska tuit: %s", youLike: "Koska tykkäsit: %s", yourTags: "Avainsanoistasi: %s", near: "Lähellä: %s",
		popular:   "Suosittu juuri nyt",
		endsToday: "Päättyy tänään", endsTomorrow: "Päättyy huomenna", endsOn: "Päättyy 2.1.",
		day: "1 pv jäljellä", days: "%d pv jäljellä", hours: "%d h jäljellä", monthly: "Kuukausituki",
		idea: "Kokeilu alkamassa", running: "Kokeilu käynnissä", heading: "Lähde mukaan", why: "Miksi nämä?",
		aboutYou: "Sinusta emme tiedä mitään.", privacy: "Ei evästeitä, ei seurantaa",
		nothing: "Tästä aiheesta on hiljaista", all: "Katso, mitä on auki", fromTopic: "Sivun aihe: %s",
		fromPlace: "Sivun paikka: %s", fromBackers: "Samat tukijat, nimettömänä laskettu", fromEnd: "Päättyy pian",
		fromPopular: "Suosittu juuri nyt"},
	"en": {topic: "About %s", tags: "Same topic: %s", backed: "Many back both", liked: "Many like both",
		youBacked: "Because you backed %s", youLike: "Because you like %s", yourTags: "From your tags: %s", near: "Nearby: %s",
		popular:   "Popular right now",
		endsToday: "Ends today", endsTomorrow: "Ends tomorrow", endsOn: "Ends on 2 January",
		day: "1 day left", days: "%d days left", hours: "%d h left", monthly: "Monthly support",
		idea: "Experiment about to start", running: "Experiment under way", heading: "Join in", why: "Why these?",
		aboutYou: "We know nothing about you.", privacy: "No cookies, no tracking",
		nothing: "Nothing on this topic right now", all: "See what is open", fromTopic: "The page's topic: %s",
		fromPlace: "The page's place: %s", fromBackers: "The same backers, counted anonymously", fromEnd: "Ends soon",
		fromPopular: "Popular right now"},
	"sv": {topic: "Om %s", tags: "Samma ämne: %s", backed: "Många stöder båda", liked: "Många gillar båda",
		youBacked: "För att du stött %s", youLike: "För att du gillar %s", yourTags: "Ur dina taggar: %s", near: "I närheten: %s",
		popular:   "Populärt just nu",
		endsToday: "Slutar i dag", endsTomorrow: "Slutar i morgon", endsOn: "Slutar 2.1.",
		day: "1 dag kvar", days: "%d dagar kvar", hours: "%d h kvar", monthly: "Månadsstöd",
		idea: "Experimentet börjar snart", running: "Experimentet pågår", heading: "Kom med", why: "Varför de här?",
		aboutYou: "Om dig vet vi ingenting.", privacy: "Inga kakor, ingen spårning",
		nothing: "Det är tyst kring det här ämnet", all: "Se vad som är öppet", fromTopic: "Sidans ämne: %s",
		fromPlace: "Sidans ort: %s", fromBackers: "Samma understödjare, räknade anonymt", fromEnd: "Slutar snart",
		fromPopular: "Populärt just nu"},
}

// about are what a reason's text is filled with.
type about struct {
	labels      []string // of what is in common
	place, seed string
	deadline    *time.Time
}

// reason says why in the language. The zone's days are those of the deadline.
func (w words) reason(k kind, a about, now time.Time, zone *time.Location) api.Reason {
	text := w.popular
	switch k {
	case topic:
		text = fmt.Sprintf(w.topic, strings.Join(a.labels, ", "))
	case sameTags:
		text = fmt.Sprintf(w.tags, strings.Join(a.labels, ", "))
	case backedTogether:
		text = w.backed
	case likedTogether:
		text = w.liked
	case youBacked:
		text = fmt.Sprintf(w.youBacked, a.seed)
	case youLike:
		text = fmt.Sprintf(w.youLike, a.seed)
	case yourTags:
		text = fmt.Sprintf(w.yourTags, strings.Join(a.labels, ", "))
	case near:
		text = fmt.Sprintf(w.near, a.place)
	case endsSoon:
		text = w.ends(*a.deadline, now, zone)
	case popular:
	}
	return api.Reason{Kind: api.ReasonKind(k), Text: text}
}

func (w words) ends(deadline, now time.Time, zone *time.Location) string {
	switch daysBetween(now.In(zone), deadline.In(zone)) {
	case 0:
		return w.endsToday
	case 1:
		return w.endsTomorrow
	default:
		return deadline.In(zone).Format(w.endsOn)
	}
}

// daysBetween counts the midnights between two moments of one zone.
func daysBetween(from, to time.Time) int {
	midnight := func(t time.Time) time.Time { return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, 0, 0, time.UTC) }
	return int(midnight(to).Sub(midnight(from)) / (24 * time.Hour))
}

// timeLeft is hours, rounded up, below two days, and else whole days plus one: the app's domain/timeLeft says the same.
func (w words) timeLeft(deadline, now time.Time) string {
	const day = 24 * time.Hour
	left := deadline.Sub(now)
	if left < 2*day {
		return fmt.Sprintf(w.hours, (left+time.Hour-1)/time.Hour)
	}
	return fmt.Sprintf(w.days, left/day+1)
}
