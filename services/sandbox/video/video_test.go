package video

import (
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

func TestHandler_AnswersAsThePlatformsDo(t *testing.T) {
	for question, want := range map[string]int{
		"youtube https://www.youtube.com/watch?v=h8yrytalk01": 200,
		"youtube https://www.youtube.com/watch?v=missing0000": 404,
		"youtube https://www.youtube.com/watch?v=private0000": 401,
		"youtube https://www.youtube.com/watch?v=failing0000": 503,
		"vimeo https://vimeo.com/12345":                       200, "vimeo https://vimeo.com/1404": 404,
		"vimeo https://vimeo.com/1403": 401, "vimeo https://vimeo.com/1500": 503,
		"vimeo https://www.youtube.com/watch?v=h8yrytalk01": 404, "vimeo ": 404, "youtube %": 404,
	} {
		platform, page, _ := strings.Cut(question, " ")
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, httptest.NewRequest("GET", "/video/"+platform+"/oembed?url="+url.QueryEscape(page), nil))
		if w.Code != want {
			t.Errorf("%s: %d, want %d", question, w.Code, want)
		}
	}
}
