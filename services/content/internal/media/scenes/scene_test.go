package scenes

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the golden file anew")

func allSets() []InkSet {
	return []InkSet{Kesayo, Havu, Revontuli, Iltayo, Ruska, Talvi, Leipa, Suo, Meri, Puolukka, Kanerva}
}

func mustDraw(t *testing.T, spec Spec) []byte {
	t.Helper()
	svg, err := Draw(spec)
	if err != nil {
		t.Fatalf("draw %+v: %v", spec, err)
	}
	return svg
}

// The golden file holds one hash per scene: any change of recipe or order of draws shows in its diff.
func TestDraw_TheSameSeedGivesTheSamePictureForever(t *testing.T) {
	var got strings.Builder
	line := func(name string, svg []byte) {
		h := fnv.New64a()
		_, _ = h.Write(svg)
		fmt.Fprintf(&got, "%s %016x %d\n", name, h.Sum64(), len(svg))
	}
	for i, kind := range Kinds() {
		spec := Spec{Seed: "metsan-ystavat", Kind: kind, Inks: allSets()[i]}
		line(spec.FileName(), mustDraw(t, spec))
	}
	line("scene-hoyry.svg", mustDraw(t, Spec{Seed: "hoyry"}))
	line(AvatarFileName("42"), Avatar("42"))
	golden := filepath.Join("testdata", "drawings.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got.String() != string(want) {
		t.Errorf("drawings changed:\n%s\nwant\n%s", got.String(), want)
	}
}

func TestDraw_EverySceneInEveryInkSetIsPlainSmallSVG(t *testing.T) {
	allowed := map[string]bool{"svg": true, "defs": true, "linearGradient": true, "stop": true, "rect": true,
		"circle": true, "ellipse": true, "path": true, "g": true}
	for _, kind := range Kinds() {
		for _, set := range allSets() {
			for _, seed := range []string{"a", "kampanja-17"} {
				svg := mustDraw(t, Spec{Seed: seed, Kind: kind, Inks: set})
				if len(svg) > 60_000 {
					t.Errorf("%s in %s: %d bytes, want at most 60000", kind, set, len(svg))
				}
				for decoder := xml.NewDecoder(bytes.NewReader(svg)); ; {
					token, err := decoder.Token()
					if errors.Is(err, io.EOF) {
						break
					}
					if err != nil {
						t.Fatalf("%s in %s: %v", kind, set, err)
					}
					if element, ok := token.(xml.StartElement); ok && !allowed[element.Name.Local] {
						t.Errorf("%s in %s has a <%s>", kind, set, element.Name.Local)
					}
				}
				if bytes.Contains(svg, []byte("NaN")) || bytes.Contains(svg, []byte("Inf")) {
					t.Errorf("%s in %s has a coordinate that is no number", kind, set)
				}
			}
		}
	}
}

func TestDraw_SeedPicksEverySceneAndOnlySuitingInks(t *testing.T) {
	seen := map[Kind]bool{}
	for i := range 300 {
		spec := Spec{Seed: fmt.Sprint(i)}.completed()
		seen[spec.Kind] = true
		if !contains(inksFor(spec.Kind), spec.Inks) {
			t.Errorf("seed %d: %s in %s", i, spec.Kind, spec.Inks)
		}
		if picked, given := mustDraw(t, Spec{Seed: fmt.Sprint(i)}), mustDraw(t, spec); i < 5 && !bytes.Equal(picked, given) {
			t.Errorf("seed %d: a picked scene differs from the same scene given", i)
		}
	}
	if len(seen) != len(Kinds()) {
		t.Errorf("300 seeds picked %d scenes, want %d", len(seen), len(Kinds()))
	}
}

func TestDraw_RefusesUnknownNames(t *testing.T) {
	for _, spec := range []Spec{{Seed: "a", Kind: "sea"}, {Seed: "a", Inks: "neon"}, {Seed: "a", Kind: Lake, Inks: "../x"}} {
		if _, err := Draw(spec); !errors.Is(err, ErrUnknown) {
			t.Errorf("draw %+v: %v, want ErrUnknown", spec, err)
		}
	}
}

func TestFromFileName(t *testing.T) {
	same := func(spec Spec) []byte { return mustDraw(t, spec) }
	for _, c := range []struct {
		name string
		want []byte
	}{
		{"scene-lake-havu-hoyry.svg", same(Spec{Seed: "hoyry", Kind: Lake, Inks: Havu})},
		{"scene-hoyry.svg", same(Spec{Seed: "hoyry"})},
		{"scene-lake-neon-hoyry.svg", same(Spec{Seed: "lake-neon-hoyry"})},
		{"avatar-7.svg", Avatar("7")},
		{"scene-.svg", nil},
		{"scene-lake-havu-.svg", nil},
		{"avatar-.svg", nil},
		{"avatar-A.svg", nil},
		{"scene-a.b.svg", nil},
		{"scene-" + strings.Repeat("a", 65) + ".svg", nil},
		{"scene-hoyry.png", nil},
		{"hoyry.svg", nil},
	} {
		got, ok := FromFileName(c.name)
		if ok != (c.want != nil) || ok && !bytes.Equal(got, c.want) {
			t.Errorf("%s: drawn %t, want %t, or another picture", c.name, ok, c.want != nil)
		}
	}
}

func contains(sets []InkSet, set InkSet) bool {
	for _, s := range sets {
		if s == set {
			return true
		}
	}
	return false
}

func BenchmarkDraw(b *testing.B) {
	for _, kind := range Kinds() {
		b.Run(string(kind), func(b *testing.B) {
			for b.Loop() {
				if _, err := Draw(Spec{Seed: "hoyry", Kind: kind}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
