package chunk

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"searchmcp/engine/lang"
)

var (
	// fileName is a line that only says how the file is called.
	fileName = regexp.MustCompile(`^[\w+-]+\.\w{1,6}$`)
	// tag begins what a documentation generator is told, in the languages of Javadoc, Doxygen and their kin; what it
	// says of the whole is in the first group's.
	tag      = regexp.MustCompile(`^[@\\]\w+`)
	introtag = regexp.MustCompile(
		`^[@\\](?:brief|short|summary|description|desc|fileoverview|remarks?|details|note|rst|classmod|module|file)\b:?`)
	// reference is a name in braces or in an attribute: {@link Name}, <see cref="Name"/>.
	reference = regexp.MustCompile(`\{@\w+\s+([^{}]*)\}|<\w+\s+\w+="([^"<>]*)"\s*/>`)
	element   = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	// preamble is what may stand before a comment that describes what follows.
	preamble = regexp.MustCompile(
		`^(?:package|import|from|using|use|namespace|require|require_relative|module|mod|extern|export \{|pub mod|pub use|alias|defmodule|behaviour|` +
			`declare|open|local \w+ = require|const \w+ = (?:require|@import)|(?:pub )?const \w+ = @import|var \w+ = require)\b|^#\s*(?:include|define|if|ifndef|ifdef|pragma|endif|import|region)\b|` +
			`^#!?\[|^<\?php|^@(?:file:|import|moduledoc|behaviour|impl|spec|\w+(?:\(.*\))?$)|^['"]use strict['"]|^\{$|^\{-#`)
)

// legalWords tell where a licence begins; nothing after it says anything of the file.
var legalWords = []string{
	"licensed under", "permission is hereby", "permission to use", "redistribut", "warrant",
	"general public license", "apache license",
	"mit license", "bsd license", "this file is part of",
}

// What tells lines about who, when and for which tool, in lower case. Every line of every comment is looked at, so
// there are no patterns here: as expressions these lists took a twentieth of a first index.
var (
	formalWords = []string{"copyright", "license", "licence", "all rights reserved", "spdx-", "-*-"} // anywhere
	// formalKeys stand before a colon or an equals sign.
	formalKeys = wordSet(
		`module maintainer stability portability author authors todo fixme mark type encoding coding vi vim ex`)
	// formalTools are words that begin an order to a tool.
	formalTools = wordSet(`eslint jshint jslint istanbul prettier pylint flake8 mypy noqa isort rubocop
		frozen_string_literal shellcheck swiftlint noinspection checkstyle nolint region endregion pragma`)
	formalHyphened = []string{"swift-tools-version", "clang-format"}
)

func wordSet(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

func anyIn(s string, words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return strings.Contains(s, w) })
}

// legal tells where a licence begins. The line is in lower case.
func legal(line string) bool { return anyIn(line, legalWords) }

// formal tells a line about who, when and for which tool. It is in lower case.
func formal(line string) bool {
	if anyIn(line, formalWords) || lang.BeginsWith(line, "created by", "$id") {
		return true
	}
	n := 0
	for n < len(line) && lang.WordByte(line[n]) {
		n++
	}
	word, rest := line[:n], line[n:]
	if formalTools[word] {
		return true
	}
	if formalKeys[word] {
		rest = strings.TrimLeft(rest, " \t\r\f")
		return strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "=")
	}
	if word == "ts" {
		return len(rest) > 1 && rest[0] == '-' && lang.WordByte(rest[1]) // ts-ignore and its kin
	}
	return slices.ContainsFunc(formalHyphened, func(p string) bool {
		return strings.HasPrefix(line, p) && (len(line) == len(p) || !lang.WordByte(line[len(p)]))
	})
}

// described is the first comment of a chunk that says something of what follows, on one line: without licence,
// names of authors, orders to tools and what tags say of parameters. In Python and Elixir it is the documentation
// string. It is "" where code comes first.
func described(text, language string) string {
	l, r := lang.Of(language), commentsOf(language)
	var lines []string
	closing := "" // what ends the comment that the line stands in
	signature := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		said, comment := line, closing != ""
		if !comment {
			said, closing, comment = r.begun(line)
		}
		if before, _, ends := strings.Cut(said, closing); comment && closing != "" && ends {
			said, closing = before, ""
		}
		if comment {
			lines = append(lines, said)
			continue
		}
		if whole := spoken(lines); whole != "" {
			return whole
		}
		lines = nil
		if l.DocStrings {
			signature = signature || lang.BeginsWith(line, "def ", "async def ", "class ")
			if signature || strings.HasPrefix(line, "@") {
				signature = signature && !strings.HasSuffix(line, ":")
				continue
			}
		}
		if line != "" && !beforeComment(line) {
			return ""
		}
	}
	return spoken(lines)
}

// preambleWords and preambleSigns are how lines begin that preamble matches: most lines of code begin otherwise, and
// the expression took 3 % of indexing for saying so.
var preambleWords = wordSet(`package import from using use namespace require require_relative module mod extern export
	pub alias defmodule behaviour declare open local const var`)

const preambleSigns = "#<@'\"{"

// beforeComment tells whether a line that is not blank may stand before the comment that describes a chunk.
func beforeComment(line string) bool {
	n := 0
	for n < len(line) && ('a' <= line[n] && line[n] <= 'z' || line[n] == '_') {
		n++
	}
	return (preambleWords[line[:n]] || strings.IndexByte(preambleSigns, line[0]) >= 0) && preamble.MatchString(line)
}

// comments is how the language of a text writes them.
type comments struct {
	lang.Comments
	documentation func(line string) (text, closing string, comment bool)
}

func commentsOf(language string) comments {
	return comments{lang.CommentsOf(language), lang.Of(language).Documentation}
}

// begun tells whether a comment begins with a line: what the line says, and what will end the comment, "" for the
// line's end.
func (r comments) begun(line string) (said, closing string, comment bool) {
	if r.documentation != nil {
		return r.documentation(line)
	}
	if lang.BeginsWith(line, "{-#", "#[", "#!") {
		return "", "", false // orders to the compiler
	}
	for _, b := range r.Blocks {
		if rest, ok := strings.CutPrefix(line, b.Open); ok {
			return rest, b.Close, true
		}
	}
	for _, sign := range r.Lines {
		if rest, ok := strings.CutPrefix(line, sign); ok {
			return rest, "", true
		}
	}
	return "", "", false
}

// spoken joins the lines of a comment that say something of the code, as many as an outline has room for.
func spoken(lines []string) string {
	var out []string
	said := 0
	skipping, titled := false, false // what a tag says, up to the next paragraph; after the name of the file
	for _, l := range lines {
		l = strings.TrimSpace(strings.Trim(strings.TrimSpace(l), "*!/#-=|^;%+~ \t"))
		if l == "" {
			skipping = false
			continue
		}
		if said > outlineHead || legal(strings.ToLower(l)) {
			break
		}
		if m := introtag.FindString(l); m != "" {
			l = strings.TrimSpace(l[len(m):])
		} else if tag.MatchString(l) {
			if len(out) > 0 {
				break // tags stand last
			}
			skipping = true
		}
		if !strings.Contains(l, " ") && fileName.MatchString(l) || titled && !strings.Contains(l, " ") {
			titled = true // the name of the project may follow that of the file
			continue
		}
		if skipping || strings.HasPrefix(l, ">") || formal(strings.ToLower(l)) || !strings.ContainsFunc(l, unicode.IsLetter) {
			continue
		}
		if strings.ContainsAny(l, "<{") {
			l = element.ReplaceAllString(reference.ReplaceAllString(l, "$1$2"), "")
		}
		if l = strings.TrimSpace(l); l != "" {
			out = append(out, l)
			said += len(l) + 1
		}
	}
	return strings.Join(out, " ")
}
