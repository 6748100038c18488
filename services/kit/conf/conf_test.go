package conf

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

type settings struct {
	Addr    string        `env:"ADDR" default:"127.0.0.1:8081"`
	Key     Secret        `env:"KEY" required:"true" help:"signs sessions"`
	Workers int           `env:"WORKERS" default:"4" min:"1"`
	Pause   time.Duration `env:"PAUSE" default:"30s"`
	Open    bool          `env:"OPEN"`
	Base    url.URL       `env:"BASE"`
	Origins []string      `env:"ORIGINS"`
	DB      struct {
		URL Secret `env:"DB_URL" required:"true"`
	}
	wired bool
}

func TestLoad_FillsEveryKindAndTakesDefaults(t *testing.T) {
	var s settings
	err := Load(&s, []string{"KEY=k", "DB_URL=postgres://x?a=b", "WORKERS=", "PAUSE=5m", "OPEN=true",
		"BASE=https://talkoot.fi/x", "ORIGINS=a, b,,c"})
	if err != nil {
		t.Fatal(err)
	}
	if s.Addr != "127.0.0.1:8081" || s.Key.Reveal() != "k" || s.Workers != 4 || s.Pause != 5*time.Minute || !s.Open ||
		s.Base.Host != "talkoot.fi" || strings.Join(s.Origins, "|") != "a|b|c" || s.DB.URL.Reveal() != "postgres://x?a=b" || s.wired {
		t.Errorf("got %+v", s)
	}
}

func TestLoad_ReportsAllFaultsAtOnceWithoutSecrets(t *testing.T) {
	var s settings
	err := Load(&s, []string{"WORKERS=many", "PAUSE=5", "OPEN=perhaps", "BASE=localhost", "DB_URL=hunter2", "DB_URL_FILE=/x"})
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range []string{"KEY is not set", "KEY_FILE", "signs sessions", `WORKERS is "many"`, "PAUSE", "OPEN", "BASE", "DB_URL and DB_URL_FILE"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("error lacks %q:\n%v", want, err)
		}
	}
	if strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error shows a secret:\n%v", err)
	}
}

func TestLoad_HoldsWholeNumbersToTheirLeast(t *testing.T) {
	for text, ok := range map[string]bool{"0": false, "-1": false, "1": true, "": true} {
		var s settings
		if err := Load(&s, []string{"KEY=k", "DB_URL=x", "WORKERS=" + text}); (err == nil) != ok {
			t.Errorf("WORKERS=%s: %v", text, err)
		}
	}
}

func TestLoad_ReadsFromAFile(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	var s settings
	if err := Load(&s, []string{"KEY_FILE=" + write("key", "from file\n"), "DB_URL=x"}); err != nil || s.Key.Reveal() != "from file" {
		t.Errorf("key = %q, %v", s.Key.Reveal(), err)
	}
	if err := Load(&s, []string{"KEY_FILE=" + write("empty", "\n"), "DB_URL=x"}); err == nil {
		t.Error("an empty file was taken")
	}
	if err := Load(&s, []string{"KEY_FILE=" + filepath.Join(dir, "none"), "DB_URL=x"}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

type checked struct {
	Low  int `env:"LOW"`
	High int `env:"HIGH"`
}

func (c *checked) Validate() error {
	if c.Low > c.High {
		return errors.New("LOW is above HIGH")
	}
	return nil
}

func TestLoad_CallsValidate(t *testing.T) {
	if err := Load(&checked{}, []string{"LOW=2", "HIGH=1"}); err == nil {
		t.Error("a broken rule between fields was taken")
	}
	if err := Load(settings{}, nil); err == nil {
		t.Error("a target that cannot be filled was taken")
	}
}

func TestSecret_IsNeverShown(t *testing.T) {
	s := settings{Key: "hunter2"}
	var log strings.Builder
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "key", s.Key, "all", s)
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	shown := []string{log.String(), string(data)}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		shown = append(shown, fmt.Sprintf(format, s.Key), fmt.Sprintf(format, s))
	}
	for _, text := range shown {
		if strings.Contains(text, "hunter2") || strings.Contains(text, fmt.Sprintf("%x", "hunter2")) {
			t.Errorf("shown: %s", text)
		}
	}
}
