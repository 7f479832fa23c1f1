package search

import (
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"searchmcp/engine/api"
	"searchmcp/engine/lang"
	"searchmcp/engine/store/text"
)

// pathRole is a set of roles of a path. A file with a role is demoted unless the query requests it.
type pathRole uint16

const (
	isTest     pathRole = 1 << iota
	isExample           // examples and benchmarks
	isCopy              // copies of other projects; generated, minified or built
	isDeclared          // declarations whose definitions are elsewhere
	isIndex             // files that only re-export
	isData              // configuration, lock files, data, translations, pages and their styles
	isProse             // documentation among code, lists of changes per release
)

type convention struct {
	role                                                                              pathRole
	name                                                                              string
	factor                                                                            float64
	words                                                                             string
	folders, folderEnds, names, files, texts, begins, ends, endsInCapital, extensions string
}

// conventions lists, for each role, its factor, the query words that request it, and lower-case names in its paths.
// folders are whole names of folders, and folderEnds their last words. names match file names with or without an
// extension, and files only complete ones. texts are words in names of prose files. begins are first words, and ends
// last words after a separator or, in endsInCapital, in camel case.
var conventions = []convention{
	{role: isTest, name: "tests", factor: 0.45, words: "test spec mock fixture unittest pytest jest stub assert",
		folders: "test tests spec specs testing unittests testsuite __tests__ __mocks__ __fixtures__ __snapshots__ " +
			"testdata test-data test_data fixture fixtures " +
			"e2e cypress mock mocks testutil testutils testhelper testhelpers test_helper test_helpers test-utils test_utils " +
			"testsupport test_support t",
		folderEnds: "test tests testing unittests", names: "test tests conftest unittest", begins: "test mock",
		ends: "test tests spec specs unittest testcase e2e cy", endsInCapital: "test tests testcase",
		extensions: "bats t feature snap"},
	{role: isExample, name: "examples and benchmarks", factor: 0.6,
		words: "example sample demo tutorial story bench benchmark performance",
		folders: "example examples _example _examples sample samples demo demos tutorial tutorials playground playgrounds " +
			"sandbox stories .storybook showcase quickstart docs_src " +
			"bench benches benchmark benchmarks microbenchmarks jmh perf",
		folderEnds:    "example examples sample samples demo demos playground bench benchmark benchmarks",
		names:         "example sample demo bench benchmark benchmarks",
		begins:        "example sample demo bench",
		ends:          "example examples sample demo stories story bench benchmark benchmarks",
		endsInCapital: "example sample demo bench benchmark benchmarks"},
	{role: isCopy, name: "copies and generated files", factor: 0.65,
		words: "vendor vendored contrib generated build bundle dist",
		folders: "vendor vendored _vendor _vendored third_party third-party thirdparty 3rdparty 3rd-party external " +
			"externals deps subprojects node_modules bower_components pods carthage contrib gnulib " +
			"generated gen __generated__ autogen dist",
		folderEnds: "generated", begins: "generated zz_generated",
		ends: "gen generated pb min bundle designer pb2 grpc g freezed autogen", extensions: "map",
		files: "aclocal.m4 ltmain.sh libtool.m4 ltoptions.m4 ltsugar.m4 ltversion.m4 lt~obsolete.m4 y.tab.c y.tab.h " +
			"lex.yy.c configure depcomp missing compile install-sh mkinstalldirs test-driver ylwrap ar-lib ltconfig " +
			"config.guess config.sub config.rpath ppport.h gradlew gradlew.bat mvnw mvnw.cmd"},
	{role: isDeclared, name: "declarations", factor: 0.7,
		words:      "type typing declaration definition header declare macro struct",
		extensions: "pyi h hh hpp hxx mli fsi"},
	{role: isIndex, name: "gathers others", factor: 0.75, words: "export index module package import prelude",
		names: "__init__ __main__ index mod package-info module-info doc prelude"},
	{role: isData, name: "configuration and data", factor: 0.7,
		words: "config configuration json yaml toml makefile dependency package version license docker ci workflow " +
			"locale translation translate localization i18n l10n language html css style template page website",
		texts: licences, files: licences, // lower case in npm packages
		names: "makefile gnumakefile dockerfile procfile gemfile rakefile pkg-info gulpfile gruntfile meson.build " +
			"setup.py mix.exs package.swift build.zig build.sbt conanfile.py setup.hs",
		folders: "locales locale _locales translations l10n",
		extensions: "json yaml yml toml lock ini cfg csv svg xml plist pem crt key sum properties gradle podspec gemspec " +
			"cmake csproj sln modulemap drawio in orig cabal sbt zon rockspec am ac m4 mk mak dsp dsw vcproj vcxproj " +
			"desktop service socket conf pc nsi po pot xlf xliff arb resx lang html htm css scss less"},
	{role: isProse, name: "documentation", factor: 0.4,
		words: "doc documentation manual guide readme website changelog news",
		texts: "readme install hacking todo faq features bugs thanks credits contributors maintainers " +
			"changelog changes news history releases notes whatsnew announce",
		folders: "docs website",
		extensions: "rst adoc asciidoc markdown tex 1 2 3 4 5 6 7 8 9 man mdoc pod texi texinfo info info-1 info-2 " +
			"info-3 info-4 info-5 info-6 info-7 info-8 info-9 ronn"},
}

const licences = "license licence copying notice authors owners codeowners"

var (
	byFolder    = inverted(func(c convention) string { return c.folders })
	byFolderEnd = inverted(func(c convention) string { return c.folderEnds })
	byName      = inverted(func(c convention) string { return c.names })
	byFile      = inverted(func(c convention) string { return c.files })
	byText      = inverted(func(c convention) string { return c.texts })
	byBegin     = inverted(func(c convention) string { return c.begins })
	byEnd       = inverted(func(c convention) string { return c.ends })
	byCapital   = inverted(func(c convention) string { return c.endsInCapital })
	byExtension = inverted(func(c convention) string { return c.extensions })
	byWord      = inverted(func(c convention) string { return c.words })
)

func inverted(column func(convention) string) map[string]pathRole {
	named := map[string]pathRole{}
	for _, c := range conventions {
		for w := range strings.FieldsSeq(column(c)) {
			named[w] |= c.role
		}
	}
	return named
}

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
			found |= isData // configuration of services and editors: .github, .circleci, .vscode
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
	if strings.HasSuffix(bare, ".d") && strings.HasSuffix(ext, "ts") {
		return found | isDeclared
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
	// scriptExtensions are extensions that follow .config in names of configuration files.
	scriptExtensions = []string{"js", "ts", "mjs", "cjs", "mts", "cts"}
	// specExtensions are extensions of languages whose tests end in Spec or Suite.
	specExtensions = []string{"scala", "groovy", "hs", "swift"}
)

// isText reports whether a file is treated as prose by its name. A name without an extension must begin with a capital
// letter, unlike that of a script named install. A name with an unknown extension must be in capitals, like
// COPYING.LIB.
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

// lastWord returns the lower-case last word of a name, or "" if the name is a single word. capital is true if the word
// begins at an inner capital, not after a separator.
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

// wantedRoles returns the roles requested by a query's words, its corpus or, for tests, an argument.
func wantedRoles(words []text.Term, q api.Query) pathRole {
	var wants pathRole
	for _, w := range words {
		for _, p := range w.Tokens() {
			wants |= byWord[p]
		}
	}
	if q.IncludeTests != nil && *q.IncludeTests {
		wants |= isTest | isExample
	}
	if q.Corpus == api.CorpusDocs {
		wants |= isProse | isData
	}
	return wants
}

// factor returns the product of the factors of the roles that wants lacks, and their names.
func (p pathRole) factor(wants pathRole) (factor float64, names string) {
	factor = 1
	var demoted []string
	for _, k := range conventions {
		if p&k.role != 0 && wants&k.role == 0 {
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

// IsCopy reports whether a path is named like vendored or generated files.
func IsCopy(path string) bool { return roleOf(path)&isCopy != 0 }

// IsText reports whether a path is named like prose, configuration, data or markup.
func IsText(path string) bool {
	return roleOf(path)&(isProse|isData) != 0 || lang.Of(lang.OfFile(path, nil)).Headings != lang.NoHeadings
}
