package chunk

import "regexp"

func re(s string) *regexp.Regexp { return regexp.MustCompile(s) }

// symbols makes definitions of expressions that give symbols, places of such that only give a place to stand in.
func symbols(lines ...string) []definition { return definitions(true, lines) }
func places(lines ...string) []definition  { return definitions(false, lines) }

func definitions(symbol bool, lines []string) []definition {
	var out []definition
	for _, l := range lines {
		out = append(out, definition{re(l), symbol})
	}
	return out
}

var slashes, hash = []string{"//"}, []string{"#"}

// modifiers stand before definitions in languages of C's family.
const modifiers = `^\s*(?:(?:pub|public|private|protected|internal|static|final|abstract|override|export|inline|extern|virtual|async|sealed|open|external|late|const|partial|factory|covariant|def)\s+)*`

// fallbackLayout serves files whose own grammar failed.
var fallbackLayout = &layout{comments: []string{"//", "#", "--"}, open: "/*", close: "*/", defs: symbols(
	modifiers+
		`(?:class|struct|interface|trait|enum|module|namespace|protocol|record|object|type|union|defmodule)\s+([A-Za-z_]\w*)`,
	modifiers+`(?:func|function|fn|fun|def|sub|proc|method|macro|defp?)\s+(?:\([^)]*\)\s*)?([A-Za-z_]\w*)`,
	`^#\s*define\s+(\w+)`,
	`^(?:[A-Za-z_][\w<>,:*&\[\]]*\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*$`)}

// layouts maps names that Language gives to rules.
var layouts = map[string]*layout{
	"haskell": {comments: []string{"--"}, open: "{-", close: "-}",
		header:    re(`^(?:import\b|\{-#\s*(?i:LANGUAGE|OPTIONS)|#\s*include)`),
		attribute: re(`^[a-z_][\w']*(?:\s*,\s*[a-z_][\w']*)*\s*::`),
		behind:    re(`^(?:\{-#|#\s*(?:if|ifdef|ifndef|else|elif|endif|define|undef)\b|#-\}|-- \^)`),
		defs: append(symbols(`^(?:data|newtype|type)(?:\s+(?:family|instance))?\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`,
			`^class\s+(?:[^=]*=>\s*)?([A-Z][\w']*)`,
			`^pattern\s+([A-Z][\w']*)`, `^foreign\s+import\s.*?([a-z_][\w']*)\s*::`,
			`^([a-z_][\w']*)(?:\s*,\s*[a-z_][\w']*)*\s*::`, `^([a-z_][\w']*)(?:\s[^:=|]*)?(?:=|\||$)`),
			places(`^(?:deriving\s+)?instance\s+(?:[^=]*=>\s*)?([A-Z].*?)(?:\s+where\b.*)?$`)...),
		reserved: []string{"module", "import", "data", "newtype", "type", "class", "instance", "deriving", "infix", "infixl",
			"infixr", "foreign", "default", "where", "pattern"}},
	"cython": {comments: hash, header: re(`^(?:from|import|cimport)\s`), attribute: re(`^\s*@\w`),
		defs: symbols(`^\s*(?:cdef|cpdef|ctypedef)?\s*(?:class|struct|enum|union)\s+(\w+)`,
			`^\s*(?:async\s+)?def\s+(\w+)`, `^\s*(?:cdef|cpdef)\s+(?:[\w.*\[\]]+\s+)*?\*?(\w+)\s*\(`)},
	"zig": {comments: slashes, header: re(`^const\s+\w+\s*=\s*(?:@import\(|(?:std|builtin|root)\b)`),
		defs: append(symbols(`^\s*(?:pub\s+)?(?:export\s+|extern\s+(?:"\w+"\s+)?|inline\s+|noinline\s+)*fn\s+(\w+)`,
			`^\s*(?:pub\s+)?(?:export\s+|extern\s+|threadlocal\s+)*(?:const|var)\s+(\w+)`),
			places(`^\s*(test(?:\s+"[^"]+"|\s+\w+)?)\s*\{`)...),
		body:  re(`^\s*(?:(?:pub|export|inline|noinline|extern(?:\s+"\w+")?)\s+)*fn\s|^\s*test\b|^\s*comptime\b`),
		holds: re(`\b(?:struct|union|enum|opaque)\b[^;]*\{\s*$`)},
	"perl": {comments: hash, header: re(`^(?:use|no|require)\s`),
		defs: append(symbols(`^\s*sub\s+([\w:']+)`, `^(?:our|use constant)\s+[$@%]?(\w+)`), places(`^package\s+([\w:]+)`,
			`^=head\d\s+(.*)`)...)},
	"r": {comments: hash, header: re(`^(?:library|require)\(`), defs: symbols(`^\s*([\w.]+)\s*(?:<-|=)\s*function`,
		`^([\w.]+)\s*<-`, `^setClass\("([^"]+)`, `^setMethod\("([^"]+)`, `^setGeneric\("([^"]+)`)},
	"julia": {comments: hash, open: "#=", close: "=#", header: re(`^(?:using|import|export)\s`),
		attribute: re(`^@\w+\s*$`),
		defs: symbols(`^\s*(?:@\w+\s+)*function\s+(?:\w+\.)?([\w!]+)`, `^\s*(?:mutable\s+)?struct\s+(\w+)`,
			`^\s*(?:abstract|primitive)\s+type\s+(\w+)`,
			`^\s*(?:bare)?module\s+(\w+)`, `^\s*macro\s+(\w+)`, `^const\s+(\w+)`, `^([\w!]+)\([^=]*\)\s*(?:where[^=]*)?=[^=]`)},
	"clojure": {comments: []string{";"}, header: re(`^\((?:ns|in-ns|require)\b`),
		defs: symbols(`^\(def[\w.-]*\s+(?:\^\S+\s+)*([^\s\[\](){}"]+)`)},
	"scheme": lisp, "racket": lisp, "commonlisp": lisp,
	"ocaml": {open: "(*", close: "*)", header: re(`^open\s`),
		defs: symbols(`^\s*(?:let(?:\s+rec)?|and|val|external)\s+([a-z_][\w']*)`,
			`^\s*(?:type|and)\s+(?:(?:'\w+|\([^)]*\))\s+)?(?:nonrec\s+)?([a-z_]\w*)`,
			`^\s*module(?:\s+type|\s+rec)?\s+(\w+)`, `^\s*exception\s+(\w+)`, `^\s*class(?:\s+virtual)?\s+(\w+)`)},
	"fsharp": {comments: slashes, open: "(*", close: "*)", header: re(`^open\s`), attribute: re(`^\s*\[<.*>\]\s*$`),
		defs: symbols(`^\s*let\s+(?:rec\s+|inline\s+|private\s+|mutable\s+)*([a-z_][\w']*)`,
			`^\s*(?:type|and)\s+(?:private\s+|internal\s+)?(\w+)`,
			`^\s*module\s+(?:rec\s+|private\s+|internal\s+)?([\w.]+)`,
			`^\s*(?:static\s+|abstract\s+|override\s+)*member\s+(?:\w+\.)?(\w+)`, `^namespace\s+([\w.]+)`)},
	"erlang": {comments: []string{"%"},
		header:    re(`^-(?:module|include|include_lib|import|export|export_type|behaviou?r|compile|author|vsn)\b`),
		attribute: re(`^-(?:spec|doc)\b`), defs: symbols(`^-(?:define|record|type|opaque|callback)\(?\s*(\w+)`,
			`^([a-z]\w*)\(`)},
	"nim": {comments: hash, open: "#[", close: "]#", header: re(`^(?:import|from|include|export)\s`),
		defs: symbols(`^\s*(?:proc|func|method|iterator|template|macro|converter)\s+`+"`?"+`([\w=+*/<>$-]+)`,
			`^\s+([A-Z]\w*)\*?\s*(?:\[[^\]]*\])?\s*(?:\{\.[^}]*\.\})?\s*=\s*(?:ref|object|enum|tuple|distinct|ptr|proc)`)},
	"dart": {comments: slashes, open: "/*", close: "*/", header: re(`^(?:import|export|library|part)\s`),
		attribute: re(`^\s*@\w+(?:\(.*\))?\s*$`),
		defs: symbols(modifiers+`(?:class|mixin|enum|extension(?:\s+type)?|typedef)\s+(?:class\s+)?(\w+)`,
			modifiers+`(?:[\w<>?,\[\] ]+\s)?(?:get\s+|set\s+)?([A-Za-z_]\w*)\s*\([^;]*\)\s*(?:async\*?\s*)?(?:\{|=>)`,
			modifiers+`(?:var|final|const|[A-Z]\w*(?:<[^=]*>)?\??)\s+(\w+)\s*=`)},
	"objective-c": {comments: slashes, open: "/*", close: "*/",
		header: re(`^\s*(?:#\s*(?:import|include)|@import|@class)\b`),
		defs: symbols(`^@(?:interface|implementation|protocol)\s+(\w+)`, `^\s*[-+]\s*\([^)]*\)\s*(\w+)`,
			`^\s*@property\b.*?(\w+);`, `^#\s*define\s+(\w+)`,
			`^typedef\s+(?:NS_(?:ENUM|OPTIONS)\([^,]*,\s*)?(?:struct|enum|union)?\s*(\w+)`,
			`^(?:[A-Za-z_][\w*]*\s+)+\*?([A-Za-z_]\w*)\s*\([^;]*$`)},
	"groovy": {comments: slashes, open: "/*", close: "*/", header: re(`^(?:import|package)\s`),
		attribute: re(`^\s*@\w+(?:\(.*\))?\s*$`),
		defs: append(symbols(modifiers+`(?:class|interface|enum|trait)\s+(\w+)`,
			modifiers+`(?:[\w<>\[\]]+\s+)?(\w+)\s*\([^)]*\)\s*\{`, `^\s*task\s+(\w+)`),
			places(`^\s*([a-z]\w+)\s*\{\s*$`)...)},
	"powershell": {comments: hash, open: "<#", close: "#>", header: re(`(?i)^(?:using|import-module|#requires)\b`),
		defs: symbols(`(?i)^\s*(?:function|filter|workflow)\s+(?:\w+:)?([\w-]+)`, `(?i)^\s*(?:class|enum)\s+(\w+)`,
			`^\s*(?:static\s+|hidden\s+)*\[[\w\[\].]+\]\s*(\w+)\s*\(`)},
	"sql": {comments: []string{"--"}, open: "/*", close: "*/",
		defs: symbols(
			`(?i)^\s*(?:create|alter)\s+(?:or\s+(?:replace|alter)\s+)?(?:global\s+|local\s+|temp(?:orary)?\s+|unique\s+|materialized\s+|definer\s*=\s*\S+\s+|recursive\s+|unlogged\s+|external\s+|virtual\s+)*(?:table|view|index|function|proc(?:edure)?|trigger|type|schema|sequence|domain|extension|database|role|user|policy|aggregate|event|package(?:\s+body)?)\s+(?:concurrently\s+)?(?:if\s+not\s+exists\s+)?(?:["`+"`"+`\[]?[\w$]+["`+"`"+`\]]?\.)*(?:["`+"`"+`\[]([\w$ ]+)["`+"`"+`\]]|([\w$]+))`,
			`(?i)^\s*--\s*name:\s*(\w+)`)},
	"vim": {comments: []string{`"`}, defs: symbols(`^\s*fu(?:nction)?!?\s+(?:[sgb]:)?([\w#:.]+)`,
		`^\s*def!?\s+([\w#:.]+)\(`, `^\s*command!?\s+(?:-\S+\s+)*(\w+)`, `^\s*let\s+(g:\w+)`)},
	"makefile": {comments: hash, attribute: re(`^\.PHONY\b`),
		defs: symbols(`^([\w./%-]+)(?:\s+[\w./%-]+)*\s*::?(?:[^=]|$)`, `^(?:export\s+|override\s+)?(\w+)\s*[:?+]?=`,
			`^define\s+(\w+)`)},
	"dockerfile": {comments: hash, defs: append(symbols(`(?i)^from\s+\S+\s+as\s+(\S+)`, `(?i)^(?:arg|env)\s+(\w+)`),
		places(`(?i)^from\s+(\S+)`)...)},
	"hcl": {comments: []string{"#", "//"}, open: "/*", close: "*/",
		defs: symbols(`^(?:resource|data)\s+"[^"]+"\s+"([^"]+)"`,
			`^(?:variable|output|module|provider|job|group|task|source|build)\s+"([^"]+)"`)},
	"protobuf": {comments: slashes, open: "/*", close: "*/", header: re(`^(?:syntax|edition|import|package|option)\b`),
		defs: symbols(`^\s*(?:message|service|enum|extend|oneof)\s+([\w.]+)`, `^\s*rpc\s+(\w+)`)},
	"thrift": {comments: []string{"//", "#"}, open: "/*", close: "*/", header: re(`^(?:namespace|include)\b`),
		defs: symbols(`^\s*(?:struct|service|enum|exception|union|typedef\s+\S+|const\s+\S+)\s+(\w+)`)},
	"graphql": {comments: hash, open: `"""`, close: `"""`,
		defs: symbols(
			`^\s*(?:extend\s+)?(?:type|input|enum|interface|union|scalar|query|mutation|subscription|fragment|directive)\s+@?(\w+)`,
			`^\s+(\w+)(?:\([^)]*\)?)?\s*:\s*[\[\w]`)},
	"css": style, "scss": style, "less": style, "sass": style,
	"html": markup, "vue": markup, "svelte": markup, "astro": markup, "erb": markup, "ejs": markup, "razor": markup,
	"xml": {open: "<!--", close: "-->",
		defs: places(`^\s*<[\w:.-]+[^>]*?\s(?:id|name|Name|x:Name|key)="([^"]+)"`)},
	"yaml": {comments: hash, defs: places(`^\s*(?:-\s+)?["']?([A-Za-z_][\w.$/ -]*?)["']?:(?:\s|$)`)},
	"toml": {comments: hash, defs: places(`^\s*\[+\s*([^\]]+?)\s*\]`)},
	"ini":  {comments: []string{"#", ";"}, defs: places(`^\s*\[\s*([^\]]+?)\s*\]`)},
	"json": {comments: slashes, defs: places(`^\s*"([^"]+)"\s*:\s*[\[{]`)},
	"cmake": {comments: hash,
		defs: symbols(
			`(?i)^\s*(?:function|macro|add_executable|add_library|add_custom_target|option|project)\s*\(\s*([\w.:-]+)`)},
	"nix":   {comments: hash, open: "/*", close: "*/", defs: symbols(`^\s{0,4}([\w.-]+)\s*=`)},
	"bazel": {comments: hash, header: re(`^load\(`), defs: symbols(`^def\s+(\w+)`, `^([A-Z_]\w*)\s*=`)},
	"elm": {comments: []string{"--"}, open: "{-", close: "-}", header: re(`^(?:import|module|port module)\b`),
		attribute: re(`^[a-z]\w*\s*:`), defs: symbols(`^type(?:\s+alias)?\s+(\w+)`, `^(?:port\s+)?([a-z]\w*)\s*:`,
			`^([a-z]\w*)\b[^=]*=`)},
	"crystal": {comments: hash, header: re(`^require\s`), attribute: re(`^\s*@\[.*\]\s*$`),
		defs: symbols(`^\s*(?:private\s+|protected\s+|abstract\s+)*(?:def|macro|fun)\s+(?:self\.)?([\w?!=<>+*/\[\]-]+)`,
			`^\s*(?:private\s+|abstract\s+)*(?:class|module|struct|enum|lib|annotation|alias)\s+([\w:]+)`,
			`^\s*([A-Z][A-Z_0-9]*)\s*=`)},
	"solidity": {comments: slashes, open: "/*", close: "*/", header: re(`^(?:pragma|import)\b`),
		defs: symbols(
			`^\s*(?:abstract\s+)?(?:contract|interface|library|struct|enum|event|error|modifier|function)\s+(\w+)`)},
	"d": {comments: slashes, open: "/*", close: "*/", header: re(`^(?:module|import)\b`),
		defs: fallbackLayout.defs},
	"glsl": {comments: slashes, open: "/*", close: "*/", header: re(`^#\s*(?:version|extension|include)`),
		defs: fallbackLayout.defs},
	"matlab": {comments: []string{"%"}, defs: symbols(`^\s*function\s+(?:[^=]*=\s*)?(\w+)`,
		`^classdef\s+(?:\([^)]*\)\s*)?(\w+)`)},
	"pascal": {comments: slashes, open: "{", close: "}", header: re(`(?i)^(?:unit|uses|program)\b`),
		defs: symbols(`(?i)^\s*(?:class\s+)?(?:procedure|function|constructor|destructor)\s+([\w.]+)`,
			`(?i)^\s*(\w+)\s*=\s*(?:class|record|interface|packed)`)},
	"fortran": {comments: []string{"!"}, header: re(`(?i)^\s*(?:use|implicit)\b`),
		defs: symbols(
			`(?i)^\s*(?:(?:pure|elemental|recursive|integer|real|logical|character|double precision|type)\S*\s+)*(?:subroutine|function|module|program)\s+(\w+)`, `(?i)^\s*type\s*(?:,.*)?(?:::)?\s*(\w+)\s*$`)},
	"verilog": {comments: slashes, open: "/*", close: "*/", header: re("^`(?:include|timescale|default_nettype)"),
		defs: symbols(
			`^\s*(?:virtual\s+|automatic\s+)*(?:module|interface|package|class|function|task|program)\s+(?:automatic\s+)?(?:[\w\[\]:-]+\s+)*?(\w+)\s*(?:#|\(|;)`)},
	"vhdl": {comments: []string{"--"}, header: re(`(?i)^(?:library|use)\b`),
		defs: symbols(`(?i)^\s*(?:entity|architecture|package(?:\s+body)?|component|procedure|function|process)\s+(\w+)`)},
	"gdscript": {comments: hash, attribute: re(`^@\w+\s*$`), defs: symbols(`^\s*(?:static\s+)?func\s+(\w+)`,
		`^\s*class(?:_name)?\s+(\w+)`, `^(?:@\w+(?:\([^)]*\))?\s+)*(?:const|var|signal|enum)\s+(\w+)`)},
	"tcl": {comments: hash, defs: symbols(`^\s*proc\s+([\w:]+)`,
		`^\s*(?:oo::class create|namespace eval)\s+([\w:]+)`)},
	"fish": {comments: hash, defs: symbols(`^\s*function\s+([\w-]+)`)},
	"awk":  {comments: hash, defs: symbols(`^function\s+(\w+)`)},
	"ada": {comments: []string{"--"}, header: re(`(?i)^(?:with|use)\b`),
		defs: symbols(`(?i)^\s*(?:procedure|function|package(?:\s+body)?|type|task|protected)\s+([\w.]+)`)},
	"assembly": {comments: []string{";", "#", "//", "@"}, open: "/*", close: "*/", defs: symbols(`^([A-Za-z_.$][\w.$]*):`,
		`^(?:ENTRY|SYM_FUNC_START|TEXT)\(?\s*·?(\w+)`, `^TEXT\s+·?([\w.]+)`)},
	"gomod":  {comments: slashes, defs: places(`^(module|require|replace|exclude|retract)\b`)},
	"puppet": {comments: hash, defs: symbols(`^\s*(?:class|define|node)\s+([\w:]+)`)},
	"latex": {comments: []string{"%"},
		defs: append(places(`^\s*\\(?:part|chapter|section|subsection|subsubsection)\*?\{([^}]*)\}`),
			symbols(`^\s*\\(?:re)?newcommand\*?\{?\\(\w+)`)...)},
}

var lisp = &layout{comments: []string{";"}, open: "#|", close: "|#",
	header: re(`^\(?#?(?:lang|import|require|use-modules|in-package|defpackage)\b`),
	defs:   symbols(`^\(define[\w:-]*\s+\(*([^\s()]+)`, `^\(def[\w:-]*\s+\(?([^\s()]+)`)}

var style = &layout{comments: slashes, open: "/*", close: "*/", header: re(`^@(?:import|use|forward|charset)\b`),
	defs: append(symbols(`^\s*@(?:mixin|function|keyframes)\s+([\w-]+)`, `^\s*(\$[\w-]+|--[\w-]+|@[\w-]+)\s*:`),
		places(`^\s*([^\s{}@/*;][^{};]*?)\s*\{`)...)}

var markup = &layout{open: "<!--", close: "-->", comments: slashes, header: re(`^\s*import\s.*from\b`), defs: append(
	symbols(`^\s*\{%-?\s*(?:macro|block)\s+(\w+)`),
	places(`^\s*<[\w:-]+[^>]*?\sid="([^"]+)"`, `^<(script|template|style|head|body|nav|main|header|footer)\b`)...)}
