// Package video stands in for the video platforms: it answers oEmbed requests, for tests and for work without a
// network.
//
// Every video is found, except those whose id begins with missing, private or failing (YouTube), or ends with 404, 403
// or 500 (Vimeo).
package video

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// Handler answers GET /video/{platform}/oembed?url=….
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /video/{platform}/oembed", oembed)
	return mux
}

func oembed(w http.ResponseWriter, r *http.Request) {
	id := idOf(r.PathValue("platform"), r.URL.Query().Get("url"))
	switch {
	case id == "" || strings.HasPrefix(id, "missing") || strings.HasSuffix(id, "404"):
		http.Error(w, "Not Found", http.StatusNotFound)
	case strings.HasPrefix(id, "private") || strings.HasSuffix(id, "403"):
		http.Error(w, "Unauthorized", http.StatusUnauthorized)
	case strings.HasPrefix(id, "failing") || strings.HasSuffix(id, "500"):
		http.Error(w, "Service Unavailable", http.StatusServiceUnavailable)
	default:
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{ // a reader who has gone needs no answer
			"type": "video", "version": "1.0", "provider_name": r.PathValue("platform"), "title": fmt.Sprintf("Video %s", id),
			"html": `<iframe width="960" height="540" src="about:blank"></iframe>`, "width": 960, "height": 540})
	}
}

func idOf(platform, page string) string {
	u, err := url.Parse(page)
	if err != nil {
		return ""
	}
	switch {
	case platform == "youtube" && u.Host == "www.youtube.com":
		return u.Query().Get("v")
	case platform == "vimeo" && u.Host == "vimeo.com":
		return strings.Trim(u.Path, "/")
	}
	return ""
}
