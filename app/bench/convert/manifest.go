package main

import (
	"bytes"
	"encoding/json"

	"searchmcp/assets/model"
)

const (
	modelFile    = "minilm-l6-v2-int8.onnx"
	vocabFile    = "vocab.txt"
	manifestFile = "model.json"
	maxTokens    = 256 // from sentence_bert_config.json
)

func newManifest(graph []byte, src *source) ([]byte, error) {
	before, err := model.Bundled()
	if err != nil {
		return nil, err
	}
	m := model.Manifest{
		Static:    before.Static, // distil updates it
		Name:      "all-MiniLM-L6-v2-int8",
		Model:     model.File{Name: modelFile, SHA256: sha256Hex(graph), Size: int64(len(graph))},
		Vocab:     model.File{Name: vocabFile, SHA256: sha256Hex(src.vocab), Size: int64(len(src.vocab))},
		Dims:      hidden,
		MaxTokens: maxTokens,
		License:   "Apache-2.0",
		Source: model.Source{
			Package: sourcePackage, Version: sourceVersion, SHA256: sourceSHA256, WeightsSHA256: weightsSHA256,
		},
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
