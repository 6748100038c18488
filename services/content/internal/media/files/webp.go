package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP reads a WebP; of an animation its first frame.
func decodeWebP(file io.Reader) (image.Image, error) {
	head := make([]byte, 30)
	n, err := io.ReadFull(file, head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("read WebP: %w", err)
	}
	const animated = 0x02
	if n < len(head) || string(head[12:16]) != "VP8X" || head[20]&animated == 0 {
		return webp.Decode(io.MultiReader(bytes.NewReader(head[:n]), file))
	}
	still, err := firstFrame(file)
	if err != nil {
		return nil, err
	}
	return webp.Decode(still)
}

// firstFrame makes a still WebP of an animation whose file has been read to behind its VP8X chunk. See "Animation" in the
// container's specification, https://developers.google.com/speed/webp/docs/riff_container.
func firstFrame(file io.Reader) (io.Reader, error) {
	head := make([]byte, 8)
	for {
		if _, err := io.ReadFull(file, head); err != nil {
			return nil, fmt.Errorf("find the first frame: %w", err)
		}
		length := int64(binary.LittleEndian.Uint32(head[4:]))
		if string(head[:4]) == "ANMF" {
			return stillOf(io.LimitReader(file, length))
		}
		if _, err := io.CopyN(io.Discard, file, length+length&1); err != nil {
			return nil, fmt.Errorf("find the first frame: %w", err)
		}
	}
}

// stillOf puts a frame's chunks behind a header of their own. The frame says its place (6 bytes), width and height less
// one (3 bytes each), duration and flags (4 bytes); its first chunk is ALPH when it is transparent.
func stillOf(frame io.Reader) (io.Reader, error) {
	head := make([]byte, 16+4)
	if _, err := io.ReadFull(frame, head); err != nil {
		return nil, fmt.Errorf("read the first frame: %w", err)
	}
	const riffLength = 0xffff_fff0 // its true one is not known yet, and the frame ends where it ends
	still := binary.LittleEndian.AppendUint32([]byte("RIFF"), riffLength)
	still = append(still, "WEBP"...)
	if first := string(head[16:]); first == "ALPH" {
		const transparent = 0x10
		still = append(still, "VP8X\x0a\x00\x00\x00"...)
		still = append(still, transparent, 0, 0, 0)
		still = append(still, head[6:12]...)
	}
	still = append(still, head[16:]...)
	return io.MultiReader(bytes.NewReader(still), frame), nil
}
