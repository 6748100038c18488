package typed_test

import (
	"testing"

	"talkoot.fi/kit/typed"
)

// One person is one however their name is typed, and two people are two.
func TestSame_IsOnePersonsName(t *testing.T) {
	t.Parallel()
	for _, other := range []string{"Ilkka Mäkelä", "ILKKA MÄKELÄ", " ilkka  mäkelä\n", "Ilkka Ma\u0308kela\u0308", "Ilkka\u200b Mä\u00adkelä\u200d"} {
		if !typed.Same("Ilkka Mäkelä", other) || !typed.Same(other, "Ilkka Mäkelä") {
			t.Errorf("%q is somebody else", other)
		}
	}
	for _, other := range []string{"", "Ilkka Makela", "Ilkka", "IlkkaMäkelä"} {
		if typed.Same("Ilkka Mäkelä", other) {
			t.Errorf("%q is the same", other)
		}
	}
}
