package richtext

import (
	"html"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// player is an embedded frame of a known host.
type player struct {
	src   string
	class string
	// height in pixels of sound players; that of videos is left to the style sheet.
	height string
	video  PlatformVideo // if it is one
}

// PlatformVideo is a video of a platform.
type PlatformVideo struct {
	Platform string // youtube, vimeo
	ID       string
	Page     string // its page, in the one form that is kept
}

// Heights of the two sound hosts' players, in pixels (specification, section 5).
const (
	spotifyHeight    = "200"
	soundcloudHeight = "166"
)

var (
	youtubePath = regexp.MustCompile(`^/(?:embed|shorts|live|watch|v|e)/([^/]+)$`)
	youtubeID   = regexp.MustCompile(`^[A-Za-z0-9_-]{6,20}$`)
	// Names that stand in the place of an id: a playlist's player, and that of whatever a channel sends now.
	youtubeNames = []string{"videoseries", "live_stream"}
	// Before a video's number Vimeo may name where it is listed; after it comes the hash of an unlisted one, without which
	// its player says that there is no such video.
	vimeoPath = regexp.MustCompile(`^(?:/video|/manage/videos|/channels/[^/]+|/groups/[^/]+/videos|/showcase/[^/]+/video|/album/[^/]+/video)?` +
		`/([0-9]{1,15})(?:/([0-9a-f]{6,20}))?$`)
	// A video within a list, which the query names.
	vimeoList = regexp.MustCompile(`^/(?:showcase|album)/[^/]+$`)
	vimeoHash = regexp.MustCompile(`^[0-9a-f]{6,20}$`)
	// The share button names a country's edition, older ones the list's owner; the code of a filmed episode ends with /video.
	spotifyPath = regexp.MustCompile(`^(?:/intl-[A-Za-z-]{2,7})?(?:/embed(?:-podcast)?)?(?:/user/[^/]+)?` +
		`/((?:track|album|playlist|episode|show|artist)/[A-Za-z0-9]{10,40})(?:/video)?$`)
	spotifyURI = regexp.MustCompile(`^spotify:(track|album|playlist|episode|show|artist):([A-Za-z0-9]{10,40})$`)
	// A person's page with a track, a set or a private track (s-...).
	soundcloudPath = regexp.MustCompile(`^/[A-Za-z0-9_-]+/(?:sets/)?[A-Za-z0-9_-]+(?:/s-[A-Za-z0-9]+)?$`)
	// In the API a private track's secret is in the query; without it the player says that there is no such track.
	soundcloudSecret = regexp.MustCompile(`^s-[A-Za-z0-9]+$`)
	scheme           = regexp.MustCompile(`(?i)^(?:https?:)?//`)
	frameSource      = regexp.MustCompile(`(?is)^<(?:.*?<)?iframe\s[^>]*?\bsrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))`)
)

// playerOf turns what people have of a video or sound into the player that is embedded: the address of its page or
// player in every form that the hosts' share buttons give, with or without a scheme, or the code for embedding. The
// address is rebuilt from the ids alone. False for anything else.
func playerOf(typed string) (player, bool) {
	typed = strings.TrimFunc(typed, func(r rune) bool { return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
	if frame := frameSource.FindStringSubmatch(typed); frame != nil {
		typed = strings.TrimSpace(html.UnescapeString(frame[1] + frame[2] + frame[3]))
	}
	if found := spotifyURI.FindStringSubmatch(typed); found != nil {
		return spotify(found[1] + "/" + found[2]), true
	}
	u, err := url.Parse("https://" + scheme.ReplaceAllString(typed, ""))
	if err != nil || u.User != nil || u.Port() != "" {
		return player{}, false
	}
	path := strings.TrimSuffix(u.Path, "/")
	host := strings.ToLower(u.Hostname())
	for _, prefix := range []string{"www.", "m.", "music."} {
		host = strings.TrimPrefix(host, prefix)
	}
	switch host {
	case "youtube.com", "youtube-nocookie.com":
		if found := youtubePath.FindStringSubmatch(path); found != nil {
			return youtube(found[1])
		}
		return youtube(u.Query().Get("v"))
	case "youtu.be":
		return youtube(strings.TrimPrefix(path, "/"))
	case "vimeo.com", "player.vimeo.com":
		if video := u.Query().Get("video"); video != "" && vimeoList.MatchString(path) {
			path = "/" + video
		}
		return vimeo(path, u.Query().Get("h"))
	case "open.spotify.com":
		found := spotifyPath.FindStringSubmatch(path)
		if found == nil {
			return player{}, false
		}
		return spotify(found[1]), true
	case "soundcloud.com":
		return soundcloud(u)
	case "w.soundcloud.com":
		track, err := url.Parse(u.Query().Get("url"))
		if err != nil || path != "/player" || track.Scheme != "https" || track.User != nil || track.Port() != "" {
			return player{}, false
		}
		return soundcloud(track)
	}
	return player{}, false
}

// IsVideo reports whether an address is a video platform's: of a page with one video, or of its player.
func IsVideo(address string) bool {
	_, ok := VideoOf(address)
	return ok
}

// VideoOf reads the address of a video's page or player. False for other addresses.
func VideoOf(address string) (PlatformVideo, bool) {
	p, ok := playerOf(address)
	return p.video, ok && p.class == "video"
}

// The players of the video platforms are in the form that sets no cookies before it plays.

func youtube(id string) (player, bool) {
	return player{src: "https://www.youtube-nocookie.com/embed/" + id, class: "video",
		video: PlatformVideo{"youtube", id, "https://www.youtube.com/watch?v=" + id}}, youtubeID.MatchString(id) && !slices.Contains(youtubeNames, id)
}

// vimeo takes the hash of an unlisted video from the path of its page or from the query of its player.
func vimeo(path, hash string) (player, bool) {
	found := vimeoPath.FindStringSubmatch(path)
	if found == nil {
		return player{}, false
	}
	id := found[1]
	if found[2] != "" {
		hash = found[2]
	}
	p := player{src: "https://player.vimeo.com/video/" + id, class: "video",
		video: PlatformVideo{"vimeo", id, "https://vimeo.com/" + id}}
	if vimeoHash.MatchString(hash) {
		p.src += "?h=" + hash + "&dnt=1"
		p.video.Page += "/" + hash
	} else {
		p.src += "?dnt=1"
	}
	return p, true
}

func spotify(path string) player {
	return player{src: "https://open.spotify.com/embed/" + path, class: "audio", height: spotifyHeight}
}

// soundcloud takes the address of a track's page, or of the track in SoundCloud's API.
func soundcloud(track *url.URL) (player, bool) {
	host := strings.TrimPrefix(strings.TrimPrefix(track.Host, "www."), "m.")
	path := strings.TrimSuffix(track.Path, "/")
	if host != "api.soundcloud.com" && (host != "soundcloud.com" || !soundcloudPath.MatchString(path)) {
		return player{}, false
	}
	clean := url.URL{Scheme: "https", Host: host, Path: path}
	if secret := track.Query().Get("secret_token"); host == "api.soundcloud.com" && soundcloudSecret.MatchString(secret) {
		clean.RawQuery = "secret_token=" + secret
	}
	return player{src: "https://w.soundcloud.com/player/?url=" + url.QueryEscape(clean.String()), class: "audio",
		height: soundcloudHeight}, true
}
