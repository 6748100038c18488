//go:build !cloud

package main

import "talkoot.fi/content/internal/media/files"

// objectStorage is what -tags cloud brings: without it pictures are kept in a folder.
var objectStorage files.Opener
