package holders

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"

	"talkoot.fi/kit/apperr"
	"talkoot.fi/kit/httpx"
	"talkoot.fi/payments/internal/contentclient"
)

// Person is whose a session is.
type Person struct {
	UserID int64
	Email  string
	// HasConfirmedEmail: the address is known to be theirs. HasConfirmed: they have just shown in this session that it is them.
	HasConfirmedEmail, HasConfirmed bool
	// IsAdmin: they may do everything on the platform, in this session.
	IsAdmin bool
}

// Whose asks whose the session of an Authorization header is. Errors: NotAuthenticated without a header, TokenExpired of one that has
// ended or never was, Unavailable while the content service does not answer.
type Whose func(ctx context.Context, authorization string) (Person, error)

// Whose is a Whose.
func (g *Guard) Whose(ctx context.Context, authorization string) (who Person, err error) {
	if authorization == "" {
		return Person{}, apperr.New(apperr.NotAuthenticated)
	}
	ctx, cancel := context.WithTimeout(ctx, contentTimeout)
	defer cancel()
	response, err := g.content.WhoseSession(ctx, contentclient.SessionQuestion{Authorization: authorization})
	if err != nil {
		return Person{}, unavailable(err)
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxContentBytes))
	if err != nil {
		return Person{}, unavailable(err)
	}
	if response.StatusCode == http.StatusUnprocessableEntity { // a header that no browser of ours sends
		return Person{}, apperr.New(apperr.TokenInvalid)
	}
	if response.StatusCode != http.StatusOK {
		return Person{}, unavailable(fmt.Errorf("content answered %d", response.StatusCode))
	}
	var answer contentclient.SessionPerson
	if err := json.Unmarshal(body, &answer); err != nil {
		return Person{}, unavailable(err)
	}
	if !answer.IsLive || answer.UserID == nil {
		return Person{}, apperr.New(apperr.TokenExpired)
	}
	who = Person{UserID: *answer.UserID}
	httpx.NoteSubject(ctx, who.UserID)
	if answer.Email != nil {
		who.Email = *answer.Email
	}
	who.HasConfirmedEmail = answer.HasConfirmedEmail != nil && *answer.HasConfirmedEmail
	who.HasConfirmed = answer.HasConfirmed != nil && *answer.HasConfirmed
	who.IsAdmin = answer.Scope != nil && slices.Contains(*answer.Scope, contentclient.ScopeAdmin)
	return who, nil
}
