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

// Part is a part of a corpus that can be damaged separately.
type Part string

const (
	PartText    Part = "text index"
	PartVectors Part = "vector table"
)

// Damage reports an unreadable part, which Quarantine renames.
type Damage struct {
	Corpus api.Corpus
	Part   Part
	Err    error
}

func (d *Damage) Error() string { return fmt.Sprintf("%s of %s: %v", d.Part, d.Corpus, d.Err) }

func (d *Damage) Unwrap() error { return d.Err }

// apiError converts errors that callers handle (DISK_FULL, INDEX_CORRUPT, PERMISSION_DENIED, BUSY, too many open files)
// to an *api.Error. need is the number of bytes that the operation had to write.
func (s *Store) apiError(err error, need int64) error {
	var known *api.Error
	limit := api.ErrOpenFiles(err)
	switch {
	case err == nil, errors.As(err, &known):
		return err
	case limit != nil: // checked first, because a library may report it as damage
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
	case errors.Is(err, text.ErrNewer):
		return newer(err.Error())
	case errors.Is(err, text.ErrCorrupt), errors.Is(err, vector.ErrCorrupt), errors.Is(err, files.ErrDamaged):
		return api.ErrIndexCorrupt(err)
	case errors.Is(err, fs.ErrPermission):
		return api.ErrUnwritable(s.dir, err)
	}
	return err
}

// newer returns INDEX_CORRUPT without a cause, so that nothing is quarantined or replaced.
func newer(detail string) *api.Error {
	return api.New(api.IndexCorrupt, "This index was created by a newer version of the program.", detail, nil)
}

func busy(cause error) error {
	return api.New(api.Busy, "Another program is using this project's index.", "index is open in another process", cause)
}
