// Package model contains the embedding model's build-time data: the manifest, which pins the model file by SHA-256, the
// vocabulary, and the table of static vectors. The model file (23 MB) is installed beside the program;
// engine/index/embed finds, verifies and loads it. No goroutines, no locks, no I/O.
package model

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// Manifest lists the model's files and their sources. convert writes model.json.
type Manifest struct {
	Name      string `json:"name"`
	Model     File   `json:"model"`
	Vocab     File   `json:"vocab"`
	Static    File   `json:"static"` // one vector per token, distilled from the model
	Dims      int    `json:"dims"`
	MaxTokens int    `json:"maxTokens"` // per text, special tokens included
	License   string `json:"license"`   // SPDX, of the weights
	Source    Source `json:"source"`
}

// File is one file of the model.
type File struct {
	Name   string `json:"name"`
	SHA256 string `json:"sha256"` // lower-case hex
	Size   int64  `json:"size"`   // bytes
}

// Source is the package whose weights were converted.
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

// Bundled returns the manifest that this program was built with.
func Bundled() (Manifest, error) {
	var m Manifest
	if err := json.Unmarshal(manifest, &m); err != nil {
		return Manifest{}, fmt.Errorf("decode model manifest: %w", err)
	}
	return m, nil
}

// Static returns the table of static vectors (engine/index/embed/static).
func Static() string { return static }

// Vocab returns the WordPiece vocabulary, one token per line; a token's id is its line number from 0.
func Vocab() string { return vocab }
