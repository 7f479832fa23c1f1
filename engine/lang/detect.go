package lang

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// OfFile returns the language of a file, or "". It examines the file's name and its first 4 KB, head, which may be nil.
func OfFile(name string, head []byte) string {
	base := strings.TrimSpace(strings.ToLower(path.Base(name)))
	if l, ok := known().byFile[base]; ok {
		return l
	}
	head = head[:min(len(head), 4<<10)]
	ext := strings.TrimPrefix(path.Ext(base), ".")
	if l, ok := known().byExtension[ext]; ok && ext != "" {
		claims, ok := ambiguous[ext]
		if !ok || len(head) == 0 {
			return l
		}
		text := "\n" + string(head)
		for _, c := range claims {
			if HasAny(text, strings.Split(c.words, "|")...) {
				return c.language
			}
		}
	}
	switch {
	case strings.HasPrefix(base, "dockerfile"), strings.HasPrefix(base, "containerfile"):
		return "dockerfile"
	case strings.HasPrefix(base, "makefile"):
		return "makefile"
	case ext == "" && BeginsWith(base, "readme", "changelog", "license"):
		return "text"
	}
	if l := byContent(head); l != "" {
		return l
	}
	return byModeLine(head)
}

// Names returns the sorted names of all languages that OfFile can return.
func Names() []string {
	names := slices.Sorted(maps.Keys(known().languages))
	return slices.DeleteFunc(names, func(name string) bool { return name == "fallback" })
}

// Find returns the language with a name, extension or alias that a user typed. Without a match, it returns typed in
// lower case and false.
func Find(typed string) (name string, ok bool) {
	name = strings.ToLower(strings.TrimPrefix(strings.TrimSpace(typed), "."))
	if slices.Contains(Names(), name) {
		return name, true
	}
	l := cmp.Or(known().alias[name], known().byExtension[name], known().byProgram[name])
	return cmp.Or(l, name), l != ""
}

// claim is a language and words of its files, separated by "|". A file with one of the words in its first lines is in
// the language. A line feed also matches the beginning of the file.
type claim struct{ language, words string }

// ambiguous maps an extension to the languages that share it. The first matching claim decides.
var ambiguous = map[string][]claim{
	"h": {{"objective-c", "\n@interface|\n@protocol |\n@class "},
		{"cpp", "\nclass |\nnamespace |template <|template<|\nusing |std::|public:|constexpr "}, // even with #import
		{"objective-c", "\n#import "}, {"c", ""}},
	"m":   {{"objective-c", "#import|#include|@interface|@implementation|@import|@protocol"}, {"matlab", ""}},
	"ts":  {{"xml", "\n<?xml|\n<!DOCTYPE|\n<TS"}, {"typescript", ""}}, // Qt's translation files
	"cl":  {{"c", "__kernel|kernel void"}, {"commonlisp", ""}},
	"mod": {{"gomod", "module "}},
	"t":   {{"perl", "use strict|use warnings|use Test|use lib|my $"}},
	"v":   {{"coq", "\nProof|\nLemma |\nTheorem |\nDefinition |\nRequire "}, {"verilog", ""}},
	"cls": {{"latex", "\\ProvidesClass|\\NeedsTeXFormat"},
		{"visualbasic", "VERSION |Attribute VB_|Option Explicit|End Sub"}, {"apex", ""}},
	"pp": {{"pascal", "unit |begin|program |interface"}, {"puppet", ""}},
}

// shebang matches the name of the interpreter in a first line such as "#!/usr/bin/env -S python3.12 -u".
var shebang = regexp.MustCompile(
	`^#![ \t]*(?:(?:\S*/)?(?i:env)[ \t]+(?:(?:-\S*|\S*=[^\s/]*)[ \t]+)*)?(?:\S*/)?([^\s/]+)`)

func byContent(head []byte) string {
	for start, language := range map[string]string{"<?php": "php", "<?xml": "xml"} {
		if bytes.HasPrefix(head, []byte(start)) {
			return language
		}
	}
	if m := shebang.FindSubmatch(head); m != nil {
		prog := strings.TrimSuffix(strings.ToLower(string(m[1])), ".exe")
		return cmp.Or(known().byProgram[prog], known().byProgram[strings.TrimRight(prog, "0123456789.")])
	}
	return ""
}

// modeLine matches a comment that names the language for Emacs or Vim, or the first line of a zsh completion.
var modeLine = regexp.MustCompile(
	`-\*-\s*(?:.*\bmode:\s*)?([\w+-]+?)\s*(?:;.*)?-\*-|\b(?:vim?|ex):.*\b(?:ft|filetype|syntax)=([\w+-]+)|^#(compdef|autoload)\b`)

func byModeLine(head []byte) string {
	const looked = 5
	lines := bytes.SplitN(head, []byte("\n"), looked+1)
	for _, line := range lines[:min(len(lines), looked)] {
		if m := modeLine.FindSubmatch(line); m != nil {
			name := strings.ToLower(string(bytes.Join(m[1:], nil)))
			if l := known().languages[cmp.Or(known().alias[name], name)]; l != nil {
				return l.Name
			}
		}
	}
	return ""
}
