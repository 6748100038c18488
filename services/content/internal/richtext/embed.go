package richtext

import (
	"net/url"
	"regexp"
	"strings"
)

// player is an embedded frame of a known host.
type player struct {
	src   string
	class string
	// height in pixels of sound players; that of videos is left to the style sheet.
	height string
}

// Heights of the two sound hosts' players, in pixels (specification, section 5).
const (
	spotifyHeight    = "200"
	soundcloudHeight = "166"
)

// Players of the video platforms, in the form that sets no cookies before it plays.
const (
	youtubePlayer = "https://www.youtube-nocookie.com/embed/"
	vimeoPlayer   = "https://player.vimeo.com/video/"
	vimeoQuiet    = "?dnt=1"
)

var (
	youtubeID  = regexp.MustCompile(`^[A-Za-z0-9_-]{6,20}$`)
	vimeoID    = regexp.MustCompile(`^[0-9]{1,15}$`)
	spotifyURI = regexp.MustCompile(`^/embed/(track|album|playlist|episode|show)/[A-Za-z0-9]{10,40}$`)
)

// playerOf turns an address of a video or sound host, page or player, into the player that is embedded. The address is
// rebuilt from the id alone. False for other addresses.
func playerOf(address string) (player, bool) {
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil || u.Scheme != "https" || u.User != nil || u.Port() != "" {
		return player{}, false
	}
	path := strings.TrimSuffix(u.Path, "/")
	switch strings.TrimPrefix(strings.ToLower(u.Hostname()), "www.") {
	case "youtube.com", "m.youtube.com", "youtube-nocookie.com":
		id := u.Query().Get("v")
		if rest, ok := strings.CutPrefix(path, "/embed/"); ok {
			id = rest
		}
		return youtube(id)
	case "youtu.be":
		return youtube(strings.TrimPrefix(path, "/"))
	case "vimeo.com":
		return vimeo(strings.TrimPrefix(path, "/"))
	case "player.vimeo.com":
		return vimeo(strings.TrimPrefix(path, "/video/"))
	case "open.spotify.com":
		if !strings.HasPrefix(path, "/embed/") {
			path = "/embed" + path
		}
		return player{"https://open.spotify.com" + path, "audio", spotifyHeight}, spotifyURI.MatchString(path)
	case "w.soundcloud.com":
		track, err := url.Parse(u.Query().Get("url"))
		ok := err == nil && path == "/player" && track.Scheme == "https" && track.User == nil &&
			(track.Host == "api.soundcloud.com" || track.Host == "soundcloud.com")
		if !ok {
			return player{}, false
		}
		clean := url.URL{Scheme: "https", Host: track.Host, Path: track.Path}
		return player{"https://w.soundcloud.com/player/?url=" + url.QueryEscape(clean.String()), "audio", soundcloudHeight},
			true
	}
	return player{}, false
}

// IsVideo reports whether an address is a video platform's: of a page with one video, or of its player.
func IsVideo(address string) bool {
	p, ok := playerOf(address)
	return ok && p.class == "video"
}

func youtube(id string) (player, bool) {
	return player{src: youtubePlayer + id, class: "video"}, youtubeID.MatchString(id)
}

func vimeo(id string) (player, bool) {
	return player{src: vimeoPlayer + id + vimeoQuiet, class: "video"}, vimeoID.MatchString(id)
}

var fileName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,127}$`)

// ownPicture is the src of a picture that was sent here: a file under /media, in the width of a story if only its name
// is given. Pages may show no others (their Content-Security-Policy).
func ownPicture(src string) (string, bool) {
	if fileName.MatchString(src) && !strings.Contains(src, "..") {
		return "/media/960x0/" + src, true
	}
	return src, strings.HasPrefix(src, "/media/") && allowedImage.MatchString(src)
}

// pictureSource is a picture's src in a text that is stored already: one of our own, or an https address.
func pictureSource(src string) (string, bool) {
	if own, ok := ownPicture(src); ok {
		return own, true
	}
	u, err := url.Parse(src)
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", false
	}
	return u.String(), true
}

// linkTarget is the address of a link: http, https or mailto.
func linkTarget(href string) (string, bool) {
	u, err := url.Parse(strings.TrimSpace(href))
	if err != nil {
		return "", false
	}
	switch u.Scheme {
	case "http", "https":
		return u.String(), u.Host != ""
	case "mailto":
		return u.String(), u.Opaque != ""
	}
	return "", false
}

// PlatformVideo is a video of a platform.
type PlatformVideo struct {
	Platform string // youtube, vimeo
	ID       string
	Page     string // its page, in the one form that is kept
}

// VideoOf reads the address of a video's page or player. False for other addresses.
func VideoOf(address string) (PlatformVideo, bool) {
	p, ok := playerOf(address)
	if !ok || p.class != "video" {
		return PlatformVideo{}, false
	}
	if id, isYouTube := strings.CutPrefix(p.src, youtubePlayer); isYouTube {
		return PlatformVideo{"youtube", id, "https://www.youtube.com/watch?v=" + id}, true
	}
	id := strings.TrimSuffix(strings.TrimPrefix(p.src, vimeoPlayer), vimeoQuiet)
	return PlatformVideo{"vimeo", id, "https://vimeo.com/" + id}, true
}
