// Command fake stands in for content, payments, sandbox and demopledges: it takes their command lines and environment,
// prints which database it was given, and answers every request with its path and forwarding headers.
package main

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
)

func main() {
	name, command := filepath.Base(os.Args[0]), "serve"
	if name == "demopledges" { // has one thing to do, and ends
		command = ""
	}
	if len(os.Args) > 1 {
		command = os.Args[1]
	}
	database, err := url.Parse(os.Getenv("DATABASE_URL"))
	if err != nil {
		panic(err)
	}
	fmt.Println(name, command, "is", database.User.Username(), "in", database.Path, "with", os.Getenv("PAYMENTS_URL"))
	switch command {
	case "serve":
		http.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprintln(w, name, r.URL.Path, r.Header.Get("X-Forwarded-For"), r.Header.Get("X-Forwarded-Host"))
		})
		go func() { panic(http.ListenAndServe(os.Getenv("ADDR"), nil)) }()
	case "work":
	default:
		return
	}
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	<-ended
}
