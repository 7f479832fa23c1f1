package chunk

import (
	"strings"
	"testing"

	"searchmcp/engine/api"
)

func TestDescribed(t *testing.T) {
	for _, tc := range []struct{ language, text, want string }{
		{"go", "// Package queue is a queue.\n//\n// It blocks.\npackage queue\n", "Package queue is a queue. It blocks."},
		{"go", "// Copyright 2020 Somebody.\n\n// Package a does b.\npackage a", "Package a does b."},
		{"go", "package a\n\nimport \"fmt\"\n\n// run runs.\nfunc run() {}", "run runs."},
		{"java",
			"/*\n * Licensed under a licence.\n */\npackage a.b;\n\nimport java.util.List;\n\n/**\n * Waits for the lock.\n" +
				" * @see Lock\n */\nclass A {", "Waits for the lock."},
		{"c", "/* Copyright */\n#include <stdio.h>\n\n/* Frees it. */\nvoid f(void) {", "Frees it."},
		{"c", "#define A 1\nint x; // not this\n", ""},
		{"rust", "//! A pool of connections.\n\nuse std::io;\n", "A pool of connections."},
		{"python", "class Pool(Base):\n    \"\"\"Holds connections.\n\n    Many of them.\n    \"\"\"\n    size = 3\n",
			"Holds connections. Many of them."},
		{"python", "@property\ndef f(\n    self,\n):\n    \"\"\"Says it.\"\"\"\n    return 1", "Says it."},
		{"python", "def f(self):\n    return 1\n", ""},
		{"php", "<?php\n\nnamespace A\\B;\n\n/**\n * Sends mail.\n */\nclass Mailer", "Sends mail."},
		{"lua", "--- Dates.\n-- @author Somebody\nlocal M = {}", "Dates."},
		{"haskell", "{-\nA parser.\n-}\nmodule P where", "A parser."},
		{"haskell",
			"{-# LANGUAGE CPP #-}\n-- |\n-- Module : P\n-- Copyright : (c) Somebody\n--\n-- A parser.\nmodule P where",
			"A parser."},
		{"haskell", "-- | Skips\n-- type data.\n--\n-- > skip p\nskip p", "Skips type data."},
		{"c", "/*\n** $Id: q.c $\n** A queue.\n** See Copyright Notice in q.h\n*/\n", "A queue."},
		{"c", "#include <stdio.h> // for puts\nint x;", ""},
		{"c", "/*\n * A ring.\n *\n * Permission is hereby granted, free of charge,\n * to any person.\n */\n", "A ring."},
		{"cpp", "/**\n  \\rst\n  Makes an error.\n  \\endrst\n */", "Makes an error."},
		{"csharp", "/// <summary>\n/// Clones a <see cref=\"List\"/>.\n/// </summary>\npublic", "Clones a List."},
		{"javascript", "/* eslint-disable */\n'use strict'\n\n/**\n * @param {x} x\n */\n/** Runs {@link it}. */",
			"Runs it."},
		{"elixir", "defmodule A.B do\n  @moduledoc \"\"\"\n  Counts.\n  \"\"\"\n", "Counts."},
		{"elixir", "@doc \"Counts one.\"\ndef count", "Counts one."},
		{"ruby", "# frozen_string_literal: true\n\nmodule A\n  # Counts.\n  class B", "Counts."},
		{"swift",
			"//\n//  View.swift\n//  views\n//\n//  Created by Somebody on 1/1/20.\n//\nimport UIKit\n\n/// Shows it.\n" +
				"class View", "Shows it."},
		{"go", "// 数える。\nfunc count", "数える。"},
		{"c", "/* Author: Ann\n * created by Ann\n * ts-ignore\n * clang-format off\n * todo lists are kept here\n */",
			"todo lists are kept here"},
		{"css", "/* Buttons. */\n.b {}", "Buttons."},
		{"", "", ""},
	} {
		if got := described(tc.text, tc.language); got != tc.want {
			t.Errorf("%s %q: %q, want %q", tc.language, tc.text, got, tc.want)
		}
	}
}

func TestOutline(t *testing.T) {
	cut := func(name string, corpus api.Corpus, text string) []api.Chunk {
		chunks, info, err := newChunker().Chunk(t.Context(), name, corpus, []byte(text), "hash")
		must(t, err)
		checkCover(t, name, []byte(text), chunks, info)
		return chunks
	}
	source := goFile(3, 10)
	chunks := cut("p.go", api.CorpusCode, source)
	o := chunks[len(chunks)-1]
	if o.StartLine != 0 || o.EndLine != 0 || o.Ordinal != len(chunks)-1 || o.Path != "p.go" || o.Language != "go" ||
		o.ContentHash != "hash" || len(o.Symbols) > 0 {
		t.Errorf("outline: %+v", o)
	}
	for _, part := range []string{"Method0 does", "Method2", "Run is very long", "Run"} {
		if !strings.Contains(o.Text, part) {
			t.Errorf("the outline lacks %q: %q", part, o.Text)
		}
	}
	if strings.Contains(o.Text, "fmt.Println") {
		t.Errorf("the outline has code: %q", o.Text)
	}
	for name, tc := range map[string]struct {
		file   string
		corpus api.Corpus
		text   string
	}{
		"one chunk":     {"a.go", api.CorpusCode, "package a\n\nfunc f() {}\n"},
		"documentation": {"a.go", api.CorpusDocs, source},
		"no symbols":    {"a.log", api.CorpusCode, numbered(400, "\n")},
	} {
		if chunks := cut(tc.file, tc.corpus, tc.text); chunks[len(chunks)-1].EndLine == 0 {
			t.Errorf("%s has an outline", name)
		}
	}
}
