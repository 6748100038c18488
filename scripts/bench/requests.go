//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
)

// popular is the one list that most visitors ask for.
func popular(*rand.Rand) []byte { return get("/campaigns/preview/fi/?limit=24") }

// filtered is a list that nobody asked for before: so many filters are drawn from that no cache can have it.
func (b *bench) filtered(random *rand.Rand) []byte {
	query := url.Values{"limit": {"24"}, "offset": {fmt.Sprint(24 * random.IntN(5))},
		"sort": {[]string{"newest", "ending", "most_funded", "popular"}[random.IntN(4)]}}
	if random.IntN(2) == 0 {
		query.Set("categories", fmt.Sprintf("%d,%d", 1+random.IntN(12), 1+random.IntN(12)))
	}
	query.Set("tags", fmt.Sprintf("%d,%d,%d", 1+random.IntN(200), 1+random.IntN(200), 1+random.IntN(200)))
	return get("/campaigns/preview/" + []string{"fi", "en", "sv"}[random.IntN(3)] + "/?" + query.Encode())
}

// words are what visitors search for: common and rare words of the data set's titles and places, and one that is
// nowhere.
func words() []string {
	return strings.Fields("yhteinen uusi vanha pieni suuri kelluva lämmin avoin hiljainen kirkas vihreä sininen nopea " +
		"hidas talvinen " +
		"sauna laituri leipomo kirja levy elokuva puutarha kirjasto kahvila kuoro museo lintutorni kasvihuone teatteri " +
		"radio kantele " +
		"lyhty mylly silta polku laavu orkesteri verstas tori kompassi rieska hillasuo revontuli tampere turku oulu vaasa " +
		"porvoo avaruusalus")
}

// keyword searches for one word, for two, or for a word that one campaign has. It excludes a tag that no campaign has,
// a different one each time: the result is the same, but no cached answer can be used.
func (b *bench) keyword(random *rand.Rand) []byte {
	list := words()
	word := list[random.IntN(len(list))]
	switch random.IntN(4) {
	case 0:
		word = fmt.Sprintf("hanke%d", 1+random.IntN(b.size))
	case 1:
		word += " " + list[random.IntN(len(list))]
	}
	return get(fmt.Sprintf("/campaigns/preview/fi/?limit=24&keyword=%s&excluded_tags=%d", url.QueryEscape(word),
		1000+random.IntN(1_000_000_000)))
}

// found is a search over everything: for a common word, one in another form, the beginning of one, two words, a place, a region, a
// creator, a word that one campaign has, one with a mistake, and one that is nowhere. The page differs each time, because a cached
// answer would say nothing.
func (b *bench) found(random *rand.Rand) []byte {
	list := words()
	word := func() string { return list[random.IntN(len(list))] }
	query := url.Values{"q": {[]string{word(), word() + "n", string([]rune(word())[:3]), word() + " " + word(), "tampere", "pohjois-savo",
		"aino korhonen", fmt.Sprintf("hanke%d", 1+random.IntN(b.size)), swapped(word()), "yksisarvinen"}[random.IntN(10)]},
		"limit": {fmt.Sprint(4 + random.IntN(40))}, "offset": {fmt.Sprint(random.IntN(100))}}
	if random.IntN(10) == 0 {
		query.Set("place", []string{"Oulu", "Lappi"}[random.IntN(2)])
	}
	return get("/v6/search/" + []string{"fi", "en", "sv"}[random.IntN(3)] + "/?" + query.Encode())
}

// swapped is a word with a mistake: its second and third letter change places.
func swapped(word string) string {
	letters := []rune(word)
	letters[1], letters[2] = letters[2], letters[1]
	return string(letters)
}

// public is the number of a campaign that everybody may see; one in twenty is not open yet, but none is a draft.
func (b *bench) public(random *rand.Rand) int { return 1 + random.IntN(b.size) }

// visited is the number of a campaign as visitors choose theirs: by Zipf's law, the n-th campaign a share of 1/n.
func (b *bench) visited(random *rand.Rand) int {
	return 1 + int(rand.NewZipf(random, 1.001, 1, uint64(b.size-1)).Uint64()) //nolint:gosec // below the size
}

// pageParts are the calls that a campaign's page makes.
func pageParts(id int) [][]byte {
	return [][]byte{
		get(fmt.Sprintf("/campaigns/%d/fi/", id)), get(fmt.Sprintf("/campaigns/%d/rewards/fi/", id)),
		get(fmt.Sprintf("/campaigns/%d/backers/?limit=24", id)), get(fmt.Sprintf("/campaigns/%d/posts/?limit=24", id)),
	}
}

// pagePart is any of them, so that four answers are one page on average.
func pagePart(choose func(*rand.Rand) int) next {
	return func(random *rand.Rand) []byte { return pageParts(choose(random))[random.IntN(4)] }
}

// pledgeOf is a pledge for one reward of a campaign: 0 and 1 are unlimited, 2 has a stock. The app gives each a key.
// Each has a backer of its own: one person may hold little of a limited reward.
func pledgeOf(campaign, reward int, address, key string) []byte {
	euros := []int{15, 35, 90}[reward]
	body := fmt.Sprintf(`{"amount":%d,"reward_id":%d,"pledge_meta":{"email":%q,"first_name":"Aino","last_name":"Korhonen","language":"fi"}}`,
		euros, 3*(campaign-1)+1+reward, emailOf(key))
	return post(fmt.Sprintf("/campaigns/%d/pledges/", campaign), "X-Forwarded-For: "+address+"\r\nIdempotency-Key: "+key+
		"\r\n", []byte(body))
}

// emailOf is the backer whose pledge has the key.
func emailOf(key string) string { return key + "@posti.example" }

// openCampaigns lists n campaigns that seek funds: of the data set's twenty the first thirteen do, counted from 20.
func openCampaigns(n int) []int {
	var list []int
	for id := 20; len(list) < n; id++ {
		if id%20 < 13 {
			list = append(list, id)
		}
	}
	return list
}

// pledging pledges for a reward of one of the campaigns, each time from another address.
func pledging(campaigns []int, reward int) next {
	return func(random *rand.Rand) []byte {
		address := fmt.Sprintf("10.%d.%d.%d", random.IntN(256), random.IntN(256), random.IntN(256))
		return pledgeOf(campaigns[random.IntN(len(campaigns))], reward, address,
			fmt.Sprintf("%016x%016x", random.Uint64(), random.Uint64()))
	}
}

func hostOf(address string) string { return strings.TrimPrefix(address, "http://") }
