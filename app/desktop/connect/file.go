package connect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"searchmcp/engine/api"
)

// maxConfig is the maximum size of a configuration file, in which Claude Code also keeps its history.
const maxConfig = 64 << 20

// private is the mode of new configuration files, because editors store keys in them.
const private fs.FileMode = 0o600

// readConfig returns the content of a configuration file, or nil if the file does not exist. It refuses pipes, because
// opening a pipe could block.
func readConfig(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, errBroken(errors.New("it is not a file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	if len(data) > maxConfig {
		return nil, errBroken(fmt.Errorf("it is larger than %d MB", maxConfig>>20))
	}
	return data, nil
}

// replace atomically writes p.after to the file and keeps a backup. It fails if the content is no longer p.before. A
// nil content means that the file does not exist.
func replace(p Plan, now time.Time) (backup string, err error) {
	path, before, after, mode := p.File, p.before, p.after, p.mode
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if info, lerr := os.Lstat(path); lerr == nil && info.Mode()&fs.ModeSymlink != 0 {
		return "", fmt.Errorf("follow the link %s: %w", path, err)
	}
	if before != nil {
		info, err := os.Stat(path)
		if err != nil {
			return "", fmt.Errorf("examine %s: %w", path, err)
		}
		if mode = info.Mode().Perm(); mode&0o200 == 0 {
			return "", api.New(CodeReadOnly, path+" is write-protected, so it was left unchanged.", "no write permission", nil)
		}
	} else if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return "", fmt.Errorf("make the folder of the configuration: %w", err)
	}
	if err := unchanged(path, before); err != nil {
		return "", err
	}
	if before != nil && p.kept {
		if backup, err = keep(path, before, mode, now); err != nil {
			return "", err
		}
	}
	if after == nil {
		if err := os.Remove(path); err != nil {
			return backup, fmt.Errorf("remove %s: %w", path, err)
		}
		return backup, nil
	}
	temporary, err := write(filepath.Dir(path), after, mode)
	if err != nil {
		return backup, err
	}
	if err = unchanged(path, before); err == nil {
		err = os.Rename(temporary, path)
	}
	if err != nil {
		return backup, errors.Join(fmt.Errorf("replace %s: %w", path, err), os.Remove(temporary))
	}
	return backup, nil
}

func unchanged(path string, before []byte) error {
	now, err := readConfig(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(now, before) || (now == nil) != (before == nil) {
		return api.New(CodeChanged, path+" was changed in the meantime, so it was left unchanged. Please try again.",
			"changed since the plan", nil)
	}
	return nil
}

func keep(path string, data []byte, mode fs.FileMode, now time.Time) (string, error) {
	base := path + "." + now.UTC().Format("20060102-150405")
	for n := 0; ; n++ {
		name := base + ".bak"
		if n > 0 {
			name = fmt.Sprintf("%s-%d.bak", base, n)
		}
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("keep a copy of %s: %w", path, err)
		}
		if err := fill(f, data); err != nil {
			return "", errors.Join(fmt.Errorf("keep a copy of %s: %w", path, err), os.Remove(name))
		}
		return name, nil
	}
}

func write(dir string, data []byte, mode fs.FileMode) (string, error) {
	f, err := os.CreateTemp(dir, ".search-mcp-*")
	if err != nil {
		return "", fmt.Errorf("write the configuration: %w", err)
	}
	err = f.Chmod(mode)
	if ferr := fill(f, data); err == nil {
		err = ferr
	}
	if err != nil {
		return "", errors.Join(fmt.Errorf("write the configuration: %w", err), os.Remove(f.Name()))
	}
	return f.Name(), nil
}

func fill(f *os.File, data []byte) error {
	_, err := f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
