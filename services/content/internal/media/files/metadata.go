package files

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"io"
)

// maxBlock is how much of a block of metadata is read, in bytes: the profiles of printing presses have half a megabyte.
const maxBlock = 4 << 20

// metadata is what a picture's file says besides its pixels. A damaged block counts as none.
type metadata struct {
	orientation int    // of EXIF, 1 to 8; 1 (upright) when there is none
	profile     []byte // ICC; empty when there is none
}

// metadataOf reads the blocks of JPEG (APP1, APP2), PNG (eXIf, iCCP) and WebP (EXIF, ICCP), wherever they stand: WebP has
// EXIF behind the pixels.
func metadataOf(file io.ReadSeeker) metadata {
	exif, profile := []byte(nil), []byte(nil)
	head := make([]byte, 12)
	n, _ := io.ReadFull(file, head)
	from := func(offset int64) bool {
		_, err := file.Seek(offset, io.SeekStart)
		return err == nil
	}
	switch head = head[:n]; {
	case bytes.HasPrefix(head, []byte("\xff\xd8")) && from(2):
		exif, profile = blocksOfJPEG(file)
	case bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n")) && from(8):
		exif, profile = blocksOfPNG(file)
	case bytes.HasPrefix(head, []byte("RIFF")) && len(head) == 12:
		exif, profile = blocksOfWebP(file)
	}
	return metadata{orientationOfTIFF(bytes.TrimPrefix(exif, exifMark)), profile}
}

var (
	exifMark = []byte("Exif\x00\x00")
	iccMark  = []byte("ICC_PROFILE\x00")
)

// blocksOfJPEG walks the segments up to the pixels. A profile may be cut into numbered pieces (ICC.1:2022, annex B.4).
func blocksOfJPEG(file io.ReadSeeker) (exif, profile []byte) {
	pieces := map[byte][]byte{}
	head := make([]byte, 4)
	for {
		if _, err := io.ReadFull(file, head); err != nil || head[0] != 0xff || head[1] == 0xda {
			break
		}
		length := int64(binary.BigEndian.Uint16(head[2:])) - 2
		if length < 0 {
			break
		}
		isWanted := head[1] == 0xe1 && exif == nil || head[1] == 0xe2
		body, ok := take(file, length, isWanted)
		if !ok {
			break
		}
		switch {
		case head[1] == 0xe1 && bytes.HasPrefix(body, exifMark):
			exif = body
		case bytes.HasPrefix(body, iccMark) && len(body) > len(iccMark)+2:
			pieces[body[len(iccMark)]] = body[len(iccMark)+2:]
		}
	}
	for number := 1; number <= len(pieces); number++ {
		piece, isThere := pieces[byte(number)]
		if !isThere || len(profile)+len(piece) > maxBlock {
			return exif, nil
		}
		profile = append(profile, piece...)
	}
	return exif, profile
}

func blocksOfPNG(file io.ReadSeeker) (exif, profile []byte) {
	head := make([]byte, 8)
	for {
		if _, err := io.ReadFull(file, head); err != nil {
			return exif, profile
		}
		length, kind := int64(binary.BigEndian.Uint32(head)), string(head[4:])
		body, ok := take(file, length, kind == "eXIf" || kind == "iCCP")
		if _, err := file.Seek(4, io.SeekCurrent); !ok || err != nil { // the checksum
			return exif, profile
		}
		switch kind {
		case "eXIf":
			exif = body
		case "iCCP":
			profile = inflate(body)
		}
	}
}

// inflate reads the profile of a PNG: a name, a zero, the method 0 and the compressed profile.
func inflate(body []byte) []byte {
	_, packed, found := bytes.Cut(body, []byte{0})
	if !found || len(packed) < 1 || packed[0] != 0 {
		return nil
	}
	unpacked, err := zlib.NewReader(bytes.NewReader(packed[1:]))
	if err != nil {
		return nil
	}
	profile, err := io.ReadAll(io.LimitReader(unpacked, maxBlock+1))
	if err != nil || len(profile) > maxBlock {
		return nil
	}
	return profile
}

func blocksOfWebP(file io.ReadSeeker) (exif, profile []byte) {
	head := make([]byte, 8)
	for {
		if _, err := io.ReadFull(file, head); err != nil {
			return exif, profile
		}
		kind, length := string(head[:4]), int64(binary.LittleEndian.Uint32(head[4:]))
		body, ok := take(file, length, kind == "EXIF" || kind == "ICCP")
		if _, err := file.Seek(length&1, io.SeekCurrent); !ok || err != nil { // padded to even
			return exif, profile
		}
		switch kind {
		case "EXIF":
			exif = body
		case "ICCP":
			profile = body
		}
	}
}

// take reads a block that is wanted and passes over another. It reports false where the file ends before the block.
func take(file io.ReadSeeker, length int64, isWanted bool) ([]byte, bool) {
	if !isWanted || length > maxBlock {
		_, err := file.Seek(length, io.SeekCurrent)
		return nil, err == nil
	}
	body := make([]byte, length)
	_, err := io.ReadFull(file, body)
	return body, err == nil
}
