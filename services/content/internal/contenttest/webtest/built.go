// Package webtest makes a stand-in for the built web app. Only tests may import it.
package webtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"talkoot.fi/content/internal/languages"
	"talkoot.fi/content/internal/web"
	"talkoot.fi/kit/localpg"
)

// Index is an index.html with the markers of the built one.
const Index = `<!doctype html>
<html lang="fi"><head><!--tk:head--><!--tk:app--><script defer src="/assets/main.js"></script><!--tk:/app--></head><body><div id="root"><!--tk:root--></div><!--tk:plain--><!--tk:data--></body></html>`

// Built writes the files that the app's build makes for the server, with the app's real texts, and returns the folder.
func Built(t testing.TB) string {
	t.Helper()
	root, err := localpg.RepoRoot()
	if err != nil {
		t.Fatal(err)
	}
	source := filepath.Join(root, "frontend/src")
	read := func(folder string) map[string]json.RawMessage {
		texts := map[string]json.RawMessage{}
		for _, l := range languages.All {
			text, err := os.ReadFile(filepath.Join(source, folder, l+".json"))
			if err != nil {
				t.Fatal(err)
			}
			texts[l] = text
		}
		return texts
	}
	chunks := map[string][]string{}
	for _, name := range web.PageNames() {
		chunks[name] = []string{"assets/" + name + ".js", "assets/" + name + ".css"}
	}
	catalogues := map[string]map[string][]string{"sv": {"": {"assets/texts-sv.js"}, "campaign": {"assets/texts-sv.js", "assets/texts-sv-inner.js"}}}
	built, err := json.Marshal(map[string]any{"chunks": chunks, "catalogues": catalogues,
		"texts": read("i18n"), "info": read("features/info")})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, content := range map[string][]byte{"index.html": []byte(Index), "pages.json": built} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}
