package search

import (
	"path"
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
	isProse                      // documentation among code
)

// places describes each place: how much its files are worth, which words of a query ask for it, and where it is found: by
// folder, by the name of the file (whole; its beginning; its ending after a sign or a change of case) and by its extension. All in
// lower case. The worth was chosen on the benchmark's dev half.
var places = []struct {
	place                                    place
	name                                     string
	worth                                    float64
	words                                    string
	folders, names, begins, ends, extensions string
}{
	{place: inTests, name: "tests", worth: 0.55, words: "test spec mock fixture unittest pytest jest stub assert",
		folders: "test tests spec specs __tests__ __mocks__ testing testdata test-data fixture fixtures e2e mock mocks testutil testutils testhelper testhelpers test_helper test_helpers",
		names:   "test tests conftest unittest", begins: "test_ mock_", ends: "test tests spec unittest"},
	{place: inBench, name: "benchmarks", worth: 0.6, words: "bench benchmark performance",
		folders: "bench benches benchmark benchmarks perf", names: "bench", begins: "bench_", ends: "bench benchmark"},
	{place: inExamples, name: "examples", worth: 0.6, words: "example sample demo tutorial",
		folders: "example examples _example _examples sample samples demo demos tutorial tutorials playground sandbox",
		names:   "example sample demo", begins: "example_ sample_ demo_"},
	{place: inVendored, name: "copies of other projects", worth: 0.7, words: "vendor vendored contrib",
		folders: "vendor vendored third_party third-party thirdparty external node_modules bower_components pods contrib"},
	{place: inMade, name: "generated", worth: 0.6, words: "generated build bundle dist",
		folders: "generated gen dist build out", begins: "zz_generated generated", ends: "gen generated pb min bundle designer pb2 grpc"},
	{place: inCompat, name: "compatibility", worth: 0.6, words: "compat compatibility legacy deprecated polyfill shim fallback",
		folders: "compat _compat compatibility legacy deprecated old polyfill polyfills shim shims",
		names:   "compat _compat compatibility legacy deprecated old polyfill polyfills shim shims", ends: "compat polyfill polyfills fallback"},
	{place: isDeclared, name: "declarations", worth: 0.7, words: "type typing declaration definition header declare macro struct", extensions: "pyi h hh hpp hxx"},
	{place: isIndex, name: "gathers others", worth: 0.75, words: "export index module package import",
		names: "__init__ __main__ index mod package-info module-info doc"},
	{place: isData, name: "configuration and data", worth: 0.7,
		words: "config configuration json yaml toml makefile dependency package version license docker ci workflow",
		names: "makefile dockerfile license licence copying notice authors owners procfile gemfile rakefile pkg-info codeowners",
		extensions: "json yaml yml toml lock ini cfg csv svg xml plist pem crt key sum properties gradle podspec gemspec cmake csproj sln " +
			"modulemap drawio in orig"},
	{place: isProse, name: "prose", worth: 0.75, words: "doc documentation html css manual style template page",
		extensions: "rst html htm adoc asciidoc css scss less tex 1 3 5 7 8 ronn"},
}

// The tables of places turned round.
var byFolder, byName, byEnding, byExtension, byWord = turned()

func turned() (folders, names, ends, extensions, words map[string]place) {
	add := func(m *map[string]place, list string, p place) {
		if *m == nil {
			*m = map[string]place{}
		}
		for _, w := range strings.Fields(list) {
			(*m)[w] |= p
		}
	}
	for _, k := range places {
		add(&folders, k.folders, k.place)
		add(&names, k.names, k.place)
		add(&ends, k.ends, k.place)
		add(&extensions, k.extensions, k.place)
		add(&words, k.words, k.place)
	}
	return folders, names, ends, extensions, words
}

// placeOf finds what a path says.
func placeOf(p string) place {
	var found place
	folder, base := path.Split(p)
	for part := range strings.SplitSeq(folder, "/") {
		lower := strings.ToLower(part)
		found |= byFolder[lower]
		if strings.HasSuffix(lower, ".egg-info") {
			found |= inMade
		}
	}
	if strings.HasPrefix(base, ".") {
		return found | isData
	}
	ext := path.Ext(base)
	bare := strings.TrimSuffix(base, ext)
	lower := strings.ToLower(bare)
	found |= byName[lower] | byExtension[strings.ToLower(strings.TrimPrefix(ext, "."))]
	for _, k := range places {
		for begin := range strings.FieldsSeq(k.begins) {
			if strings.HasPrefix(lower, begin) {
				found |= k.place
			}
		}
	}
	if strings.HasSuffix(bare, ".d") && strings.HasSuffix(ext, "ts") {
		found |= isDeclared
	}
	return found | byEnding[ending(bare)]
}

// ending is the last word of a name, lower case: what follows the last sign, or an inner capital; "" if the name has one word.
func ending(bare string) string {
	for i := len(bare) - 1; i > 0; i-- {
		switch c := bare[i]; {
		case c == '_' || c == '.' || c == '-':
			return strings.ToLower(bare[i+1:])
		case 'A' <= c && c <= 'Z' && 'a' <= bare[i-1] && bare[i-1] <= 'z':
			return strings.ToLower(bare[i:])
		}
	}
	return ""
}

// asked finds the places that a query asks for by a word or, for tests, by its argument.
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
