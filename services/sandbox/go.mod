module talkoot.fi/sandbox

go 1.26

require (
	github.com/emersion/go-message v0.18.2
	github.com/emersion/go-sasl v0.0.0-20241020182733-b788ff22d5a6
	github.com/emersion/go-smtp v0.25.1
	github.com/stripe/stripe-go/v76 v76.25.0
	go.etcd.io/bbolt v1.5.0
)

require (
	golang.org/x/sys v0.45.0 // indirect
	golang.org/x/text v0.14.0 // indirect
)
