package files

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"net/http"
	"runtime/debug"

	"github.com/kovidgoyal/imaging"
	anyjpeg "github.com/kovidgoyal/imaging/jpeg"
	"github.com/kovidgoyal/imaging/prism/meta/icc"
	"golang.org/x/image/webp"

	"talkoot.fi/kit/apperr"
)

const (
	maxUploadBytes = 25 << 20
	maxPixels      = 50_000_000
	maxSide        = 16_000
	// plainPixels is how many pixels a picture may have whatever its file's size; of one that has more, each byte of the file stands for
	// pixelsPerByte at most. Cameras need a byte for 2 to 20 pixels, large drawings one for 200; a file of a few kilobytes that claims
	// 49 megapixels is one colour, and costs seconds to scale down.
	plainPixels   = 12_000_000
	pixelsPerByte = 250
	// maxStoredSide is the longest side kept of an upload, in pixels: enough for the widest variant at 4:3 upright.
	maxStoredSide = 2560
	jpegQuality   = 82
	// returnBytes is the decoded size from which the memory of an upload is returned to the system at once. Such uploads
	// are rare, and the memory of two of them would otherwise stay resident for minutes.
	returnBytes = 16 << 20
)

// Image is a stored picture.
type Image struct {
	Name          string
	Width, Height int // pixels as stored, turned upright
	ContentType   string
}

// PutImage stores a user's picture as JPEG, or as PNG when it is transparent anywhere. Only the first frame of an
// animation is kept, and sides beyond 2560 pixels are scaled down. The name comes from kind (letters a-z, such as
// "campaign") and the content, so the same upload again gives the same name. The reader is a spooled file (a multipart
// file, a bytes.Reader); it is read several times and never held in memory whole. Errors: apperr.ImageRequired
// (empty), ImageTooLarge (bytes, pixels), ImageTypeUnsupported (anything but JPEG, PNG, GIF and WebP by content),
// ImageBroken, Busy, Unavailable (the store cannot be written).
func (s *Store) PutImage(ctx context.Context, kind string, file io.ReadSeeker) (Image, error) {
	if !isValidKind(kind) {
		return Image{}, fmt.Errorf("store picture: kind %q is not a short word of a-z", kind)
	}
	found, err := examine(file)
	if err != nil {
		return Image{}, err
	}
	leave, err := s.gate.enter(ctx, found.bytes)
	if err != nil {
		return Image{}, err
	}
	defer leave()
	if found.bytes > returnBytes {
		defer debug.FreeOSMemory() // runs before leave, so that the memory is free when the next decode begins
	}
	picture, err := found.decode(file)
	if err != nil {
		return Image{}, err
	}
	data, contentType, extension, err := encode(picture)
	if err != nil {
		return Image{}, err
	}
	sum := sha256.Sum256(data)
	stored := Image{
		Name:        kind + "-" + hex.EncodeToString(sum[:16]) + extension,
		Width:       picture.Bounds().Dx(),
		Height:      picture.Bounds().Dy(),
		ContentType: contentType,
	}
	key := originalKey(stored.Name)
	if present, err := s.stored(ctx, key); err != nil || present {
		return stored, err
	}
	return stored, s.write(ctx, key, data, contentType)
}

// upload is what examine finds out about a file.
type upload struct {
	format format
	bytes  int64 // memory that the decoded picture takes
}

// format is one of the accepted picture formats. Decoders are called by name, not through image.RegisterFormat, so
// that no import elsewhere can add a format.
type format struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}

func formatOf(contentType string) (format, bool) {
	switch contentType {
	case "image/jpeg":
		return format{anyjpeg.DecodeConfig, anyjpeg.Decode}, true
	case "image/png":
		return format{png.DecodeConfig, png.Decode}, true
	case "image/gif":
		return format{gif.DecodeConfig, gif.Decode}, true
	case "image/webp":
		return format{webp.DecodeConfig, decodeWebP}, true
	}
	return format{}, false
}

// examine checks a file by its size, its first bytes and its header, before anything large is allocated.
func examine(file io.ReadSeeker) (upload, error) {
	length, err := file.Seek(0, io.SeekEnd)
	if err != nil {
		return upload{}, fmt.Errorf("measure upload: %w", err)
	}
	if length == 0 {
		return upload{}, apperr.New(apperr.ImageRequired)
	}
	if length > maxUploadBytes {
		return upload{}, tooLarge("%d bytes", length)
	}
	head := make([]byte, min(length, 512))
	if err := rewind(file); err != nil {
		return upload{}, err
	}
	if _, err := io.ReadFull(file, head); err != nil {
		return upload{}, fmt.Errorf("read upload: %w", err)
	}
	contentType := http.DetectContentType(head)
	format, known := formatOf(contentType)
	if !known {
		return upload{}, apperr.New(apperr.ImageTypeUnsupported).Wrap(errors.New("content is " + contentType))
	}
	if err := rewind(file); err != nil {
		return upload{}, err
	}
	config, err := format.config(file)
	if err != nil {
		return upload{}, broken("read picture header", err)
	}
	if config.Width <= 0 || config.Height <= 0 {
		return upload{}, broken("read picture header", errors.New("no size"))
	}
	if config.Width > maxSide || config.Height > maxSide || config.Width*config.Height > maxPixels {
		return upload{}, tooLarge("%d × %d pixels", config.Width, config.Height)
	}
	if pixels := int64(config.Width) * int64(config.Height); pixels > plainPixels && pixels > pixelsPerByte*length {
		return upload{}, tooLarge("%d × %d pixels in %d bytes", config.Width, config.Height, length)
	}
	memory := int64(config.Width) * int64(config.Height) * bytesPerPixel(config.ColorModel)
	if memory > decodeBudget { // 16 bits per channel beyond 25 megapixels
		return upload{}, tooLarge("%d × %d pixels take %d bytes", config.Width, config.Height, memory)
	}
	return upload{format, memory}, nil
}

// decode reads the picture, turns it upright, scales it down to what is kept and converts its colours to sRGB.
func (u upload) decode(file io.ReadSeeker) (image.Image, error) {
	if err := rewind(file); err != nil {
		return nil, err
	}
	told := metadataOf(file)
	if err := rewind(file); err != nil {
		return nil, err
	}
	picture, err := u.format.decode(file)
	if err != nil {
		return nil, broken("decode picture", err)
	}
	if b := picture.Bounds(); b.Dx() <= 0 || b.Dy() <= 0 { // a GIF whose first frame is empty
		return nil, broken("decode picture", errors.New("no pixels"))
	}
	isRGB := spaceOf(picture) == icc.ColorSpaceRGB
	if !isRGB { // what scales makes RGB of it
		picture = toSRGB(picture, told.profile)
	}
	if b := picture.Bounds(); b.Dx() > maxStoredSide || b.Dy() > maxStoredSide {
		picture = imaging.Fit(picture, maxStoredSide, maxStoredSide, imaging.Lanczos)
	}
	if isRGB { // fewer pixels now
		picture = toSRGB(picture, told.profile)
	}
	return upright(picture, told.orientation), nil
}

// encode writes a picture as JPEG, or as PNG when any of it is transparent.
func encode(picture image.Image) (data []byte, contentType, extension string, err error) {
	var out bytes.Buffer
	if opaque, ok := picture.(interface{ Opaque() bool }); ok && !opaque.Opaque() {
		if err := png.Encode(&out, picture); err != nil {
			return nil, "", "", fmt.Errorf("encode PNG: %w", err)
		}
		return out.Bytes(), "image/png", ".png", nil
	}
	if err := jpeg.Encode(&out, picture, &jpeg.Options{Quality: jpegQuality}); err != nil {
		return nil, "", "", fmt.Errorf("encode JPEG: %w", err)
	}
	return out.Bytes(), "image/jpeg", ".jpg", nil
}

func bytesPerPixel(model color.Model) int64 {
	switch model {
	case color.RGBA64Model, color.NRGBA64Model, color.CMYKModel: // CMYK is there once more in RGB
		return 8
	case color.Gray16Model: // there once more in colours of 16 bits, when it has a profile
		return 10
	}
	return 4 // at most: grey, palettes and YCbCr take less
}

func rewind(file io.Seeker) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("rewind upload: %w", err)
	}
	return nil
}

func tooLarge(reason string, args ...any) error {
	return apperr.New(apperr.ImageTooLarge).Wrap(fmt.Errorf(reason, args...))
}

func broken(act string, cause error) error {
	return apperr.New(apperr.ImageBroken).Wrap(fmt.Errorf("%s: %w", act, cause))
}
