// Command edge is Caddy with its standard modules, built from the pinned version in go.mod, so that the proxy comes from
// the same kind of build as the services. What it does is in the Caddyfile.
package main

import (
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
)

func main() { caddycmd.Main() }
