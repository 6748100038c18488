// Package files stores pictures and serves them in the sizes that pages ask for.
//
// It owns the blob store (a folder, or object storage through package cloud) and everything under /media/: uploads, the
// project's own drawings, pictures drawn from a seed (package scenes), and the variants made of all of them.
//
// Invariants: uploads are decoded and re-encoded before they are stored, so that no metadata, trailing data or second
// format survives; SVG is never accepted from a user; a name always stands for the same picture, so answers are
// immutable; sizes are rounded to a short list, so the number of variants per picture is bounded; pictures drawn from
// a seed are cached in bounded memory only and have a queue of their own, because anyone can invent seeds, and are
// served as JPEG only under names with our checksum (SharePath); at most two pictures are decoded at a time. When the
// store cannot be written (a full disk), uploads are refused and variants are served without being stored.
//
// Who may upload, and what refers to a picture, is left to the domains. Layout of the store:
// originals/<name>, variants/<recipe>/<name>/<size>.<ext>.
package files
