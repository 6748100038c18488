package provider

import "talkoot.fi/kit/apperr"

// Next is what the payer's browser does next: a Secret, a Redirect or a Register; nil when there is nothing to do there. It is for
// that browser only, and never kept but for the address of a page.
type Next interface{ next() }

// Secret opens the provider's own fields on our page.
type Secret string

// Redirect is the address of a page, the provider's or a bank's, that sends the payer back when they are done.
type Redirect string

// Register is an address of the provider's that takes what a card says straight from the browser, as the fields of a form: Data and Key
// with the number, the month and the code. What it answers goes to FinishSetup.
type Register struct{ URL, Key, Data string }

// NextSecret is a secret as the next step; nil of an empty one.
func NextSecret(secret string) Next {
	if secret == "" {
		return nil
	}
	return Secret(secret)
}

func (Secret) next()   {}
func (Redirect) next() {}
func (Register) next() {}

// SecretOf is the secret of a contract that has nothing else. Error: ConfigurationError (missing_client_secret) when the
// provider wants another step.
func SecretOf(n Next) (string, error) {
	secret, is := n.(Secret)
	if !is {
		return "", apperr.New(apperr.ConfigurationError).WithCode("missing_client_secret")
	}
	return string(secret), nil
}

// AddressOf is where the payer goes; "" when that is no next step.
func AddressOf(n Next) string {
	address, _ := n.(Redirect)
	return string(address)
}
