//go:build cloud

package main

import "talkoot.fi/content/internal/media/files/cloud"

// objectStorage opens picture stores that are no folders. It is nil in programs that were built without -tags cloud.
var objectStorage = cloud.Open
