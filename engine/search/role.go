package search

import (
	_ "embed" // roles.txt
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
	"searchmcp/engine/store/text"
)

// pathRole is a set of roles of a path, such as tests. Files with a role rank lower unless the query requests the role.
type pathRole uint16

const (
	isTest    pathRole = 1 << iota
	isExample          // examples and benchmarks
	isCopy             // vendored, generated, minified or built files
	isIndex            // files that only re-export
	isData             // configuration, lock files, data, translations, web pages, style sheets
	isProse            // documentation among code, change logs
	isLog              // change logs, which mention everything
)

// convention is a role, with a name for answers and a factor that lowers the scores of files with the role.
type convention struct {
	role   pathRole
	name   string
	factor float64
}

//go:embed roles.txt
var rolesText string

// byColumn maps parts of file names to roles, with one map for each column of roles.txt.
var conventions, byColumn = readRoles()

func readRoles() (all []convention, named map[string]map[string]pathRole) {
	named = map[string]map[string]pathRole{}
	for line := range strings.Lines(rolesText) {
		f := strings.Fields(line)
		switch {
		case len(f) == 0 || f[0] == "#":
		case f[0] == "role":
			factor, err := strconv.ParseFloat(f[1], 64)
			if err != nil {
				panic(err)
			}
			all = append(all, convention{1 << len(all), strings.Join(f[2:], " "), factor})
		default:
			if named[f[0]] == nil {
				named[f[0]] = map[string]pathRole{}
			}
			for _, name := range f[1:] {
				named[f[0]][name] |= all[len(all)-1].role
			}
		}
	}
	return all, named
}

var (
	byFolder    = byColumn["folders"]
	byFolderEnd = byColumn["folderEnds"]
	byName      = byColumn["names"]
	byFile      = byColumn["files"]
	byText      = byColumn["texts"]
	byBegin     = byColumn["begins"]
	byEnd       = byColumn["ends"]
	byCapital   = byColumn["endsInCapital"]
	byExtension = byColumn["extensions"]
	byWord      = byColumn["words"]
)

func roleOf(p string) pathRole {
	var found pathRole
	folder, base := path.Split(p)
	for part := range strings.SplitSeq(folder, "/") {
		lower := strings.ToLower(part)
		last, _ := lastWord(part)
		found |= byFolder[lower] | byFolderEnd[last]
		if strings.HasSuffix(lower, ".egg-info") || strings.HasSuffix(lower, ".dist-info") {
			found |= isCopy
		}
		if len(part) > 1 && part[0] == '.' && part != ".." {
			found |= isData // configuration such as .github, .circleci, .vscode
		}
	}
	if strings.HasPrefix(base, ".") || strings.HasSuffix(base, ".gradle.kts") {
		return found | isData
	}
	ext := path.Ext(base)
	bare := strings.TrimSuffix(base, ext)
	ext = strings.ToLower(strings.TrimPrefix(ext, "."))
	lower, lowerBare := strings.ToLower(base), strings.ToLower(bare)
	found |= byName[lowerBare] | byName[lower] | byFile[lower] | byExtension[ext] | byBegin[firstWord(bare)]
	if isText(bare, ext) {
		for word := range strings.FieldsFuncSeq(lowerBare, func(r rune) bool { return !unicode.IsLetter(r) }) {
			found |= byText[word]
		}
	}
	last, capital := lastWord(strings.TrimSuffix(bare, "-d")) // a.test-d.ts tests types
	switch {
	case !capital:
		found |= byEnd[last]
		if last == "config" && slices.Contains(scriptExtensions, ext) {
			found |= isData
		}
	case last == "spec" || last == "suite":
		if slices.Contains(specExtensions, ext) {
			found |= isTest
		}
	default:
		found |= byCapital[last]
	}
	return found
}

var (
	textExtensions = strings.Fields("txt text in old rst adoc rdoc textile org pod html md markdown")
	// scriptExtensions are extensions of configuration files such as "vite.config.ts".
	scriptExtensions = []string{"js", "ts", "mjs", "cjs", "mts", "cts"}
	// specExtensions are extensions of languages in which the names of tests end in "Spec" or "Suite".
	specExtensions = []string{"scala", "groovy", "hs", "swift"}
)

// isText reports whether a file is prose according to its name. "README" and "COPYING.LIB" are prose, but "install" is
// a script.
func isText(bare, ext string) bool {
	switch {
	case slices.Contains(textExtensions, ext):
		return true
	case ext == "":
		first, _ := utf8.DecodeRuneInString(bare)
		return unicode.IsUpper(first)
	}
	return bare == strings.ToUpper(bare) && !slices.Contains(extensions, ext)
}

func firstWord(bare string) string {
	for i := 1; i < len(bare); i++ {
		switch c := bare[i]; {
		case c == '_' && i > 2 || c == '.' || c == '-':
			return strings.ToLower(bare[:i])
		case 'A' <= c && c <= 'Z' && 'a' <= bare[i-1] && bare[i-1] <= 'z':
			return strings.ToLower(bare[:i])
		}
	}
	return ""
}

// lastWord returns the last word of a name in lower case, such as "spec" for "UserSpec", or "" for a single word.
func lastWord(bare string) (last string, capital bool) {
	for i := len(bare) - 1; i > 0; i-- {
		switch c := bare[i]; {
		case c == '_' || c == '.' || c == '-':
			return strings.ToLower(bare[i+1:]), false
		case 'A' <= c && c <= 'Z' && 'a' <= bare[i-1] && bare[i-1] <= 'z':
			return strings.ToLower(bare[i:]), true
		}
	}
	return "", false
}

// wantedRoles returns the roles that a query requests by its words, its corpus or its arguments.
func wantedRoles(words []text.Term, q api.Query) pathRole {
	var wants pathRole
	for _, w := range words {
		for _, p := range w.Parts {
			wants |= byWord[p]
		}
	}
	if q.IncludeTests != nil && *q.IncludeTests {
		wants |= isTest | isExample
	}
	if q.Corpus == api.CorpusDocs {
		return wants | isProse | isData
	}
	return wants | isLog // in code, change logs have the factor of documentation
}

// factor returns the product of the factors of p's roles, and the names of the roles. Requested roles are skipped.
func (p pathRole) factor(requested pathRole) (factor float64, names string) {
	factor = 1
	var demoted []string
	for _, k := range conventions {
		if p&k.role != 0 && requested&k.role == 0 {
			factor *= k.factor
			demoted = append(demoted, k.name)
		}
	}
	return factor, strings.Join(demoted, ", ")
}

func stem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}

// IsTest reports whether a path is named like a test.
func IsTest(path string) bool { return roleOf(path)&isTest != 0 }

// GrepKind returns the kind of a file in results of grep, by its name. Results list kinds with a lower order first.
func GrepKind(path string) (kind string, order int) {
	switch role := roleOf(path); {
	case role&isCopy != 0:
		return api.GrepCopy, 3
	case role&isTest != 0:
		return api.GrepTests, 2
	case role&(isProse|isData) != 0, lang.Of(lang.OfFile(path, nil)).Headings != lang.NoHeadings:
		return api.GrepTexts, 1
	}
	return api.GrepCode, 0
}
