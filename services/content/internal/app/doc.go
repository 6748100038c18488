// Package app puts the content service together: every domain's handlers behind the two contracts, the pages, the
// pictures and what an operator asks. It decides which path goes where and who may call; what a call does is the
// domains' own.
package app
