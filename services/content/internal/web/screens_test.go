package web

import "testing"

// A page without a screen would be an error of the server.
func TestPages_HaveAScreenEach(t *testing.T) {
	for _, e := range table {
		if screens[e.Name] == nil {
			t.Errorf("%s has none", e.Name)
		}
	}
}
