package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"unicode/utf8"

	"searchmcp/assets/model"
)

const (
	// MaxTokens is what the network was tuned for and the most that is ever run, special tokens included.
	MaxTokens = 256
	// TextTokens is what is used of a text: on docstring questions over 1,000 functions each of Go and Python the first
	// 128 tokens found more than 256, and 256 more than 512. More text dilutes.
	TextTokens = 128
	// maxBytes of a text are looked at: 256 tokens need about 1 KB of code, and even of blank lines no more tells.
	maxBytes = 16 << 10
)

// ModelHash identifies what makes a vector: model file, vocabulary, what is shown to the model of a chunk, and what
// the model runs on, since accelerators would round otherwise. Vectors with different hashes must not be compared.
// 64 hex digits.
func ModelHash() (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	return hashOf(m), nil
}

func hashOf(m model.Manifest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\ninput %s\ntokens %d\nprovider cpu\n",
		m.Model.SHA256, m.Vocab.SHA256, InputVersion, TextTokens))
	return hex.EncodeToString(sum[:])
}

// Clip cuts what no token is made of from the end of a long text.
func Clip(text string) string {
	if len(text) <= maxBytes {
		return text
	}
	end := maxBytes
	for !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end]
}

// File finds the model's file. It remembers the one that was found right, so that it is hashed once. Safe for
// concurrent use.
type File struct {
	dir string

	mu      sync.Mutex // held while a file is hashed, some 50 ms
	checked verified
}

// NewFile looks in dir only, or with "" where a model comes with the program or was downloaded to. See Locate for
// the download.
func NewFile(dir string) *File { return &File{dir: dir} }

// Path returns the path of a model file whose SHA-256 is right, or an error that wraps ErrModel.
func (f *File) Path() (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	dirs := []string{f.dir}
	if f.dir == "" {
		dirs = modelDirs()
		if cache, err := cacheDir(m); err == nil {
			dirs = append(dirs, cache)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var damaged []error
	for _, dir := range dirs {
		path := filepath.Join(dir, m.Model.Name)
		err := f.checked.check(path, m.Model)
		if err == nil {
			return path, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			damaged = append(damaged, err)
		}
	}
	if len(damaged) == 0 {
		return "", fmt.Errorf("find model %s: %w: it is in none of %s", m.Name, ErrModel, strings.Join(dirs, ", "))
	}
	return "", fmt.Errorf("find model %s: %w: %w", m.Name, ErrModel, errors.Join(damaged...))
}
