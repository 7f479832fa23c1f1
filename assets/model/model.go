// Package model contains the vocabulary and the manifest of the embedding model, and a table with one vector per token.
// The model file (23 MB) is installed next to the program. The package has no goroutines, locks or I/O.
package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Manifest lists the model's files and their source.
type Manifest struct {
	Name      string `json:"name"`
	Model     File   `json:"model"`
	Vocab     File   `json:"vocab"`
	Static    File   `json:"static"` // one vector per token, distilled from the model
	Dims      int    `json:"dims"`
	MaxTokens int    `json:"maxTokens"` // maximum per input, including special tokens
	License   string `json:"license"`   // SPDX licence of the weights
	Source    Source `json:"source"`
}

type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // lower-case hex
	Size   int64  `json:"size"`   // bytes
}

// Source is the published package from which the model was converted.
type Source struct {
	Package       string `json:"package"`
	Version       string `json:"version"`
	SHA256        string `json:"sha256"`
	WeightsSHA256 string `json:"weightsSha256"`
}

//go:embed model.json
var manifest []byte

//go:embed vocab.txt
var vocab string

//go:embed static.bin
var static string

// Bundled returns the manifest of this program's embedding model.
func Bundled() (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return Manifest{}, fmt.Errorf("decode model manifest: %w", err)
	}
	return m, nil
}

// Static returns the table with one vector per token, which package engine/index/embed/static reads.
func Static() string { return static }

// Vocab returns the WordPiece vocabulary, one token per line. A token's ID is its line number, starting at 0.
func Vocab() string { return vocab }
