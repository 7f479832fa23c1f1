package share

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"time"

	"searchmcp/engine/api"
	"searchmcp/engine/share/part"
)

const (
	manifestName = "manifest.json"
	objectsDir   = "objects/"
	vectorsDir   = "vectors/"
	format       = 1
	// manifestLimit is the maximum size of a manifest in bytes.
	manifestLimit = 16 << 20
	// maxElements is the maximum number of JSON elements in a manifest. A part has three fields, so a manifest can list
	// 100,000 parts.
	maxElements = 300_100
	// maxFiles is the maximum number of files of a shared index, twice the soft limit of a project.
	maxFiles = 2 * api.SoftFileLimit
)

type Manifest struct {
	Format    int                  `json:"format"`
	Project   string               `json:"project"`
	Published time.Time            `json:"published"`
	Chunker   string               `json:"chunker"`
	Model     string               `json:"model"` // hash of the embedding model that made the vectors
	Files     int                  `json:"files"`
	Chunks    int                  `json:"chunks"`
	Parts     []Part               `json:"parts"`
	Folder    string               `json:"folder,omitempty"` // folder of the vector tables, relative to the location
	Vectors   map[api.Corpus]int64 `json:"vectors"`          // number of rows of each vector table
	// BuiltOn is the number of publications since all vectors were last uploaded.
	BuiltOn int `json:"built_on,omitempty"`
	// Churn is the number of vectors added or removed since all vectors were last uploaded.
	Churn int64 `json:"churn,omitempty"`
}

func (m Manifest) same(o Manifest) bool {
	return m.Format == o.Format && m.Project == o.Project && m.Chunker == o.Chunker && m.Model == o.Model &&
		m.Folder == o.Folder && slices.Equal(m.Parts, o.Parts)
}

type Part struct {
	SHA256 string `json:"sha256"` // of the compressed object, in lower-case hex
	Size   int64  `json:"size"`   // of the compressed object, in bytes
	Files  int    `json:"files"`
}

func (p Part) name() string { return objectsDir + p.SHA256 }

var folderName = regexp.MustCompile(`^vectors/[0-9A-Za-z-]{1,64}$`)

func parseManifest(data []byte) (Manifest, error) {
	var m Manifest
	if n := part.Elements(data); n > maxElements {
		return m, fmt.Errorf("%w: %s has %d elements", ErrDamaged, manifestName, n)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%w: %s: %w", ErrDamaged, manifestName, err)
	}
	if m.Format > format {
		return m, api.New(api.IndexCorrupt, "The shared index was published by a newer version of Search MCP. Please update.",
			fmt.Sprintf("%s has format %d, this program knows %d", manifestName, m.Format, format), nil)
	}
	if m.Format != format || m.Folder != "" && !folderName.MatchString(m.Folder) {
		return m, fmt.Errorf("%w: %s: format %d, folder %q", ErrDamaged, manifestName, m.Format, m.Folder)
	}
	for _, p := range m.Parts {
		if raw, err := hex.DecodeString(p.SHA256); err != nil || len(raw) != 32 || p.Size < 0 || p.Size > part.PackedLimit {
			return m, fmt.Errorf("%w: %s: part %q of %d bytes", ErrDamaged, manifestName, p.SHA256, p.Size)
		}
	}
	if m.Files < 0 || m.Files > maxFiles {
		return m, fmt.Errorf("%w: %s: %d files", ErrDamaged, manifestName, m.Files)
	}
	for corpus, rows := range m.Vectors {
		if rows < 0 || rows > vectorLimit {
			return m, fmt.Errorf("%w: %s: %d vectors of %s", ErrDamaged, manifestName, rows, corpus)
		}
	}
	return m, nil
}
