package search

import (
	"path"
	"slices"
	"strings"

	"searchmcp/engine/api"
)

// place is a set of what a path says about a file's role.
type place uint16

// The places that stand behind the real thing unless they are asked for.
const (
	inTests    place = 1 << iota // tests, fixtures, mocks
	inBench                      // benchmarks
	inExamples                   // examples, samples, demos
	inVendored                   // copies of other projects
	inMade                       // generated, minified or built
	inCompat                     // compatibility layers, old versions
	isDeclared                   // declarations of what stands elsewhere
	isIndex                      // files that only gather and re-export
	isData                       // configuration, locks, data
	inLocales                    // what programs say, in many languages
	isProse                      // documentation among code
)

// convention is how files of a place are called.
type convention struct {
	place                                                               place
	name                                                                string
	worth                                                               float64
	words                                                               string
	folders, folderEnds, names, begins, ends, endsInCapital, extensions string
}

// places describes each place: how much its files are worth, which words of a query ask for it, and where it is found: by
// folder (whole, or its last word), by the name of the file (whole, with or without extension; its first word; its last word after a
// sign; its last word after a change of case) and by its extension. All in lower case, after the conventions of the languages'
// own tools and of the packages that most projects use. The worth was chosen on the benchmark's dev half.
var places = []convention{
	{place: inTests, name: "tests", worth: 0.55, words: "test spec mock fixture unittest pytest jest stub assert",
		folders: "test tests spec specs testing unittests testsuite __tests__ __mocks__ __fixtures__ __snapshots__ testdata test-data test_data fixture fixtures " +
			"e2e cypress mock mocks testutil testutils testhelper testhelpers test_helper test_helpers test-utils test_utils testsupport test_support t",
		folderEnds: "test tests testing unittests", names: "test tests conftest unittest", begins: "test mock",
		ends: "test tests spec specs unittest testcase e2e cy", endsInCapital: "test tests testcase", extensions: "bats t feature snap"},
	{place: inBench, name: "benchmarks", worth: 0.6, words: "bench benchmark performance",
		folders: "bench benches benchmark benchmarks microbenchmarks jmh perf", folderEnds: "bench benchmark benchmarks", names: "bench benchmark benchmarks",
		begins: "bench", ends: "bench benchmark benchmarks", endsInCapital: "bench benchmark benchmarks"},
	{place: inExamples, name: "examples", worth: 0.6, words: "example sample demo tutorial story",
		folders: "example examples _example _examples sample samples demo demos tutorial tutorials playground playgrounds sandbox stories .storybook " +
			"showcase quickstart docs_src",
		folderEnds: "example examples sample samples demo demos playground", names: "example sample demo", begins: "example sample demo",
		ends: "example examples sample demo stories story", endsInCapital: "example sample demo"},
	{place: inVendored, name: "copies of other projects", worth: 0.7, words: "vendor vendored contrib",
		folders: "vendor vendored _vendor _vendored third_party third-party thirdparty 3rdparty 3rd-party external externals deps subprojects node_modules " +
			"bower_components pods carthage contrib"},
	{place: inMade, name: "generated", worth: 0.6, words: "generated build bundle dist",
		folders: "generated gen __generated__ autogen dist", folderEnds: "generated", begins: "generated zz_generated",
		ends: "gen generated pb min bundle designer pb2 grpc g freezed autogen"},
	{place: inCompat, name: "compatibility", worth: 0.6, words: "compat compatibility legacy deprecated polyfill shim fallback",
		folders: "compat _compat compatibility legacy deprecated old polyfill polyfills shim shims",
		names:   "compat _compat compatibility legacy deprecated old polyfill polyfills shim shims", ends: "compat polyfill polyfills fallback",
		endsInCapital: "compat polyfill"},
	{place: isDeclared, name: "declarations", worth: 0.7, words: "type typing declaration definition header declare macro struct",
		extensions: "pyi h hh hpp hxx mli fsi"},
	{place: isIndex, name: "gathers others", worth: 0.75, words: "export index module package import prelude",
		names: "__init__ __main__ index mod package-info module-info doc prelude"},
	{place: isData, name: "configuration and data", worth: 0.7,
		words: "config configuration json yaml toml makefile dependency package version license docker ci workflow",
		names: "makefile dockerfile license licence copying notice authors owners procfile gemfile rakefile pkg-info codeowners gulpfile gruntfile " +
			"setup.py mix.exs package.swift build.zig build.sbt build.gradle.kts settings.gradle.kts conanfile.py setup.hs",
		extensions: "json yaml yml toml lock ini cfg csv svg xml plist pem crt key sum properties gradle podspec gemspec cmake csproj sln " +
			"modulemap drawio in orig cabal sbt zon rockspec"},
	{place: inLocales, name: "translations", worth: 0.7, words: "locale translation translate localization i18n l10n language",
		folders: "locales locale _locales translations l10n"},
	{place: isProse, name: "prose", worth: 0.75, words: "doc documentation html css manual style template page website",
		folders: "docs website", extensions: "rst html htm adoc asciidoc css scss less tex 1 3 5 7 8 ronn"},
}

// The tables of places turned round.
var (
	byFolder    = turned(func(c convention) string { return c.folders })
	byFolderEnd = turned(func(c convention) string { return c.folderEnds })
	byName      = turned(func(c convention) string { return c.names })
	byBegin     = turned(func(c convention) string { return c.begins })
	byEnd       = turned(func(c convention) string { return c.ends })
	byCapital   = turned(func(c convention) string { return c.endsInCapital })
	byExtension = turned(func(c convention) string { return c.extensions })
	byWord      = turned(func(c convention) string { return c.words })
)

// turned has the places of each word that a column of the table lists.
func turned(column func(convention) string) map[string]place {
	named := map[string]place{}
	for _, c := range places {
		for w := range strings.FieldsSeq(column(c)) {
			named[w] |= c.place
		}
	}
	return named
}

// placeOf finds what a path says.
func placeOf(p string) place {
	var found place
	folder, base := path.Split(p)
	for part := range strings.SplitSeq(folder, "/") {
		lower := strings.ToLower(part)
		last, _ := ending(part)
		found |= byFolder[lower] | byFolderEnd[last]
		if strings.HasSuffix(lower, ".egg-info") {
			found |= inMade
		}
		if len(part) > 1 && part[0] == '.' && part != ".." {
			found |= isData // what services and editors are told: .github, .circleci, .vscode
		}
	}
	if strings.HasPrefix(base, ".") {
		return found | isData
	}
	ext := path.Ext(base)
	bare := strings.TrimSuffix(base, ext)
	ext = strings.ToLower(strings.TrimPrefix(ext, "."))
	found |= byName[strings.ToLower(bare)] | byName[strings.ToLower(base)] | byExtension[ext] | byBegin[beginning(bare)]
	if strings.HasSuffix(bare, ".d") && strings.HasSuffix(ext, "ts") {
		return found | isDeclared
	}
	last, capital := ending(strings.TrimSuffix(bare, "-d")) // a.test-d.ts tests types
	switch {
	case !capital:
		found |= byEnd[last]
		if last == "config" && slices.Contains(scripts, ext) {
			found |= isData
		}
	case last == "spec" || last == "suite":
		if slices.Contains(specs, ext) {
			found |= inTests
		}
	default:
		found |= byCapital[last]
	}
	return found
}

var (
	// scripts are configured by files that end in .config.
	scripts = []string{"js", "ts", "mjs", "cjs", "mts", "cts"}
	// specs have tests in files that end in Spec or Suite; elsewhere a ConnectionSpec specifies connections.
	specs = []string{"scala", "groovy", "hs", "swift"}
)

// beginning is the first word of a name, lower case: what stands before the first sign, or before an inner capital; "" if the name
// has one word, for "test" and "latest" are found by other tables.
func beginning(bare string) string {
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

// ending is the last word of a name, lower case: what follows the last sign, or an inner capital; "" if the name has one word.
func ending(bare string) (last string, capital bool) {
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

// asked finds the places that a query asks for by a word, by its corpus or, for tests, by its argument.
func asked(words []word, q api.Query) place {
	var wants place
	for _, w := range words {
		for _, p := range w.parts {
			wants |= byWord[p]
		}
	}
	if q.IncludeTests != nil && *q.IncludeTests {
		wants |= inTests | inBench
	}
	if q.Corpus == api.CorpusDocs {
		wants |= isProse
	}
	return wants
}

// worth is the product of a place's factors, those that are asked for left out, and the names of what lowered it.
func (p place) worth(wants place) (factor float64, names string) {
	factor = 1
	var said []string
	for _, k := range places {
		if p&k.place != 0 && wants&k.place == 0 {
			factor *= k.worth
			said = append(said, k.name)
		}
	}
	return factor, strings.Join(said, ", ")
}

// stem is a file's name without folder and extension.
func stem(p string) string {
	base := path.Base(p)
	if i := strings.IndexByte(base, '.'); i > 0 {
		return base[:i]
	}
	return base
}
