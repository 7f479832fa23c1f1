package activity

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"searchmcp/engine/api"
)

const week = 7 * 24 * time.Hour

// journal is a file with one entry in JSON per line. It is not safe for concurrent use.
type journal struct {
	path  string
	file  *os.File
	lines int
}

// open opens the file, adds the entries in ring and returns the file's earlier entries of the last week.
func (j *journal) open(now time.Time, ring []api.Activity) (before []api.Activity, err error) {
	if j.file != nil {
		return nil, nil
	}
	before, err = read(j.path, now.Add(-week))
	if err != nil {
		return nil, err
	}
	return before, j.write(append(before[:len(before):len(before)], ring...))
}

// add appends entry to the file. If the file is too long or too old, add replaces its content with the entries in ring.
func (j *journal) add(entry api.Activity, ring []api.Activity) error {
	if j.file == nil {
		return nil
	}
	if j.lines >= 2*maxEntries || entry.Time.Sub(ring[0].Time) > week {
		limit := entry.Time.Add(-week)
		young := make([]api.Activity, 0, len(ring))
		for _, a := range ring {
			if a.Time.After(limit) {
				young = append(young, a)
			}
		}
		return j.write(young)
	}
	line, err := json.Marshal(entry)
	if err != nil {
		return fmt.Errorf("keep activity: %w", err)
	}
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("keep activity: %w", err)
	}
	j.lines++
	return nil
}

func (j *journal) write(all []api.Activity) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	for _, a := range all {
		if err := e.Encode(a); err != nil {
			return fmt.Errorf("keep activity: %w", err)
		}
	}
	if j.file != nil {
		_ = j.file.Close()
		j.file = nil
	}
	if err := replace(j.path, b.Bytes()); err != nil {
		return err
	}
	f, err := os.OpenFile(j.path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("keep activity: %w", err)
	}
	j.file, j.lines = f, len(all)
	return nil
}

func (j *journal) close() error {
	if j.file != nil {
		_ = j.file.Close()
		j.file = nil
	}
	err := errors.Join(gone(os.Remove(j.path)), gone(os.Remove(j.path+".new")))
	if err != nil {
		return fmt.Errorf("remove activity: %w", err)
	}
	return nil
}

func replace(path string, text []byte) error {
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return fmt.Errorf("keep activity: %w", err)
	}
	return os.Rename(path+".new", path)
}

func gone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// read returns the entries that are newer than since. It skips malformed lines, which a crash can leave.
func read(path string, since time.Time) ([]api.Activity, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read activity: %w", err)
	}
	defer f.Close()
	var all []api.Activity
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20) // a query has at most 10 KB
	for lines.Scan() {
		var a api.Activity
		if json.Unmarshal(lines.Bytes(), &a) == nil && a.Time.After(since) {
			all = append(all, a)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("read activity: %w", err)
	}
	return all, nil
}
