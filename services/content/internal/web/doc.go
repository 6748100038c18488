// Package web serves the web app: its immutable assets, and the page shell that every other address answers with.
//
// The shell is the app's index.html, completed with the page's title, description, link preview and canonical address,
// a first paint without script, the readable content for browsers without script, the page's code and texts, and the
// answers to the app's first calls. Those answers come from the service's own API, called in process, so page and API
// cannot differ; the texts are the app's own, which its build writes to pages.json. The pages are
// listed in this package's pages.json, from which the app's router is made too. Pages are the same for everybody: they
// do not depend on a session.
package web
