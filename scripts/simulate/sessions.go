package simulate

import (
	"context"
	"net/http"
)

// sessionKey marks the context of calls that carry a session's token.
type sessionKey struct{}

// as makes calls with a person's session, or with none when they cannot sign in: they sign in anew when it is over.
func (sim *simulation) as(ctx context.Context, person int, fn func(ctx context.Context)) {
	in := context.WithValue(ctx, sessionKey{}, sim.sessions[person])
	if sim.sessions[person] == "" || sim.ask(in, sim.content, http.MethodGet, "/users/me/address/", nil, nil) != http.StatusOK {
		var answer struct{ Token struct{ String string } }
		sim.ask(ctx, sim.content, http.MethodPost, "/users/tokens/", map[string]any{"email": memberAddress(person),
			"password": membersPassword}, &answer)
		sim.sessions[person] = answer.Token.String
		if in = ctx; answer.Token.String != "" {
			in = context.WithValue(ctx, sessionKey{}, answer.Token.String)
		}
	}
	fn(in)
}

// asBacker makes calls as the browser of a pledge's backer does.
func (sim *simulation) asBacker(ctx context.Context, p pledge, fn func(ctx context.Context)) {
	if p.isMembers {
		sim.as(ctx, member, fn)
		return
	}
	fn(ctx)
}
