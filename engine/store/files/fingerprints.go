package files

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

type Hash [32]byte

func ParseHash(s string) (h Hash, ok bool) {
	if len(s) != 2*len(h) {
		return h, false
	}
	_, err := hex.Decode(h[:], []byte(s))
	return h, err == nil
}

func (h Hash) String() string { return hex.EncodeToString(h[:]) }

var ErrDamaged = errors.New("file is damaged")

// Fingerprints stores the content hashes of a corpus's files in a checkpoint file (RFC 3.3) and a journal of later
// changes. Append and Checkpoint must not be called concurrently.
type Fingerprints struct {
	path    string
	journal string
	file    *os.File
	size    int64 // size of the journal's valid part
	broken  error // error that Append returns, such as a read-only journal
}

type Loaded struct {
	Hashes map[string]Hash
	// Torn means that a crash left an incomplete record at the end of the journal, which has been truncated.
	Torn bool
	// Corrupt means that damaged entries of the checkpoint or the journal were dropped.
	Corrupt bool
}

// OpenFingerprints reads the checkpoint dir/name and its journal, and opens the journal for Append. Files may be
// missing. OpenFingerprints returns ErrDamaged if the checkpoint can't be parsed.
func OpenFingerprints(dir, name string) (*Fingerprints, Loaded, error) {
	f := &Fingerprints{path: filepath.Join(dir, name), journal: filepath.Join(dir, JournalName(name))}
	l := Loaded{Hashes: map[string]Hash{}}
	if err := readFingerprints(f.path, &l); err != nil {
		return nil, l, err
	}
	file, err := open(f.journal, os.O_RDWR|os.O_CREATE)
	if errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) { // the index can still be searched
		f.broken = err
		file, err = open(f.journal, os.O_RDONLY)
	}
	if err != nil {
		return nil, l, fmt.Errorf("open journal: %w", err)
	}
	f.file = file
	if err := f.replay(&l); err != nil {
		return nil, l, errors.Join(err, file.Close())
	}
	return f, l, nil
}

func JournalName(name string) string {
	return name[:len(name)-len(filepath.Ext(name))] + ".journal"
}

func readFingerprints(path string, l *Loaded) error {
	f, err := open(path, os.O_RDONLY)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("open fingerprints: %w", err)
	}
	defer f.Close()
	if err := decodeFingerprints(json.NewDecoder(f), l); err != nil {
		return fmt.Errorf("read %s: %w: %w", filepath.Base(path), ErrDamaged, err)
	}
	return nil
}

// decodeFingerprints decodes one entry at a time, because the file of a large project has 20 MB.
func decodeFingerprints(d *json.Decoder, l *Loaded) error {
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return cmp.Or(err, errors.New("not an object"))
	}
	for d.More() {
		name, err := d.Token()
		var value any
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return err
		}
		s, _ := value.(string)
		if h, ok := ParseHash(s); ok {
			l.Hashes[name.(string)] = h
		} else {
			l.Corrupt = true
		}
	}
	_, err := d.Token()
	return err
}

// record is one commit, a line of the journal.
type record struct {
	Set map[string]string `json:"set,omitempty"`
	Del []string          `json:"del,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// sumDigits is the number of hex digits of the CRC-32C at the start of a journal line.
const sumDigits = 8

func encodeRecord(r record) ([]byte, error) {
	body, err := json.Marshal(r)
	return fmt.Appendf(nil, "%08x %s\n", crc32.Checksum(body, castagnoli), body), err
}

func decodeRecord(line []byte) (r record, ok bool) {
	if len(line) < sumDigits+1 || line[sumDigits] != ' ' {
		return r, false
	}
	body := line[sumDigits+1:]
	if !bytes.Equal(line[:sumDigits], fmt.Appendf(nil, "%08x", crc32.Checksum(body, castagnoli))) {
		return r, false
	}
	return r, json.Unmarshal(body, &r) == nil
}

// replay applies the journal's records to l and truncates an incomplete record at the end.
func (f *Fingerprints) replay(l *Loaded) error {
	r := bufio.NewReaderSize(f.file, 64<<10)
	var at int64    // offset of the next line
	var valid int64 // offset after the last valid record
	var invalid bool
	for {
		line, err := r.ReadBytes('\n')
		at += int64(len(line))
		if err != nil && err != io.EOF {
			return fmt.Errorf("read journal: %w", err)
		}
		if err == io.EOF {
			invalid = invalid || len(line) > 0
			break
		}
		rec, ok := decodeRecord(bytes.TrimSuffix(line, []byte{'\n'}))
		if !ok {
			invalid = true
			continue
		}
		l.Corrupt = l.Corrupt || invalid
		invalid, valid = false, at
		for _, p := range rec.Del {
			delete(l.Hashes, p)
		}
		for p, s := range rec.Set {
			if h, ok := ParseHash(s); ok {
				l.Hashes[p] = h
			}
		}
	}
	f.size = valid
	if !invalid {
		return nil
	}
	l.Torn = true
	if f.broken != nil {
		return nil
	}
	if err := f.file.Truncate(valid); err != nil {
		return fmt.Errorf("cut torn end of journal: %w", err)
	}
	return nil
}

// Append adds and removes fingerprints. The changes are durable when Append returns. After a crash, either all changes
// apply or none.
func (f *Fingerprints) Append(set map[string]Hash, del []string) error {
	if f.broken != nil {
		return fmt.Errorf("append to journal: %w", f.broken)
	}
	if len(set)+len(del) == 0 {
		return nil
	}
	r := record{Del: del, Set: make(map[string]string, len(set))}
	for p, h := range set {
		r.Set[p] = h.String()
	}
	line, err := encodeRecord(r)
	if err != nil {
		return err
	}
	if err := f.append(line); err != nil {
		// Remove a partial record before the next is appended.
		if terr := f.file.Truncate(f.size); terr != nil {
			f.broken = terr
		}
		return fmt.Errorf("append to journal: %w", err)
	}
	f.size += int64(len(line))
	return nil
}

func (f *Fingerprints) append(line []byte) error {
	if _, err := f.file.Seek(f.size, io.SeekStart); err != nil {
		return err
	}
	if _, err := faultWriter(f.file).Write(line); err != nil {
		return err
	}
	return f.file.Sync()
}

func (f *Fingerprints) JournalSize() int64 { return f.size }

// Checkpoint writes all fingerprints to the checkpoint, and then empties the journal.
func (f *Fingerprints) Checkpoint(all map[string]Hash) error {
	err := Replace(f.path, func(w io.Writer) error {
		before := "{"
		for _, path := range slices.Sorted(maps.Keys(all)) {
			name, err := json.Marshal(path)
			if err != nil {
				return err
			}
			if _, err := fmt.Fprintf(w, "%s\n  %s: %q", before, name, all[path].String()); err != nil {
				return err
			}
			before = ","
		}
		_, err := io.WriteString(w, strings.TrimPrefix(before, ",")+"\n}\n")
		return err
	})
	if err != nil {
		return fmt.Errorf("checkpoint fingerprints: %w", err)
	}
	if err = f.file.Truncate(0); err == nil {
		f.size, f.broken = 0, nil
		err = f.file.Sync()
	}
	if err != nil {
		return fmt.Errorf("empty journal: %w", err)
	}
	return nil
}

func (f *Fingerprints) Close() error {
	if err := f.file.Close(); err != nil && !errors.Is(err, os.ErrClosed) {
		return fmt.Errorf("close journal: %w", err)
	}
	return nil
}

func (h Hash) HasPrefix(digits string) bool {
	var own [2 * len(Hash{})]byte
	hex.Encode(own[:], h[:])
	return bytes.HasPrefix(own[:], []byte(digits))
}
