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
)

// The files of the data folder that this package keeps.
const (
	lockFile   = "app.lock"   // locked while an app serves the folder; empty
	holderFile = "app.json"   // who has it; beside the lock because Windows lets nobody read a locked file
	startFile  = "start.lock" // locked while somebody starts the app
)

// Holder is the process that has a data folder.
type Holder struct {
	PID     int       `json:"pid"`
	Version string    `json:"version"`
	Started time.Time `json:"started"`
}

// Instance is the right to serve a data folder.
type Instance struct {
	dir  string
	lock *flock.Flock
}

// A probe (Held) takes the lock for some microseconds; an app that starts in just that moment must not take it for
// another app. A dozen tries over a quarter of a second can't all meet probes.
const (
	lockTries = 12
	lockPause = 20 * time.Millisecond
)

// Lock takes dataDir for this process, making the folder (0700) if need be. If another process has it the error is a
// *HeldError that tells which. The operating system drops the lock when the process ends, however it ends.
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
		_ = l.Close() // without a lock it is only a file that is open
		return nil, &HeldError{Dir: dir, Holder: readHolder(dir)}
	}
	in := &Instance{dir: dir, lock: l}
	if err := in.sign(); err != nil {
		return nil, errors.Join(fmt.Errorf("lock data folder %s: %w", dir, err), l.Close())
	}
	return in, nil
}

// Unused reports whether no app has served a data folder yet.
func Unused(dataDir string) bool {
	_, err := os.Stat(filepath.Join(dataDir, lockFile))
	return errors.Is(err, fs.ErrNotExist)
}

// sign writes who has the folder, for the message that a second app shows.
func (in *Instance) sign() error {
	data, err := json.Marshal(Holder{PID: os.Getpid(), Version: version.Version, Started: time.Now()})
	if err != nil {
		return err
	}
	f, err := os.CreateTemp(in.dir, holderFile+".*") // 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = whileProbed(func() error { return os.Rename(f.Name(), filepath.Join(in.dir, holderFile)) })
	}
	if err != nil {
		return errors.Join(err, os.Remove(f.Name()))
	}
	return nil
}

// whileProbed does something to the holder's file, again while it is refused: Windows replaces and removes no file that
// a probe is just reading.
func whileProbed(do func() error) (err error) {
	for range lockTries {
		if err = do(); err == nil || errors.Is(err, fs.ErrNotExist) {
			break
		}
		time.Sleep(lockPause)
	}
	return err
}

// Lost reports whether the lock's file is gone or another one stands in its place: the folder was removed under the
// app, and nothing keeps a second app from taking one that is made anew.
func (in *Instance) Lost() bool {
	now, err := os.Stat(filepath.Join(in.dir, lockFile))
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	held, err := in.lock.Stat()
	return err == nil && !os.SameFile(held, now)
}

// Unlock gives the folder back. It may be called once.
func (in *Instance) Unlock() error {
	var err error
	if !in.Lost() { // what stands there then is another app's
		err = whileProbed(func() error { return os.Remove(filepath.Join(in.dir, holderFile)) })
	}
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err = errors.Join(err, in.lock.Close()); err != nil {
		return fmt.Errorf("unlock data folder %s: %w", in.dir, err)
	}
	return nil
}

func readHolder(dir string) Holder {
	var h Holder
	data, err := os.ReadFile(filepath.Join(dir, holderFile))
	if err != nil || json.Unmarshal(data, &h) != nil {
		return Holder{}
	}
	return h
}

// Held reports whether a process has dataDir, and which if it has said so.
func Held(dataDir string) (Holder, bool, error) {
	dir, err := resolve(dataDir)
	if err != nil {
		return Holder{}, false, fmt.Errorf("probe data folder %s: %w", dataDir, err)
	}
	path := filepath.Join(dir, lockFile)
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return Holder{}, false, nil
	}
	l := flock.New(path, flock.SetPermissions(0o600))
	ok, err := l.TryLock()
	if err != nil {
		return Holder{}, false, fmt.Errorf("probe data folder %s: %w", dir, err)
	}
	err = l.Close() // also without a lock: Windows lets nobody remove a file that is open
	if !ok {
		return readHolder(dir), true, err
	}
	return Holder{}, false, err
}

// TryStarter takes the right to start the app for dataDir; ok is false while another process has it. release gives it
// back.
func TryStarter(dataDir string) (release func() error, ok bool, err error) {
	dir, err := privateDir(dataDir)
	if err != nil {
		return nil, false, fmt.Errorf("start lock in %s: %w", dataDir, err)
	}
	l := flock.New(filepath.Join(dir, startFile), flock.SetPermissions(0o600))
	if ok, err = l.TryLock(); err != nil {
		return nil, false, fmt.Errorf("start lock in %s: %w", dir, err)
	}
	if !ok {
		return nil, false, l.Close()
	}
	return l.Close, true, nil
}
