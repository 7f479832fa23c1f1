package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"searchmcp/engine/api"
	"searchmcp/engine/host/native"
	"searchmcp/engine/index/chunk"
	"searchmcp/engine/share/part"
	"searchmcp/engine/sources/markup"
	"searchmcp/engine/store/vector"
)

// Kind is a kind of worker, and the argument of the program search-mcp-worker.
type Kind string

const (
	Parse  Kind = "parse"  // parsers for indexing
	Ask    Kind = "ask"    // parsers for queries
	Embed  Kind = "embed"  // the embedding model
	Store  Kind = "store"  // LanceDB
	Read   Kind = "read"   // parsers of documents
	Unpack Kind = "unpack" // decoder of shared indexes
)

var Kinds = []Kind{Parse, Ask, Embed, Store, Read, Unpack}

// Memory is the maximum memory of each kind, in bytes. A large syntax tree takes 200 MB, the model with 16 threads
// takes 700 MB, and a table of 500,000 rows takes 1,000 MB during compaction.
var Memory = map[Kind]int64{Parse: 1 << 30, Ask: 1 << 30, Embed: 2 << 30, Store: 2 << 30, Read: 768 << 20,
	Unpack: 768 << 20}

const (
	opCut  native.Op[chunk.File, chunk.Cut] = iota + 1
	opTree native.Op[chunk.File, []byte]    = iota + 1

	opQuery   native.Op[textOf, api.Vector] = iota + 1
	opTexts   native.Op[textsOf, vectorOf]  = iota + 1
	opThreads native.Op[int, struct{}]      = iota + 1

	opOpen    native.Op[vector.Location, int]             = iota + 1
	opCreate  native.Op[vector.Location, struct{}]        = iota + 1
	opAdd     native.Op[with[[]vector.Row], struct{}]     = iota + 1
	opDelete  native.Op[with[[]string], struct{}]         = iota + 1
	opNearest native.Op[with[vector.Query], []vector.Hit] = iota + 1
	opKeys    native.Op[vector.Location, []vector.Key]    = iota + 1
	opRows    native.Op[vector.Location, []vector.Row]    = iota + 1
	opVectors native.Op[with[[]string], []vectorAt]       = iota + 1
	opCount   native.Op[vector.Location, int]             = iota + 1
	opIndex   native.Op[vector.Location, struct{}]        = iota + 1
	opClose   native.Op[vector.Location, struct{}]        = iota + 1

	opParse   native.Op[document, markup.Document] = iota + 1
	opContent native.Op[document, string]          = iota + 1
	opPart    native.Op[partOf, []part.File]       = iota + 1
)

// ProgramEnv is the environment variable that sets the absolute path of search-mcp-worker, for development and tests.
const ProgramEnv = "SEARCH_MCP_WORKER"

// Program returns the path of search-mcp-worker. It doesn't search PATH, where another user could place a program.
func Program() (string, error) {
	if env := os.Getenv(ProgramEnv); env != "" {
		if !filepath.IsAbs(env) {
			return "", fmt.Errorf("find the worker: %s is not absolute", env)
		}
		return env, nil
	}
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find the worker: %w", err)
	}
	name := "search-mcp-worker"
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	dirs := []string{filepath.Dir(exe)}
	if real, err := filepath.EvalSymlinks(exe); err == nil && filepath.Dir(real) != dirs[0] {
		dirs = append(dirs, filepath.Dir(real))
	}
	for _, dir := range dirs {
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path, nil
		}
	}
	return "", fmt.Errorf("find the worker: no %s in %s", name, strings.Join(dirs, " or "))
}
