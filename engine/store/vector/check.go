package vector

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"
)

// maxID is the maximum size of an id in bytes. The UUIDs of RFC 3.2 have 36.
const maxID = 40

// checkRows returns ErrInvalid for rows that could crash the native library, and thus the process.
func checkRows(rows []Row) error {
	for i := range rows {
		r := &rows[i]
		if r.ID == "" || r.Path == "" {
			return fmt.Errorf("%w: row %d has no id or path", ErrInvalid, i)
		}
		if len(r.ID) > maxID || len(r.Path) > math.MaxUint16 {
			return fmt.Errorf("%w: id of %d bytes or path of %d bytes", ErrInvalid, len(r.ID), len(r.Path))
		}
		if err := checkStrings(r.ID, r.Path, r.ContentHash); err != nil {
			return err
		}
		if !utf8.ValidString(r.Text) {
			return fmt.Errorf("%w: text of row %d is not UTF-8", ErrInvalid, i)
		}
		if r.StartLine < 0 || r.EndLine < r.StartLine || r.EndLine > math.MaxInt32 {
			return fmt.Errorf("%w: lines %d to %d of row %d", ErrInvalid, r.StartLine, r.EndLine, i)
		}
		if err := checkVector(r.Vector[:]); err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
	}
	return nil
}

func checkVector(v []float32) error {
	for i, x := range v {
		if f := float64(x); math.IsNaN(f) || math.IsInf(f, 0) {
			return fmt.Errorf("%w: component %d of a vector is %v", ErrInvalid, i, x)
		}
	}
	return nil
}

// checkStrings returns ErrInvalid for a string with a NUL, which ends a C string, or with invalid UTF-8.
func checkStrings(list ...string) error {
	for _, s := range list {
		if strings.IndexByte(s, 0) >= 0 || !utf8.ValidString(s) {
			return fmt.Errorf("%w: %q", ErrInvalid, s)
		}
	}
	return nil
}
