package files

import (
	"encoding/binary"
	"image"

	"github.com/kovidgoyal/imaging"
)

// orientationOfTIFF finds tag 0x0112 in the first directory (TIFF 6.0, section 2); 1 when it is not there.
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
