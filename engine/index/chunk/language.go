package chunk

import (
	"bytes"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// headSize is how much of a file Language may look at: shebang, mode line, the first declarations.
const headSize = 4 << 10

// Language names the language of a file by its name, its extension, its shebang line and, where an extension is
// used by several languages, by how it begins. head is the beginning of the file (4 KB are enough; nil will do for
// a guess by name). The names are lower-case and stable: filters, previews and chunks use them. "" means unknown.
func Language(name string, head []byte) string {
	base := strings.TrimSpace(strings.ToLower(path.Base(name)))
	if l, ok := byName[base]; ok {
		return l
	}
	head = head[:min(len(head), headSize)]
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if l, ok := byExtension[ext]; ok && ext != "" {
		if decide, ok := ambiguous[ext]; ok && len(head) > 0 {
			return decide(head)
		}
		return l
	}
	switch {
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "containerfile"):
		return "dockerfile"
	case strings.HasPrefix(base, "makefile"):
		return "makefile"
	case strings.HasPrefix(base, "readme"), strings.HasPrefix(base, "changelog"), strings.HasPrefix(base, "license"):
		if ext == "" {
			return "text"
		}
	}
	if l := byShebang(head); l != "" {
		return l
	}
	return byModeLine(head)
}

// Languages lists every name that Language gives, in order.
func Languages() []string {
	seen := map[string]bool{"xml": true, "puppet": true}
	for _, m := range []map[string]string{byName, byExtension, interpreters} {
		for _, l := range m {
			seen[l] = true
		}
	}
	return slices.Sorted(maps.Keys(seen))
}

// byExtension is written by language; several extensions may name one.
var byExtension = index(map[string]string{
	"ada":              "adb ads ada",
	"asciidoc":         "adoc asciidoc asc",
	"astro":            "astro",
	"assembly":         "s asm",
	"bash":             "sh bash zsh ksh bats zsh-theme command",
	"bazel":            "bzl bazel star",
	"c":                "c h",
	"clojure":          "clj cljs cljc edn",
	"cmake":            "cmake",
	"commonlisp":       "lisp lsp cl",
	"cpp":              "cc cpp cxx c++ hh hpp hxx h++ ipp tpp inl cu cuh ino",
	"crystal":          "cr",
	"csharp":           "cs csx",
	"css":              "css",
	"csv":              "csv tsv",
	"cython":           "pyx pxd pxi",
	"d":                "d",
	"dart":             "dart",
	"diff":             "diff patch",
	"dockerfile":       "dockerfile",
	"ejs":              "ejs",
	"elixir":           "ex exs",
	"elm":              "elm",
	"erb":              "erb",
	"erlang":           "erl hrl",
	"fish":             "fish",
	"fortran":          "f f90 f95 f03 f08 for",
	"fsharp":           "fs fsi fsx",
	"gdscript":         "gd",
	"glsl":             "glsl vert frag geom comp hlsl wgsl",
	"go":               "go",
	"gomod":            "mod",
	"graphql":          "graphql gql",
	"groovy":           "groovy gradle gvy jenkinsfile",
	"haskell":          "hs lhs hsc",
	"hcl":              "tf tfvars hcl nomad",
	"html":             "html htm xhtml tmpl gohtml hbs mustache jinja j2 twig",
	"ini":              "ini cfg conf properties editorconfig desktop service",
	"java":             "java",
	"javascript":       "js jsx mjs cjs es6",
	"json":             "json jsonc json5 jsonl ndjson geojson ipynb webmanifest",
	"julia":            "jl",
	"kotlin":           "kt kts",
	"latex":            "tex sty bib",
	"less":             "less",
	"lua":              "lua luau rockspec",
	"makefile":         "mk mak make",
	"markdown":         "md markdown mkd mdown qmd rmd",
	"matlab":           "m",
	"mdx":              "mdx",
	"nim":              "nim nims nimble",
	"nix":              "nix",
	"objective-c":      "mm",
	"ocaml":            "ml mli",
	"pascal":           "pas pp dpr lpr",
	"perl":             "pl pm t pod",
	"php":              "php phtml php5 php7 phps",
	"powershell":       "ps1 psm1 psd1",
	"protobuf":         "proto",
	"python":           "py pyi pyw",
	"r":                "r",
	"racket":           "rkt",
	"razor":            "razor cshtml",
	"restructuredtext": "rst rest",
	"ruby":             "rb rake gemspec ru podspec jbuilder",
	"rust":             "rs",
	"sass":             "sass",
	"scala":            "scala sc sbt",
	"scheme":           "scm ss sld",
	"scss":             "scss",
	"solidity":         "sol",
	"sql":              "sql psql mysql ddl",
	"svelte":           "svelte",
	"swift":            "swift",
	"tcl":              "tcl tk",
	"text":             "txt text log",
	"thrift":           "thrift",
	"toml":             "toml",
	"tsx":              "tsx",
	"typescript":       "ts mts cts",
	"verilog":          "v sv svh vh",
	"vhdl":             "vhd vhdl",
	"vim":              "vim vimrc",
	"vue":              "vue",
	"xml":              "xml xsd xsl xslt svg plist csproj fsproj vbproj props targets xaml resx wsdl rss atom pom",
	"yaml":             "yaml yml",
	"zig":              "zig zon",
})

// byName holds whole file names, in lower case.
var byName = index(map[string]string{
	"bash":       ".bashrc .bash_profile .bash_aliases .profile .zshrc .zprofile .zshenv pkgbuild",
	"bazel":      "build workspace module.bazel build.bazel workspace.bazel",
	"cmake":      "cmakelists.txt",
	"dockerfile": "dockerfile containerfile",
	"gomod":      "go.mod go.work",
	"groovy":     "jenkinsfile",
	"ini":        ".editorconfig .gitconfig .gitmodules",
	"json":       ".babelrc .eslintrc .prettierrc composer.lock pipfile.lock flake.lock",
	"makefile":   "makefile gnumakefile justfile",
	"ruby":       "gemfile rakefile podfile vagrantfile brewfile fastfile guardfile capfile",
	"text":       "go.sum authors copying notice license todo install",
	"toml":       "cargo.lock poetry.lock pipfile uv.lock",
	"vim":        ".vimrc _vimrc .gvimrc",
	"yaml":       ".clang-format .clang-tidy yarn.lock",
	"python":     "sconstruct sconscript wscript",
})

// index turns "name → words" around.
func index(m map[string]string) map[string]string {
	out := make(map[string]string, 4*len(m))
	for name, words := range m {
		for w := range strings.FieldsSeq(words) {
			out[w] = name
		}
	}
	return out
}

// ambiguous holds the extensions that several languages use.
var ambiguous = map[string]func(head []byte) string{
	"h": func(h []byte) string {
		switch {
		case containsAny(h, "\n@interface", "\n@protocol ", "\n@class "):
			return "objective-c"
		case containsAny(h, "\nclass ", "\nnamespace ", "template <", "template<", "\nusing ", "std::",
			"public:", "constexpr "):
			return "cpp" // also if it imports, as headers beside Objective-C++ do
		case containsAny(h, "\n#import "):
			return "objective-c"
		}
		return "c"
	},
	"m": func(h []byte) string {
		if containsAny(h, "#import", "#include", "@interface", "@implementation", "@import", "@protocol") {
			return "objective-c"
		}
		return "matlab"
	},
	"ts": func(h []byte) string {
		if bytes.HasPrefix(bytes.TrimSpace(h), []byte("<")) {
			return "xml" // Qt's translation files
		}
		return "typescript"
	},
	"cl": func(h []byte) string {
		if containsAny(h, "__kernel", "kernel void") {
			return "c"
		}
		return "commonlisp"
	},
	"mod": func(h []byte) string {
		if containsAny(h, "module ") {
			return "gomod"
		}
		return ""
	},
	"t": func(h []byte) string {
		if containsAny(h, "use strict", "use warnings", "use Test", "#!/usr/bin/perl", "#!/usr/bin/env perl",
			"use lib", "my $") {
			return "perl"
		}
		return byShebang(h)
	},
	"pp": func(h []byte) string {
		if containsAny(h, "unit ", "begin", "program ", "interface") {
			return "pascal"
		}
		return "puppet"
	},
}

func containsAny(b []byte, words ...string) bool {
	for _, w := range words {
		if bytes.Contains(b, []byte(w)) || w[0] == '\n' && bytes.HasPrefix(b, []byte(w[1:])) {
			return true
		}
	}
	return false
}

// interpreters maps the program of a shebang line, without its version, to a language.
var interpreters = map[string]string{
	"sh": "bash", "bash": "bash", "dash": "bash", "zsh": "bash", "ksh": "bash", "ash": "bash",
	"bats": "bash", "fish": "fish",
	"python": "python", "pypy": "python", "ruby": "ruby", "perl": "perl", "node": "javascript", "nodejs": "javascript",
	"deno": "typescript", "bun": "typescript", "ts-node": "typescript", "tsx": "typescript", "php": "php", "lua": "lua",
	"luajit": "lua", "elixir": "elixir", "escript": "erlang", "rscript": "r", "julia": "julia", "groovy": "groovy",
	"kotlin": "kotlin", "scala": "scala", "swift": "swift", "make": "makefile", "pwsh": "powershell", "tclsh": "tcl",
	"wish": "tcl", "runhaskell": "haskell", "runghc": "haskell", "ocaml": "ocaml", "guile": "scheme", "racket": "racket",
	"nix-shell": "nix", "awk": "awk", "gawk": "awk", "osascript": "applescript",
}

// byShebang reads "#!/usr/bin/env -S python3.12 -u" and its kin.
func byShebang(head []byte) string {
	if !bytes.HasPrefix(head, []byte("#!")) {
		if bytes.HasPrefix(head, []byte("<?php")) {
			return "php"
		}
		if bytes.HasPrefix(head, []byte("<?xml")) {
			return "xml"
		}
		return ""
	}
	line, _, _ := bytes.Cut(head[2:], []byte("\n"))
	for i, word := range strings.Fields(string(line)) {
		prog := strings.ToLower(path.Base(word))
		if i == 0 && prog != "env" || i > 0 && !strings.HasPrefix(prog, "-") && !strings.Contains(prog, "=") {
			prog = strings.TrimSuffix(prog, ".exe")
			if l, ok := interpreters[prog]; ok {
				return l
			}
			return interpreters[strings.TrimRight(prog, "0123456789.")]
		}
	}
	return ""
}

// modeLine is what Emacs and Vim are told in a comment at the top of a file; zsh's completions begin with a line of
// their own.
var modeLine = regexp.MustCompile(
	`-\*-\s*(?:.*\bmode:\s*)?([\w+-]+?)\s*(?:;.*)?-\*-|\b(?:vim?|ex):.*\b(?:ft|filetype|syntax)=([\w+-]+)|^#(compdef|autoload)\b`)

// modes are the names that editors have for a language where they are not ours.
var modes = map[string]string{"shell-script": "bash", "sh": "bash", "zsh": "bash", "compdef": "bash",
	"autoload": "bash", "c++": "cpp", "cperl": "perl",
	"js": "javascript", "objc": "objective-c"}

// byModeLine looks at the first lines only, as Vim does.
func byModeLine(head []byte) string {
	const looked = 5
	for i, line := range bytes.SplitN(head, []byte("\n"), looked+1) {
		if i == looked {
			break
		}
		m := modeLine.FindSubmatch(line)
		if m == nil {
			continue
		}
		name := strings.ToLower(string(bytes.Join(m[1:], nil)))
		if l, ok := modes[name]; ok {
			return l
		}
		if grammars[name] != nil || layouts[name] != nil {
			return name
		}
	}
	return ""
}
