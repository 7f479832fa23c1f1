package main

import (
	"context"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"searchmcp/app/bench/quality"
)

type kind struct {
	name       string
	id         map[string]string                           // LSP's ID of a language, by extension
	prepare    func(ctx context.Context, dir string) error // prepares a copy of the project
	argv       func(servers string) []string
	options    any           // initializationOptions
	least      time.Duration // minimum time until the server reports its work in progress
	openFolder bool          // the server needs all files opened
}

// kinds maps the languages of the pinned projects to servers.
var kinds = map[string]*kind{"go": gopls, "python": pyright, "javascript": tsserver, "typescript": tsserver,
	"c": clangd, "cpp": clangd,
	"php": intelephense, "rust": rustAnalyzer}

var gopls = &kind{
	name: "gopls", id: map[string]string{".go": "go"},
	prepare: func(ctx context.Context, dir string) error {
		_, err := quality.Command(ctx, dir, "go", "mod", "download")
		return err
	},
	argv:  func(servers string) []string { return []string{filepath.Join(servers, "bin", "gopls")} },
	least: 5 * time.Second,
}

var pyright = &kind{
	name: "pyright", id: map[string]string{".py": "python", ".pyi": "python"},
	prepare: func(_ context.Context, dir string) error {
		return os.WriteFile(filepath.Join(dir, "pyrightconfig.json"), []byte(`{"include":["."],"exclude":[]}`), 0o600)
	},
	argv: func(servers string) []string {
		return []string{filepath.Join(servers, "node_modules", ".bin", "pyright-langserver"), "--stdio"}
	},
	least: 5 * time.Second, openFolder: true,
}

var tsserver = &kind{
	name: "the TypeScript server",
	id: map[string]string{".ts": "typescript", ".mts": "typescript", ".cts": "typescript", ".tsx": "typescriptreact",
		".js":  "javascript",
		".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascriptreact"},
	prepare: func(_ context.Context, dir string) error {
		return os.WriteFile(filepath.Join(dir, "tsconfig.json"), []byte(`{"compilerOptions":{"allowJs":true,"checkJs":false,"target":"esnext",
			"module":"nodenext","moduleResolution":"nodenext","jsx":"preserve","noEmit":true,"skipLibCheck":true,"maxNodeModuleJsDepth":0},"include":["**/*"]}`), 0o600)
	},
	argv: func(servers string) []string {
		return []string{filepath.Join(servers, "node_modules", ".bin", "typescript-language-server"), "--stdio"}
	},
	least: 5 * time.Second, openFolder: true,
}

var intelephense = &kind{
	name: "intelephense", id: map[string]string{".php": "php"},
	prepare: func(context.Context, string) error { return nil },
	argv: func(servers string) []string {
		return []string{filepath.Join(servers, "node_modules", ".bin", "intelephense"), "--stdio"}
	},
	options: map[string]any{"clearCache": true}, least: 10 * time.Second, openFolder: true,
}

var rustAnalyzer = &kind{
	name: "rust-analyzer", id: map[string]string{".rs": "rust"},
	prepare: func(ctx context.Context, dir string) error {
		_, err := quality.Command(ctx, dir, "cargo", "fetch")
		return err
	},
	argv: func(string) []string { return []string{"rust-analyzer"} }, least: 20 * time.Second,
}

var clangd = &kind{
	name: "clangd", id: map[string]string{".c": "c", ".h": "c", ".cc": "cpp", ".cpp": "cpp", ".hpp": "cpp"},
	prepare: compileCommands,
	argv: func(servers string) []string {
		return []string{filepath.Join(servers, "python", "bin", "clangd"), "--background-index", "--limit-references=0",
			"--limit-results=0"}
	},
	least: 10 * time.Second,
}

// compileCommands writes compile_commands.json. All folders with headers, and their parents, are on the include path.
func compileCommands(_ context.Context, dir string) error {
	type command struct {
		Directory string   `json:"directory"`
		File      string   `json:"file"`
		Arguments []string `json:"arguments"`
	}
	var sources []string
	folders := map[string]bool{dir: true}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch filepath.Ext(path) {
		case ".c", ".cc", ".cpp":
			sources = append(sources, path)
		case ".h", ".hpp":
			for f := filepath.Dir(path); strings.HasPrefix(f, dir); f = filepath.Dir(f) {
				folders[f] = true
			}
		}
		return err
	})
	if err != nil {
		return err
	}
	var list []command
	for _, s := range sources {
		c := command{Directory: dir, File: s, Arguments: []string{"clang", "-c", "-DLEVELDB_PLATFORM_POSIX=1",
			"-DLEVELDB_IS_BIG_ENDIAN=0"}}
		if filepath.Ext(s) != ".c" {
			c.Arguments[0] = "clang++"
			c.Arguments = append(c.Arguments, "-std=c++17")
		}
		for f := range folders {
			c.Arguments = append(c.Arguments, "-I"+f)
		}
		c.Arguments = append(c.Arguments, s)
		list = append(list, c)
	}
	b, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "compile_commands.json"), b, 0o600)
}
