// Package app puts the content service together: every domain's handlers behind the two contracts, the pages, the
// pictures, health and metrics. It decides which path goes where; what a call does, and who may make it, is decided by
// the domains.
package app
