package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// rule separates the texts in a file of packaging/licences.
var rule = strings.Repeat("=", 78)

// readLicences reads a file that packaging/licences wrote: a title, a line "name version: licence" for each component,
// then each text under a line that names whose it is.
func readLicences(path string) ([]part, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read licences: %w", err)
	}
	list, err := parseLicences(string(data))
	if err != nil {
		return nil, fmt.Errorf("read licences of %s: %w", path, err)
	}
	return list, nil
}

func parseLicences(data string) ([]part, error) {
	blocks := strings.Split(data, "\n"+rule+"\n")
	_, index, ok := strings.Cut(blocks[0], "=\n\n") // the title's underline
	if !ok {
		return nil, errors.New("there is no list of components")
	}
	var list []part
	at := map[string]int{} // by "name version"
	for line := range strings.Lines(index) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		id, licence, _ := strings.Cut(line, ": ")
		cut := strings.LastIndexByte(id, ' ')
		if cut < 0 {
			return nil, fmt.Errorf("line %q is no name and version", line)
		}
		at[id] = len(list)
		list = append(list, part{name: id[:cut], version: id[cut+1:], licence: licence})
	}
	var last []int // whose the text before is
	for _, block := range blocks[1:] {
		users, text, ok := strings.Cut(block, "\n\n")
		owners := indexes(at, users)
		if !ok || owners == nil { // a rule within a text
			for _, i := range last {
				p := &list[i]
				p.texts[len(p.texts)-1] += rule + "\n" + block
			}
			continue
		}
		for _, i := range owners {
			list[i].texts = append(list[i].texts, text)
		}
		last = owners
	}
	for _, p := range list {
		if p.licence == "" && len(p.texts) == 0 {
			return nil, fmt.Errorf("%s %s has no licence", p.name, p.version)
		}
	}
	return list, nil
}

// indexes finds the components that a line names, nil if it names anything else.
func indexes(at map[string]int, users string) []int {
	var found []int
	for _, id := range strings.Split(users, ", ") {
		i, known := at[id]
		if !known {
			return nil
		}
		found = append(found, i)
	}
	return found
}

// phrases tell licences by what stands in no other: the first whose every phrase is in a text names it.
var phrases = []struct {
	id  string // SPDX
	has []string
}{
	{"Apache-2.0", []string{"Apache License", "Version 2.0"}},
	{"MPL-2.0", []string{"Mozilla Public License", "2.0"}},
	{"BSD-3-Clause", []string{"Redistribution and use in source and binary forms", "endorse or promote"}},
	{"BSD-2-Clause", []string{"Redistribution and use in source and binary forms"}},
	{"ISC", []string{"Permission to use, copy, modify, and/or distribute this software"}},
	{"ISC", []string{"Permission to use, copy, modify, and distribute this software"}},
	{"MIT", []string{"Permission is hereby granted, free of charge",
		"The above copyright notice and this permission notice"}},
	{"CC0-1.0", []string{"CC0 1.0 Universal"}},
	{"Unlicense", []string{"This is free and unencumbered software released into the public domain"}},
}

// recognise names the licences of texts, sorted; texts of another kind (notices, lists of authors) have no part in it.
func recognise(texts []string) []string {
	var ids []string
	for _, text := range texts {
		text = strings.Join(strings.Fields(text), " ")
		for _, p := range phrases {
			if !slices.ContainsFunc(p.has, func(s string) bool { return !strings.Contains(text, s) }) {
				ids = append(ids, p.id)
				break
			}
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}
