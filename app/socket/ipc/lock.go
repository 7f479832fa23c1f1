package ipc

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"searchmcp/app/version"
	"searchmcp/engine/api"
)

const (
	lockFile  = "app.lock" // always empty
	ownerFile = "app.json" // a separate file, because Windows can't read a locked file
	startFile = "start.lock"
)

type Owner struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

type LockedError struct {
	Dir   string
	Owner Owner // zero if not yet written
}

func (e *LockedError) Error() string {
	if e.Owner.PID == 0 {
		return fmt.Sprintf("lock data folder %s: another Search MCP has it", e.Dir)
	}
	return fmt.Sprintf("lock data folder %s: Search MCP %s has it (process %d, since %s)", e.Dir, e.Owner.Version,
		e.Owner.PID, e.Owner.Started.Local().Format("2006-01-02 15:04:05"))
}

type Instance struct {
	dir  string
	lock *flock.Flock
	// Unwritable is the error from writing to the data folder, which may be read-only or full.
	Unwritable error
}

const (
	lockTries = 12 // other processes lock the file for microseconds to check the lock
	lockPause = 20 * time.Millisecond
)

// Lock locks dataDir for the app and creates the folder with mode 0700 if necessary. It returns a *LockedError if
// another process has the lock.
func Lock(dataDir string) (*Instance, error) {
	dir, err := privateDir(dataDir)
	if err != nil {
		return nil, fmt.Errorf("lock data folder %s: %w", dataDir, err)
	}
	l := flock.New(filepath.Join(dir, lockFile), flock.SetPermissions(0o600))
	ok := false
	for range lockTries {
		if ok, err = l.TryLock(); ok || err != nil {
			break
		}
		time.Sleep(lockPause)
	}
	if err != nil {
		return nil, fmt.Errorf("lock data folder %s: %w", dir, err)
	}
	if !ok {
		_ = l.Close() // TryLock has opened the file
		return nil, &LockedError{Dir: dir, Owner: readOwner(dir)}
	}
	in := &Instance{dir: dir, lock: l}
	if err := in.WriteOwner(); api.Unwritable(err) {
		in.Unwritable = err
	} else if err != nil {
		return nil, errors.Join(fmt.Errorf("lock data folder %s: %w", dir, err), l.Close())
	}
	return in, nil
}

func (in *Instance) WriteOwner() error {
	data, err := json.Marshal(Owner{PID: os.Getpid(), Version: version.Version, Started: time.Now()})
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(in.dir, ownerFile+".*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = retry(func() error { return os.Rename(f.Name(), filepath.Join(in.dir, ownerFile)) })
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// retry calls change up to lockTries times. Windows can't replace or remove a file while another process reads it.
func retry(change func() error) (err error) {
	for range lockTries {
		if err = change(); err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
		time.Sleep(lockPause)
	}
	return err
}

// Lost reports whether the lock file was removed or replaced. A second app could then lock the new file.
func (in *Instance) Lost() bool {
	now, err := os.Stat(filepath.Join(in.dir, lockFile))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	locked, err := in.lock.Stat()
	return err == nil && !os.SameFile(locked, now)
}

func (in *Instance) Unlock() error {
	var err error
	if !in.Lost() { // ownerFile is still from this app
		err = retry(func() error { return os.Remove(filepath.Join(in.dir, ownerFile)) })
	}
	if errors.Is(err, fs.ErrNotExist) || api.Unwritable(err) {
		err = nil
	}
	if err = errors.Join(err, in.lock.Close()); err != nil {
		return fmt.Errorf("unlock data folder %s: %w", in.dir, err)
	}
	return nil
}

func readOwner(dir string) Owner {
	var h Owner
	data, err := os.ReadFile(filepath.Join(dir, ownerFile))
	if err != nil || json.Unmarshal(data, &h) != nil {
		return Owner{}
	}
	return h
}

func Locked(dataDir string) (Owner, bool, error) {
	dir, err := resolve(dataDir)
	if err != nil {
		return Owner{}, false, fmt.Errorf("probe data folder %s: %w", dataDir, err)
	}
	path := filepath.Join(dir, lockFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return Owner{}, false, nil
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return Owner{}, false, fmt.Errorf("probe data folder %s: %w", dir, err)
	}
	err = l.Close()
	if !ok {
		return readOwner(dir), true, err
	}
	return Owner{}, false, err
}

// TryStarter tries to acquire the start lock, with which a process may start the app. In a read-only folder it succeeds
// without a lock.
func TryStarter(dataDir string) (release func() error, ok bool, err error) {
	dir, err := privateDir(dataDir)
	if err != nil {
		return nil, false, fmt.Errorf("start lock in %s: %w", dataDir, err)
	}
	l := flock.New(filepath.Join(dir, startFile), flock.SetPermissions(0o600))
	if ok, err = l.TryLock(); api.Unwritable(err) {
		return l.Close, true, nil
	} else if err != nil {
		return nil, false, fmt.Errorf("start lock in %s: %w", dir, err)
	}
	if !ok {
		return nil, false, l.Close()
	}
	return l.Close, true, nil
}
