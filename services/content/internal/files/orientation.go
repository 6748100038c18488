package files

import (
	"bytes"
	"encoding/binary"
	"image"
	"io"

	"github.com/disintegration/imaging"
)

// exifHeadBytes is how much of a file is searched for its EXIF block; cameras write it first.
const exifHeadBytes = 256 << 10

// orientation reads the EXIF orientation, 1 to 8; 1 (upright) when there is none. It reads the EXIF block of JPEG
// (APP1), PNG (eXIf) and WebP (EXIF); a damaged block counts as none.
func orientation(file io.Reader) int {
	head, err := io.ReadAll(io.LimitReader(file, exifHeadBytes))
	if err != nil {
		return 1
	}
	var tiff []byte
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xd8")):
		tiff = exifOfJPEG(head[2:])
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")):
		tiff = exifOfChunks(head[8:], "eXIf", binary.BigEndian, func(b []byte) ([]byte, []byte, int) {
			return b[4:8], b[0:4], 4 // length, type, data, checksum
		})
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) > 12:
		tiff = exifOfChunks(head[12:], "EXIF", binary.LittleEndian, func(b []byte) ([]byte, []byte, int) {
			return b[0:4], b[4:8], 0 // type, length, data, padded to even
		})
	}
	return orientationOfTIFF(bytes.TrimPrefix(tiff, []byte("Exif\x00\x00")))
}

// exifOfJPEG walks the segments up to the picture's data.
func exifOfJPEG(b []byte) []byte {
	for len(b) >= 4 && b[0] == 0xff {
		marker, length := b[1], int(binary.BigEndian.Uint16(b[2:]))
		if marker == 0xda || length < 2 || length+2 > len(b) {
			return nil
		}
		if body := b[4 : length+2]; marker == 0xe1 && bytes.HasPrefix(body, []byte("Exif\x00\x00")) {
			return body
		}
		b = b[length+2:]
	}
	return nil
}

// exifOfChunks walks PNG or RIFF chunks; header picks type and length out of a chunk's first eight bytes and says how
// many bytes follow the data.
func exifOfChunks(b []byte, wanted string, order binary.ByteOrder, header func([]byte) (kind, length []byte, tail int)) []byte {
	for len(b) >= 8 {
		kind, rawLength, tail := header(b)
		length := int64(order.Uint32(rawLength))
		if 8+length > int64(len(b)) {
			return nil
		}
		if string(kind) == wanted {
			return b[8 : 8+length]
		}
		if tail == 0 {
			tail = int(length & 1)
		}
		next := 8 + length + int64(tail)
		if next > int64(len(b)) {
			return nil
		}
		b = b[next:]
	}
	return nil
}

// orientationOfTIFF finds tag 0x0112 in the first directory (TIFF 6.0, section 2).
func orientationOfTIFF(b []byte) int {
	const entryBytes = 12
	if len(b) < 8 {
		return 1
	}
	var order binary.ByteOrder = binary.LittleEndian
	if string(b[:2]) == "MM" {
		order = binary.BigEndian
	}
	offset := int64(order.Uint32(b[4:]))
	if offset+2 > int64(len(b)) {
		return 1
	}
	count := int(order.Uint16(b[offset:]))
	entries := b[offset+2:]
	for i := 0; i < count && len(entries) >= entryBytes; i++ {
		if order.Uint16(entries) == 0x0112 {
			if value := int(order.Uint16(entries[8:])); value >= 1 && value <= 8 {
				return value
			}
			return 1
		}
		entries = entries[entryBytes:]
	}
	return 1
}

// upright turns a picture as its orientation says.
func upright(picture image.Image, orientation int) image.Image {
	switch orientation {
	case 2:
		return imaging.FlipH(picture)
	case 3:
		return imaging.Rotate180(picture)
	case 4:
		return imaging.FlipV(picture)
	case 5:
		return imaging.Transpose(picture)
	case 6:
		return imaging.Rotate270(picture)
	case 7:
		return imaging.Transverse(picture)
	case 8:
		return imaging.Rotate90(picture)
	}
	return picture
}
