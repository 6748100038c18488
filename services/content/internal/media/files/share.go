package files

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"talkoot.fi/content/internal/media/scenes"
)

// shareSize is that of link previews, the only one in which drawings are served as JPEG.
var shareSize = size{width: 1200, height: 630}

// SharePath is the path of a picture for link previews: never an SVG, which social networks do not accept. Rendering a
// drawing as JPEG takes up to a second, and anyone can invent seeds; so a name that is drawn from a seed carries an
// HMAC, and without it the JPEG is not found.
func (s *Store) SharePath(name string) string {
	switch {
	case scenes.IsFileName(name):
		name += "." + s.checksum(name) + ".jpg"
	case strings.HasSuffix(name, ".svg"):
		name += ".jpg"
	}
	return "/media/" + shareSize.String() + "/" + name
}

// withoutChecksum makes scene-x.svg.jpg of scene-x.svg.<checksum>.jpg, and reports whether the checksum is ours. It
// leaves other names as they are.
func (s *Store) withoutChecksum(name string) (plain string, ours bool) {
	rest, isJPEG := strings.CutSuffix(name, ".jpg")
	stem, sum, found := strings.Cut(rest, ".svg.")
	source := stem + ".svg"
	if !isJPEG || !found || !scenes.IsFileName(source) || !hmac.Equal([]byte(sum), []byte(s.checksum(source))) {
		return name, false
	}
	return source + ".jpg", true
}

func (s *Store) checksum(name string) string {
	mac := hmac.New(sha256.New, s.shareKey)
	_, _ = mac.Write([]byte(name)) // a hash's Write never fails
	return hex.EncodeToString(mac.Sum(nil)[:8])
}
