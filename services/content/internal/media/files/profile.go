package files

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"

	"github.com/kovidgoyal/imaging"
	"github.com/kovidgoyal/imaging/prism/meta/icc"
)

// toSRGB converts a picture from the colours of its profile to those in which it is stored and shown. What has no
// profile, a damaged one or one of another kind of picture has the colours of the web already.
func toSRGB(picture image.Image, profile []byte) image.Image {
	if !isSound(profile) {
		return picture
	}
	converted, err := convertFrom(profile, picture)
	if err != nil {
		return picture
	}
	return converted
}

func convertFrom(profile []byte, picture image.Image) (converted image.Image, err error) {
	// What a profile is made of is a stranger's.
	defer func() {
		if failure := recover(); failure != nil {
			err = fmt.Errorf("convert colours: %v", failure)
		}
	}()
	read, err := icc.DecodeProfile(bytes.NewReader(profile))
	if err != nil {
		return nil, fmt.Errorf("read colour profile: %w", err)
	}
	space := spaceOf(picture)
	if read.Header.DataColorSpace != space {
		return nil, fmt.Errorf("the profile is of %s", read.Header.DataColorSpace)
	}
	if read.IsSRGB() {
		return picture, nil
	}
	convert := func(from image.Image) (image.Image, error) {
		return imaging.ConvertToSRGB(read, imaging.Relative, true, from)
	}
	switch space {
	case icc.ColorSpaceCMYK:
		converted, err = convertCMYK(picture.(*image.CMYK), convert)
	case icc.ColorSpaceGray:
		converted, err = convert(picture)
	default:
		converted, err = convertRGB(imaging.Clone(picture), convert)
	}
	if err != nil {
		return nil, fmt.Errorf("convert colours: %w", err)
	}
	return converted, nil
}

// isSound reports whether what a profile claims to have lies within it: its tags, the tables of its curves and its texts
// (ICC.1:2022, sections 7.3, 10.6 and 10.15). What reads it makes room for as much as they claim.
func isSound(profile []byte) bool {
	const head, entry = 128 + 4, 12
	if len(profile) < head {
		return false
	}
	number := func(at int) int { return int(binary.BigEndian.Uint32(profile[at:])) }
	tags, size := number(head-4), len(profile)
	if tags > (size-head)/entry {
		return false
	}
	for at := head; at < head+tags*entry; at += entry {
		if number(at+4)+number(at+8) > size {
			return false
		}
	}
	for at := 0; at+16 <= size; at++ {
		switch string(profile[at : at+4]) {
		case "curv":
			if number(at+8) > (size-at-12)/2 {
				return false
			}
		case "mluc": // its texts may overlap
			texts := 0
			for record := at + 16; record+entry <= size && record < at+16+number(at+8)*entry; record += entry {
				if texts += number(record + 4); texts > size {
					return false
				}
			}
		}
	}
	return true
}

// spaceOf is the colour space that a picture's profile must be of.
func spaceOf(picture image.Image) icc.ColorSpace {
	switch picture.(type) {
	case *image.CMYK:
		return icc.ColorSpaceCMYK
	case *image.Gray, *image.Gray16:
		return icc.ColorSpaceGray
	}
	return icc.ColorSpaceRGB
}
