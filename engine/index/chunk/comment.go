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
	// tag matches a documentation tag such as "@param". introtag matches a tag before a description, such as "@brief".
	tag      = regexp.MustCompile(`^[@\\]\w+`)
	introtag = regexp.MustCompile(
		`^[@\\](?:brief|short|summary|description|desc|fileoverview|remarks?|details|note|rst|classmod|module|file)\b:?`)
	// reference matches a reference in a comment, such as {@link Name} or <see cref="Name"/>.
	reference = regexp.MustCompile(`\{@\w+\s+([^{}]*)\}|<\w+\s+\w+="([^"<>]*)"\s*/>`)
	element   = regexp.MustCompile(`</?[a-zA-Z][^<>]*>`)
	// preamble matches lines such as imports, which may precede a file's first comment. With a single ^, a match is tried
	// at the first byte only.
	preamble = regexp.MustCompile(
		`^(?:(?:package|import|from|using|use|namespace|require|require_relative|module|mod|extern|export \{|pub mod|` +
			`pub use|alias|defmodule|behaviour|declare|open|local \w+ = require|const \w+ = (?:require|@import)|` +
			`(?:pub )?const \w+ = @import|var \w+ = require)\b|` +
			`#\s*(?:include|define|if|ifndef|ifdef|pragma|endif|import|region)\b|` +
			`#!?\[|<\?php|@(?:file:|import|moduledoc|behaviour|impl|spec|\w+(?:\(.*\))?$)|['"]use strict['"]|\{$|\{-#)`)
)

// legalWords occur in the text of a licence.
var legalWords = []string{
	"licensed under", "permission is hereby", "permission to use", "redistribut", "warrant",
	"general public license", "apache license",
	"mit license", "bsd license", "this file is part of",
}

// Words of lines about authors, dates and tools, in lower case.
var (
	formalWords = []string{"copyright", "license", "licence", "all rights reserved", "spdx-", "swift-tools-version",
		"-*-"} // at any position
	// formalKeys are the words before a colon or equals sign in lines such as "Maintainer: …".
	formalKeys = lang.Set(
		`module maintainer stability portability author authors todo fixme mark type encoding coding vi vim ex`)
	// formalTools are the first words of comments that tools read, such as "eslint-disable".
	formalTools = lang.Set(`eslint jshint jslint istanbul prettier pylint flake8 mypy noqa isort rubocop
		frozen_string_literal shellcheck swiftlint noinspection checkstyle nolint region endregion pragma`)
)

func legal(line string) bool { return lang.HasAny(line, legalWords...) }

// formal reports whether a lower-case line of a comment is about its author, a date, or a tool such as a linter.
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

func firstWord(line string) (word, rest string) {
	n := 0
	for n < len(line) && lang.WordByte(line[n]) {
		n++
	}
	return line[:n], line[n:]
}

// described returns the first comment or documentation string of a chunk in one line. It omits licences, authors,
// directives and parameter tags.
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
		if line != "" && !preamble.MatchString(line) {
			return ""
		}
	}
	return describe(lines)
}

// comments yields each line of text without comment signs such as "//". The second value is true for a comment.
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

// beginComment reports whether a line begins a comment. closing is the sign that closes the comment, such as "*/", or
// "".
func beginComment(line string, signs lang.Comments) (content, closing string, comment bool) {
	if lang.BeginsWith(line, "{-#", "#[", "#!", "#_") {
		return line, "", false // compiler directives, discarded forms
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

func describe(lines []string) string {
	var out []string
	size := 0
	skipping := false // inside the text of a tag such as "@param"
	titled := false   // the previous line was the file's name
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
