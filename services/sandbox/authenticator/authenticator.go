// Package authenticator stands for the code app on a phone (TOTP, RFC 6238): it shows the present codes of the demo's
// accounts, whose secrets everybody knows, and of a secret that somebody types to try out their own.
package authenticator

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/pquerna/otp/totp"
	"go.yaml.in/yaml/v3"
)

// step is how long a code is shown.
const step = 30 * time.Second

// pagePolicy lets the page load nothing but its style.
const pagePolicy = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

//go:embed web
var web embed.FS

var page = template.Must(template.ParseFS(web, "web/codes.html"))

// Account is one line of the app.
type Account struct{ Name, Secret string }

// Demo reads the accounts with a code app from people.yaml of the demo content; none when dir is empty.
func Demo(dir string) ([]Account, error) {
	if dir == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(dir, "people.yaml"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var file struct {
		People []struct {
			Email  string `yaml:"email"`
			Secret string `yaml:"totp_secret"`
		} `yaml:"people"`
	}
	if err == nil {
		err = yaml.Unmarshal(text, &file)
	}
	if err != nil {
		return nil, fmt.Errorf("read the demo's accounts: %w", err)
	}
	var list []Account
	for _, p := range file.People {
		if p.Secret != "" {
			list = append(list, Account{p.Email, p.Secret})
		}
	}
	return list, nil
}

// Code is what the app shows of an account.
type Code struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// Handler serves the page at /authenticator/, and the same as JSON at /authenticator/api/codes. Both take ?secret=…, a
// secret in base32 whose code is shown too.
func Handler(accounts []Account, now func() time.Time) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /authenticator/{$}", func(w http.ResponseWriter, r *http.Request) {
		at, typed := now(), r.URL.Query().Get("secret")
		codes, wrong := codesOf(accounts, typed, at)
		w.Header().Set("Content-Security-Policy", pagePolicy)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Refresh", fmt.Sprint(left(at))) // the next code comes by itself
		_ = page.Execute(w, map[string]any{"Codes": codes, "Typed": typed, "Wrong": wrong, "Left": left(at)})
	})
	mux.HandleFunc("GET /authenticator/api/codes", func(w http.ResponseWriter, r *http.Request) {
		at := now()
		codes, wrong := codesOf(accounts, r.URL.Query().Get("secret"), at)
		if wrong {
			http.Error(w, "the secret is not base32", http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"codes": codes, "seconds_left": left(at)}) // a reader who has gone needs no answer
	})
	mux.HandleFunc("GET /authenticator/codes.css", func(w http.ResponseWriter, r *http.Request) {
		http.ServeFileFS(w, r, web, "web/codes.css")
	})
	return mux
}

// codesOf are the codes of a time; wrong says that the typed secret is none.
func codesOf(accounts []Account, typed string, at time.Time) (codes []Code, wrong bool) {
	typed = strings.ToUpper(strings.Join(strings.Fields(typed), ""))
	if typed != "" {
		accounts = append(append([]Account{}, accounts...), Account{"Typed secret", typed})
	}
	codes = []Code{}
	for _, a := range accounts {
		code, err := totp.GenerateCode(a.Secret, at)
		if err != nil {
			wrong = true
			continue
		}
		codes = append(codes, Code{a.Name, code})
	}
	return codes, wrong
}

// left is how many seconds the present codes are shown yet, at least one.
func left(at time.Time) int64 {
	seconds := int64(step / time.Second)
	return seconds - at.Unix()%seconds
}
