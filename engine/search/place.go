package search

import (
	"path"
	"regexp"
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

// places describes each place: where it is found, how much its files are worth, and which words of a query ask for it.
// The worth was chosen on the benchmark's dev half.
var places = []struct {
	place place
	name  string
	worth float64
	path  *regexp.Regexp
	words []string
}{
	{inTests, "tests", 0.55, regexp.MustCompile(`(^|/)(tests?|specs?|__tests__|__mocks__|testing|testdata|test-data|fixtures?|e2e|mocks?|testutils?|test_?helpers?)/|(_test|_spec|\.test|\.spec|_unittest|-test|-spec|Tests?|Spec)\.\w+$|(^|/)(test_[^/]*|tests?|conftest|mock_[^/]*|unittest[^/]*)\.\w+$`),
		[]string{"test", "spec", "mock", "fixture", "unittest", "pytest", "jest", "stub", "assert"}},
	{inBench, "benchmarks", 0.6, regexp.MustCompile(`(^|/)(bench|benches|benchmarks?|perf)/|_bench\.\w+$|(^|/)bench[^/]*\.\w+$|_benchmark\.\w+$`),
		[]string{"bench", "benchmark", "performance"}},
	{inExamples, "examples", 0.6, regexp.MustCompile(`(^|/)_?(examples?|samples?|demos?|tutorials?|playground|sandbox)/|(^|/)(example|sample|demo)[^/]*\.\w+$`),
		[]string{"example", "sample", "demo", "tutorial"}},
	{inVendored, "copies of other projects", 0.7, regexp.MustCompile(`(^|/)(vendor|vendored|third_?party|external|node_modules|bower_components|Pods|contrib)/`),
		[]string{"vendor", "vendored", "contrib"}},
	{inMade, "generated", 0.6, regexp.MustCompile(`(^|/)(generated|gen|dist|build|out)/|(\.|_|-)(gen|generated|pb|min|bundle|g|designer)\.\w+$|_pb2(_grpc)?\.pyi?$|(^|/)zz_generated|\.egg-info/|(?i)(^|/)generated[^/]*$`),
		[]string{"generated", "build", "bundle", "dist"}},
	{inCompat, "compatibility", 0.6, regexp.MustCompile(`(?i)(^|/)_?(compat|compatibility|legacy|deprecated|old|polyfills?|shims?)(/|\.\w+$)|_compat\.\w+$|(^|/)[^/]*(polyfills?|_fallback)\.\w+$`),
		[]string{"compat", "compatibility", "legacy", "deprecated", "polyfill", "shim", "fallback"}},
	{isDeclared, "declarations", 0.8, regexp.MustCompile(`\.d\.[mc]?ts$|\.pyi$`),
		[]string{"type", "typing", "declaration", "definition"}},
	{isIndex, "gathers others", 0.75, regexp.MustCompile(`(^|/)(__init__\.py|index\.[jt]sx?|index\.mjs|mod\.rs|package-info\.java|module-info\.java|doc\.go|__main__\.py)$`),
		[]string{"export", "index", "module", "package", "import"}},
	{isData, "configuration and data", 0.7, regexp.MustCompile(`\.(json|ya?ml|toml|lock|ini|cfg|csv|svg|xml|plist|pem|crt|sum|mod|properties|gradle|podspec|gemspec|cmake|csproj|sln|modulemap|drawio|in|orig)$|(^|/)(Makefile|Dockerfile|\.[^/]+)$|(^|/)[A-Z]+$|PKG-INFO$`),
		[]string{"config", "configuration", "json", "yaml", "toml", "makefile", "dependency", "package", "version", "license", "docker", "ci", "workflow"}},
	{isProse, "prose", 0.75, regexp.MustCompile(`\.(rst|html?|adoc|asciidoc|css|scss|tex|1|7|ronn)$`),
		[]string{"doc", "documentation", "html", "css", "manual", "style", "template", "page"}},
}

// placeOf finds what a path says.
func placeOf(p string) place {
	var found place
	for _, k := range places {
		if k.path.MatchString(p) {
			found |= k.place
		}
	}
	return found
}

// asked finds the places that a query asks for by a word or, for tests, by its argument.
func asked(words []word, q api.Query) place {
	var wants place
	for _, k := range places {
		for _, w := range words {
			for _, p := range w.parts {
				for _, ask := range k.words {
					if p == ask {
						wants |= k.place
					}
				}
			}
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
