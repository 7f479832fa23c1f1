package chunk

import (
	"iter"
	"regexp"
	"strings"
	"unicode"

	"searchmcp/engine/lang"
)

var (
	fileName = regexp.MustCompile(`^[\w+-]+\.\w{1,6}$`)
	// tag matches a tag of a documentation generator, such as "@param". introtag matches a tag that begins a description,
	// such as "@brief".
	tag      = regexp.MustCompile(`^[@\\]\w+`)
	introtag = regexp.MustCompile(
		`^[@\\](?:brief|short|summary|description|desc|fileoverview|remarks?|details|note|rst|classmod|module|file)\b:?`)
	// reference matches a name in braces or in an attribute: {@link Name}, <see cref="Name"/>.
	reference = regexp.MustCompile(`\{@\w+\s+([^{}]*)\}|<\w+\s+\w+="([^"<>]*)"\s*/>`)
	element   = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	// preamble matches lines that may precede the first comment that describes code, such as imports.
	preamble = regexp.MustCompile(
		`^(?:package|import|from|using|use|namespace|require|require_relative|module|mod|extern|export \{|pub mod|pub use|alias|defmodule|behaviour|` +
			`declare|open|local \w+ = require|const \w+ = (?:require|@import)|(?:pub )?const \w+ = @import|var \w+ = require)\b|^#\s*(?:include|define|if|ifndef|ifdef|pragma|endif|import|region)\b|` +
			`^#!?\[|^<\?php|^@(?:file:|import|moduledoc|behaviour|impl|spec|\w+(?:\(.*\))?$)|^['"]use strict['"]|^\{$|^\{-#`)
)

// legalWords identify the text of a licence. The lines after it are ignored.
var legalWords = []string{
	"licensed under", "permission is hereby", "permission to use", "redistribut", "warrant",
	"general public license", "apache license",
	"mit license", "bsd license", "this file is part of",
}

// Words in lower case that identify lines about authors, dates and tools. Plain words are much faster than a regular
// expression.
var (
	formalWords = []string{"copyright", "license", "licence", "all rights reserved", "spdx-", "swift-tools-version",
		"-*-"} // at any position
	// formalKeys identify lines that begin with one of these words and a colon or equals sign, as in "Maintainer: …".
	formalKeys = lang.Set(
		`module maintainer stability portability author authors todo fixme mark type encoding coding vi vim ex`)
	// formalTools identify lines that begin with the name of a tool, such as "eslint-disable".
	formalTools = lang.Set(`eslint jshint jslint istanbul prettier pylint flake8 mypy noqa isort rubocop
		frozen_string_literal shellcheck swiftlint noinspection checkstyle nolint region endregion pragma`)
)

func legal(line string) bool { return lang.HasAny(line, legalWords...) }

// formal reports whether line, which must be in lower case, is about authors, dates or tools.
func formal(line string) bool {
	word, rest := firstWord(line)
	switch {
	case formalTools[word], lang.BeginsWith(line, "created by", "$id", "clang-format"), lang.HasAny(line, formalWords...):
		return true
	case formalKeys[word]:
		return lang.BeginsWith(strings.TrimLeft(rest, " \t\r\f"), ":", "=")
	}
	return word == "ts" && len(rest) > 1 && rest[0] == '-' && lang.WordByte(rest[1]) // ts-ignore and the like
}

// firstWord splits a line after the word at its beginning, which may be empty.
func firstWord(line string) (word, rest string) {
	n := 0
	for n < len(line) && lang.WordByte(line[n]) {
		n++
	}
	return line[:n], line[n:]
}

// described returns the first comment or documentation string of a chunk, in one line. It omits licences, authors,
// directives and parameter tags. If code precedes the comment, it returns "".
func described(text, language string) string {
	l := lang.Of(language)
	var lines []string
	signature := false
	for line, comment := range comments(text, language) {
		if comment {
			lines = append(lines, line)
			continue
		}
		if whole := describe(lines); whole != "" {
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
	return describe(lines)
}

// A line that preamble matches begins with one of preambleWords or preambleSigns. Other lines need no regular
// expression.
var preambleWords = lang.Set(`package import from using use namespace require require_relative module mod extern export
	pub alias defmodule behaviour declare open local const var`)

const preambleSigns = "#<@'\"{"

// beforeComment reports whether a non-blank line may precede the comment that describes a chunk.
func beforeComment(line string) bool {
	word, _ := firstWord(line)
	return (preambleWords[word] || strings.IndexByte(preambleSigns, line[0]) >= 0) && preamble.MatchString(line)
}

// comments yields each trimmed line of text with true if it is in a comment. It removes comment signs such as "//", and
// code that follows a comment on its line.
func comments(text, language string) iter.Seq2[string, bool] {
	documentation, signs := lang.Of(language).Documentation, lang.CommentsOf(language)
	if documentation != nil {
		signs.Blocks = nil
	}
	return func(yield func(string, bool) bool) {
		closing := "" // end of the current comment, or "" if it ends with the line
		for line := range strings.Lines(text) {
			line = strings.TrimSpace(line)
			comment := closing != ""
			if m := documentation.FindStringSubmatchIndex(line); m != nil && !comment {
				line, closing, comment = line[m[1]:], line[m[2]:m[3]], true
			} else if !comment {
				line, closing, comment = beginComment(line, signs)
			}
			if before, _, ends := strings.Cut(line, closing); closing != "" && ends {
				line, closing = before, ""
			}
			if !yield(line, comment) {
				return
			}
		}
	}
}

// beginComment reports whether a line begins a comment. It returns the comment's text and the sign that closes it, or
// "" if the comment ends with the line.
func beginComment(line string, signs lang.Comments) (content, closing string, comment bool) {
	if lang.BeginsWith(line, "{-#", "#[", "#!") {
		return line, "", false // compiler directives
	}
	for _, b := range signs.Blocks {
		if rest, ok := strings.CutPrefix(line, b.Open); ok {
			return rest, b.Close, true
		}
	}
	for _, sign := range signs.Lines {
		if rest, ok := strings.CutPrefix(line, sign); ok {
			return rest, "", true
		}
	}
	return line, "", false
}

// describe joins the lines of a comment that describe the code, up to about outlineHead bytes.
func describe(lines []string) string {
	var out []string
	size := 0
	skipping := false // in the paragraph of a tag
	titled := false   // after a line with the file's name
	for _, l := range lines {
		l = strings.TrimSpace(strings.Trim(strings.TrimSpace(l), "*!/#-=|^;%+~ \t"))
		if l == "" {
			skipping = false
			continue
		}
		if size > outlineHead || legal(strings.ToLower(l)) {
			break
		}
		if m := introtag.FindString(l); m != "" {
			l = strings.TrimSpace(l[len(m):])
		} else if tag.MatchString(l) {
			if len(out) > 0 {
				break // tags follow the description
			}
			skipping = true
		}
		if !strings.Contains(l, " ") && fileName.MatchString(l) || titled && !strings.Contains(l, " ") {
			titled = true // the next line may be the project's name
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
			size += len(l) + 1
		}
	}
	return strings.Join(out, " ")
}
