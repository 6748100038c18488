// Package uploads takes pictures that people send and hands them to package files, which keeps them.
//
// It owns the table upload_totals. Invariants: a body is read only once its sender is known and may send one, and never
// whole into memory: it is spooled to a temporary file; a person sends at most dailyBytes a day and perPerson pictures
// at a time, a network perNetwork, and all together atOnce; when all slots are taken, the slowest upload that has used
// up its grace loses its slot to the next one; a picture is kept only if its sender is still signed in, and still
// allowed, when the last byte has come. What a picture is for is written by another change, which names it.
package uploads
