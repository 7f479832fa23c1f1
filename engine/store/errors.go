package store

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"searchmcp/engine/api"
	"searchmcp/engine/host/disk"
	"searchmcp/engine/store/files"
	"searchmcp/engine/store/text"
	"searchmcp/engine/store/vector"
)

// Part is the text index or the vector table of a corpus.
type Part string

const (
	PartText    Part = "text index"
	PartVectors Part = "vector table"
)

// Damage is the error for an unreadable part of an index. Quarantine renames this part.
type Damage struct {
	Corpus api.Corpus
	Part   Part
	Err    error
}

func (d *Damage) Error() string { return fmt.Sprintf("%s of %s: %v", d.Part, d.Corpus, d.Err) }

func (d *Damage) Unwrap() error { return d.Err }

// apiError converts known errors to an *api.Error, such as DISK_FULL. need is the number of bytes that the failed
// operation had to write.
func (s *Store) apiError(err error, need int64) error {
	var known *api.Error
	limit := api.ErrOpenFiles(err)
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case limit != nil: // must be first, because libraries report too many open files as damage
		return limit
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		free, ferr := disk.FreeBytes(s.dir)
		if ferr != nil {
			free = 0
		}
		return api.ErrDiskFull(need>>20+1, free>>20, err)
	case errors.Is(err, vector.ErrCPU):
		return api.New(api.Internal, "This computer's processor is too old for search by meaning (it lacks AVX2); "+
			"search by words works.",
			err.Error(), err)
	case errors.Is(err, vector.ErrLibrary):
		return api.New(api.Internal, "Search by meaning does not work on this computer, because the vector library "+
			"fails. Search by words works.",
			err.Error(), err)
	case errors.Is(err, text.ErrLocked):
		return busy(err)
	case errors.Is(err, text.ErrCorrupt), errors.Is(err, vector.ErrCorrupt), errors.Is(err, files.ErrDamaged):
		return api.ErrIndexCorrupt(err)
	case errors.Is(err, fs.ErrPermission):
		return api.ErrUnwritable(s.dir, err)
	}
	return err
}

// newer returns the error for a newer index version. It wraps no *Damage, so that callers keep the index.
func newer(detail string) *api.Error {
	return api.New(api.IndexCorrupt, "This index was created by a newer version of the program.", detail, nil)
}

func busy(cause error) error {
	return api.New(api.Busy, "Another program is using this project's index.", "index is open in another process", cause)
}
