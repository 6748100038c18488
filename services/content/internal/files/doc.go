// Package files stores pictures and serves them in the sizes that pages ask for.
//
// It owns the blob store (a folder by default, object storage by URL) and everything under /media/: uploads, the
// project's own drawings, pictures drawn from a seed (package scenes), and the variants made of all of them.
//
// Invariants: what a user uploads is decoded and encoded anew before a byte of it is stored, so that no metadata, no
// trailing data and no second format survives; an SVG is never taken from a user; a name stands for the same picture
// for ever, so answers are immutable; sizes are snapped to a short list, so the number of variants per picture is bounded;
// pictures drawn from a seed are kept in bounded memory only and queue apart, because anyone can invent seeds, and are
// made into a JPEG for names with our checksum alone (SharePath); at most two pictures are decoded at a time. The store may fail to write (a full disk): then uploads are refused and variants are served without
// being kept.
//
// Who may upload, and what refers to a picture, is left to the domains. Layout of the store:
// originals/<name>, variants/<recipe>/<name>/<size>.<ext>.
package files
