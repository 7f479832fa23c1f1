package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"path/filepath"
	"sync"
	"unicode/utf8"

	"searchmcp/assets/model"
	"searchmcp/engine/api"
)

const (
	// MaxTokens is the maximum length of the model's input in tokens. The model was trained for this length.
	MaxTokens = 256
	// TextTokens is the maximum number of tokens of a text that get into a vector. A larger maximum made vectors less
	// precise (docs/ranking.md).
	TextTokens = 128
	// RestTokens is the maximum number of tokens of a second vector, for a text with more than TextTokens tokens.
	RestTokens = 76
	maxBytes   = 16 << 10 // in bytes; the text of any chunk is shorter
)

func ModelHash() (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	return hashOf(m), nil
}

func hashOf(m model.Manifest) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\n%s\ninput %s\ntokens %d %d\nprovider cpu\n",
		m.Model.SHA256, m.Vocab.SHA256, InputVersion, TextTokens, RestTokens))
	return hex.EncodeToString(sum[:])
}

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

// File finds and verifies the model's file. It is safe for concurrent use.
type File struct {
	dir string

	mu      sync.Mutex // held while the file is hashed, for about 50 ms
	checked verified
}

// NewFile returns a File that searches dir. If dir is "", it searches the folders of bundled and downloaded models.
func NewFile(dir string) *File { return &File{dir: dir} }

// Path verifies the model's file and returns its path. The error for a missing or damaged file wraps ErrModel.
func (f *File) Path() (string, error) {
	m, err := model.Bundled()
	if err != nil {
		return "", err
	}
	dirs, err := modelDirs(m, f.dir)
	if err != nil {
		return "", fmt.Errorf("%w: %w", ErrModel, err)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	dir, err := f.checked.find(dirs, m.Model)
	if err != nil {
		return "", fmt.Errorf("find model %s: %w: %w", m.Name, ErrModel, err)
	}
	return filepath.Join(dir, m.Model.Name), nil
}

// Normalise scales v to length 1. A zero vector is unchanged.
func Normalise(v *api.Vector) {
	square := 0.0
	for _, x := range v {
		square += float64(x) * float64(x)
	}
	if square == 0 {
		return
	}
	f := float32(1 / math.Sqrt(square))
	for i := range v {
		v[i] *= f
	}
}
