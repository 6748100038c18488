package browser

import (
	"context"
	"net/http"
)

// Account is what a person registers with.
type Account struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Language  string `json:"language,omitempty"`
}

type tokenAnswer struct{ Token struct{ String string } }

// Register makes an account, and the visitor is signed in.
func (v *Visitor) Register(ctx context.Context, a Account) error {
	var answer tokenAnswer
	if err := v.json(ctx, http.MethodPost, v.Content+"/users/", "", a, &answer); err != nil {
		return err
	}
	v.Token = answer.Token.String
	return nil
}

// SignIn signs the visitor in; an earlier token is dropped first.
func (v *Visitor) SignIn(ctx context.Context, email, password string) error {
	var answer tokenAnswer
	v.Token = ""
	body := map[string]string{"email": email, "password": password}
	if err := v.json(ctx, http.MethodPost, v.Content+"/users/tokens/", "", body, &answer); err != nil {
		return err
	}
	v.Token = answer.Token.String
	return nil
}

// SignOut ends the session. The visitor keeps the token, which is no longer valid, until the caller clears it.
func (v *Visitor) SignOut(ctx context.Context) error {
	return v.json(ctx, http.MethodDelete, v.Content+"/users/tokens/", "", nil, nil)
}
