// Package web serves the web app: its immutable assets, and the page shell that every other address answers with.
//
// The shell is the app's own index.html with the address's title, description, link previews and canonical address,
// a first paint that needs no script, all that is to be read for those without script, the files of the page's code and
// texts to fetch ahead, and the answers to the first calls the app would make. Those answers come from the service's own
// API, asked in process, so the page can never say something else than the API; the words are the app's own, which its
// build leaves in pages.json. Which addresses get what is the table in pages.json here, which the app's router has too.
// Pages are the same for everybody: nothing of a session goes into them.
package web
