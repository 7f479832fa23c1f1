// Command pgo merges CPU profiles from `make profile` into the profile with which the app is compiled. It removes
// paths, because the compiler uses only function names and line numbers.
package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os/exec"
	"path"
	"path/filepath"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"

	"searchmcp/packaging/command"
)

func main() {
	out := flag.String("o", "app/cmd/search-mcp-app/default.pgo", "file to write")
	flag.Parse()
	command.Main("pgo", func(ctx context.Context) error { return run(ctx, *out, flag.Args()) })
}

func run(ctx context.Context, out string, profiles []string) error {
	if len(profiles) == 0 {
		return errors.New("merge profiles: no files are named; `make profile` writes them")
	}
	merged, err := exec.CommandContext(ctx, "go", append([]string{"tool", "pprof", "-proto"}, profiles...)...).Output()
	if err != nil {
		return fmt.Errorf("merge profiles: %w", err)
	}
	anonymous, err := withoutPaths(merged)
	if err != nil {
		return fmt.Errorf("remove paths from profile: %w", err)
	}
	return command.Write(out, anonymous)
}

// stringTable is the field number of Profile.string_table in profile.proto.
const stringTable = 6

// withoutPaths reduces every path in a compressed profile to its last element.
func withoutPaths(compressed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return nil, err
	}
	raw, err := io.ReadAll(z)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	for len(raw) > 0 {
		number, kind, n := protowire.ConsumeField(raw)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		field := raw[:n]
		raw = raw[n:]
		if number == stringTable && kind == protowire.BytesType {
			_, _, head := protowire.ConsumeTag(field)
			s, _ := protowire.ConsumeString(field[head:])
			field = protowire.AppendString(protowire.AppendTag(nil, stringTable, protowire.BytesType), name(s))
		}
		if _, err := w.Write(field); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// name returns the last element of a path, and other strings unchanged.
func name(s string) string {
	if filepath.IsAbs(s) || strings.HasPrefix(s, "/") {
		return path.Base(filepath.ToSlash(s))
	}
	return s
}
