package files

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const MetadataName = "metadata.json"

// Metadata is the content of metadata.json (RFC 3.4).
type Metadata struct {
	Version               string    `json:"version"` // version of the storage format
	ProjectPath           string    `json:"projectPath"`
	CreatedAt             time.Time `json:"createdAt,omitzero"`
	LastFullIndex         time.Time `json:"lastFullIndex,omitzero"`
	LastIncrementalUpdate time.Time `json:"lastIncrementalUpdate,omitzero"`
	Stats                 Totals    `json:"stats"`
	DocsStats             DocTotals `json:"docsStats"`
	LastDocsIndex         time.Time `json:"lastDocsIndex,omitzero"`
}

type Totals struct {
	TotalFiles       int   `json:"totalFiles"`
	TotalChunks      int   `json:"totalChunks"`
	StorageSizeBytes int64 `json:"storageSizeBytes"`
}

type DocTotals struct {
	TotalDocs            int   `json:"totalDocs"`
	TotalDocChunks       int   `json:"totalDocChunks"`
	DocsStorageSizeBytes int64 `json:"docsStorageSizeBytes"`
}

const MetadataVersion = "1.0.0"

// Newer reports whether the storage format has a higher major version and is thus incompatible (RFC 9).
func (m Metadata) Newer() bool {
	major, _, _ := strings.Cut(m.Version, ".")
	ours, _, _ := strings.Cut(MetadataVersion, ".")
	n, err := strconv.Atoi(major)
	known, _ := strconv.Atoi(ours)
	return err == nil && n > known
}

// ReadMetadata reads metadata.json in dir. Its error wraps fs.ErrNotExist if the file is missing.
func ReadMetadata(dir string) (Metadata, error) {
	var m Metadata
	if err := ReadJSON(filepath.Join(dir, MetadataName), &m); err != nil {
		return Metadata{}, fmt.Errorf("read metadata: %w", err)
	}
	return m, nil
}

func WriteMetadata(dir string, m Metadata) error {
	if m.Version == "" {
		m.Version = MetadataVersion
	}
	return WriteJSON(filepath.Join(dir, MetadataName), m)
}
