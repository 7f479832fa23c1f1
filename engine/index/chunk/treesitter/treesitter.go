// Package treesitter creates syntax trees with tree-sitter. This is C code, so the package runs in the worker process
// and in tests, never in the app.
//
// Parse calls C once (parse.c) and receives a list of the tree's nodes. A call for each node would double the time.
//
// The package starts no goroutines. Each parse has its own memory (arena.go). Only one parse of Lua runs at a time.
package treesitter

// #include "parse.h"
// #include <stdlib.h>
// const void *tree_sitter_bash(void), *tree_sitter_c(void), *tree_sitter_cpp(void), *tree_sitter_c_sharp(void),
//   *tree_sitter_elixir(void), *tree_sitter_go(void), *tree_sitter_java(void), *tree_sitter_javascript(void),
//   *tree_sitter_kotlin(void), *tree_sitter_lua(void), *tree_sitter_php(void), *tree_sitter_python(void),
//   *tree_sitter_ruby(void), *tree_sitter_rust(void), *tree_sitter_scala(void), *tree_sitter_swift(void),
//   *tree_sitter_tsx(void), *tree_sitter_typescript(void);
// extern char ending_char;
// extern uint8_t level_count;
import "C"

import (
	"fmt"
	"sync"
	"time"
	"unsafe"

	// Each package contains the C code of a grammar.
	_ "github.com/smacker/go-tree-sitter/bash"
	_ "github.com/smacker/go-tree-sitter/c"
	_ "github.com/smacker/go-tree-sitter/cpp"
	_ "github.com/smacker/go-tree-sitter/csharp"
	_ "github.com/smacker/go-tree-sitter/elixir"
	_ "github.com/smacker/go-tree-sitter/golang"
	_ "github.com/smacker/go-tree-sitter/java"
	_ "github.com/smacker/go-tree-sitter/javascript"
	_ "github.com/smacker/go-tree-sitter/kotlin"
	_ "github.com/smacker/go-tree-sitter/lua"
	_ "github.com/smacker/go-tree-sitter/php"
	_ "github.com/smacker/go-tree-sitter/python"
	_ "github.com/smacker/go-tree-sitter/ruby"
	_ "github.com/smacker/go-tree-sitter/rust"
	_ "github.com/smacker/go-tree-sitter/scala"
	_ "github.com/smacker/go-tree-sitter/swift"
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"
	_ "github.com/smacker/go-tree-sitter/typescript/typescript"

	"searchmcp/engine/lang/tree"
)

// parseLimit limits one parse. A file of 100 KB takes 15 ms.
const parseLimit = 2 * time.Second

// parsers maps language names (see lang) to their grammars.
var parsers = map[string]unsafe.Pointer{
	"bash": C.tree_sitter_bash(), "c": C.tree_sitter_c(), "cpp": C.tree_sitter_cpp(), "csharp": C.tree_sitter_c_sharp(),
	"elixir": C.tree_sitter_elixir(), "go": C.tree_sitter_go(), "java": C.tree_sitter_java(),
	"javascript": C.tree_sitter_javascript(), "kotlin": C.tree_sitter_kotlin(), "lua": C.tree_sitter_lua(),
	"php": C.tree_sitter_php(), "python": C.tree_sitter_python(), "ruby": C.tree_sitter_ruby(),
	"rust": C.tree_sitter_rust(), "scala": C.tree_sitter_scala(), "swift": C.tree_sitter_swift(),
	"tsx": C.tree_sitter_tsx(), "typescript": C.tree_sitter_typescript(),
}

// lua protects the global variables of Lua's scanner.
var lua sync.Mutex

// Parse implements tree.Parse.
func Parse(language, text string) (*tree.Tree, error) {
	a := arenas.Get().(*arena)
	defer arenas.Put(a)
	return parse(a, language, text)
}

// Compilation fails if a node has different sizes in Go and C.
var _ [unsafe.Sizeof(tree.Raw{})]byte = [C.sizeof_flat_node]byte{}

func parse(a *arena, language, text string) (*tree.Tree, error) {
	grammar := parsers[language]
	if grammar == nil {
		return nil, fmt.Errorf("parse: no grammar for %q", language)
	}
	if language == "lua" {
		lua.Lock()
		defer lua.Unlock()
		C.ending_char, C.level_count = 0, 0
	}
	both := C.int(0) // see flat_parse
	if language == "swift" {
		both = 1
	}
	micros := C.uint64_t(parseLimit.Microseconds())
	bytes := (*C.char)(unsafe.Pointer(unsafe.StringData(text)))
	made := C.flat_parse(a.c, grammar, C.uint8_t(tree.NamesOf(language).Number), bytes, C.uint32_t(len(text)), micros,
		both)
	if made.nodes == nil {
		return nil, tree.ErrTimeLimit
	}
	defer C.free(unsafe.Pointer(made.nodes))
	return tree.New(unsafe.Slice((*tree.Raw)(unsafe.Pointer(made.nodes)), int(made.count))), nil
}

// table copies the names of a grammar's node types and fields.
func table(native unsafe.Pointer) (types []tree.Type, fields []string) {
	for i := range int(C.flat_symbols(native)) {
		s := C.uint16_t(i)
		types = append(types, tree.Type{Name: C.GoString(C.flat_symbol(native, s)), Named: C.flat_regular(native, s) != 0})
	}
	fields = append(fields, "")
	for i := range int(C.flat_fields(native)) {
		fields = append(fields, C.GoString(C.flat_field(native, C.uint16_t(i+1))))
	}
	return types, fields
}
