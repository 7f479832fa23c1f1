package main

import (
	"bytes"
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// TestBill writes the bill of what the repository is made of now: it fails when the licences of a module or crate are
// missing.
func TestBill(t *testing.T) {
	list, err := collect(t.Context(), filepath.Join("..", ".."), "linux/amd64")
	if err != nil {
		t.Fatal(err)
	}
	date := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	data, err := render("1.2.3", "linux/amd64", date, list)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	again, err := render("1.2.3", "linux/amd64", date, list)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(data, again) {
		t.Error("the order in which parts are found shows in the bill")
	}
	other, err := render("1.2.4", "linux/amd64", date, list)
	if err != nil {
		t.Fatal(err)
	}

	var b, o bom
	if err := json.Unmarshal(data, &b); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(other, &o); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(
		b.Serial) || b.Serial == o.Serial {
		t.Errorf("serial numbers %s and %s", b.Serial, o.Serial)
	}
	for _, want := range []string{"pkg:golang/std@", "pkg:golang/github.com/mark3labs/mcp-go@",
		"pkg:golang/fyne.io/fyne/v2@",
		"pkg:generic/onnxruntime@", "pkg:generic/lancedb@", "pkg:cargo/datafusion@", "pkg:generic/all-MiniLM"} {
		i := slices.IndexFunc(b.Components, func(c component) bool { return strings.HasPrefix(c.PURL, want) })
		if i < 0 {
			t.Errorf("%s… is not in the bill", want)
			continue
		}
		c := b.Components[i]
		if c.Version == "" || len(c.Licences) == 0 || c.Licences[0].Licence == nil || c.Licences[0].Licence.Text == nil {
			t.Errorf("%s has no version or no licence with a text", c.PURL)
		}
		if !strings.HasPrefix(want, "pkg:golang") && (len(c.Hashes) != 1 || len(c.Hashes[0].Content) != 64) {
			t.Errorf("%s has no hash", c.PURL)
		}
	}
	refs := map[string]bool{"search-mcp": true}
	for _, c := range b.Components {
		if refs[c.Ref] {
			t.Errorf("%s is there twice", c.Ref)
		}
		refs[c.Ref] = true
		for _, l := range c.Licences {
			if l.Expression == "" && (l.Licence == nil || l.Licence.ID == "" && l.Licence.Name == "") {
				t.Errorf("%s has a licence without a name", c.Ref)
			}
		}
	}
	for _, d := range b.Dependencies {
		for _, ref := range append(d.DependsOn, d.Ref) {
			if !refs[ref] {
				t.Errorf("a dependency names %s, which is no component", ref)
			}
		}
	}
}

func TestParseLicences(t *testing.T) {
	file := "Licences of things\n==================\n\na v1: MIT\nGo standard library go1.2: BSD-3-Clause\nb v2\n" +
		"\n" + rule + "\na v1, b v2\n\nfirst text\n\n" + rule + "\nnot a component\n\nstill the first\n" +
		"\n" + rule + "\nb v2\n\nsecond text\n"
	list, err := parseLicences(file)
	if err != nil {
		t.Fatal(err)
	}
	if len(list) != 3 || list[1].name != "Go standard library" || list[1].version != "go1.2" {
		t.Fatalf("components %+v", list)
	}
	a, b := list[0], list[2]
	if len(a.texts) != 1 || len(b.texts) != 2 || a.texts[0] != b.texts[0] ||
		!strings.Contains(a.texts[0], "still the first") || !strings.Contains(b.texts[1], "second") {
		t.Errorf("texts %q and %q", a.texts, b.texts)
	}
	for _, bad := range []string{"", "Title\n=====\n\nnoversion\n", "Title\n=====\n\na v1\n"} {
		if _, err := parseLicences(bad); err == nil {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestRecognise(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"Apache License\n Version 2.0, January 2004", []string{"Apache-2.0"}},
		{"Redistribution and use in source\nand binary forms, … to endorse or\n  promote products", []string{"BSD-3-Clause"}},
		{"Redistribution and use in source and binary forms, with or without", []string{"BSD-2-Clause"}},
		{"Authors: somebody", nil},
	} {
		if got := recognise([]string{c.text, c.text}); !slices.Equal(got, c.want) {
			t.Errorf("%.30q: %v, want %v", c.text, got, c.want)
		}
	}
}

func TestCargoSums(t *testing.T) {
	sum := strings.Repeat("ab", 32)
	sums := cargoSums("version = 3\n\n[[package]]\nname = \"a\"\nversion = \"1.0.0\"\nsource = \"x\"\nchecksum = \"" +
		sum + "\"\n\n[[package]]\nname = \"own\"\nversion = \"0.1.0\"\n")
	if got, ok := sums["own 0.1.0"]; len(sums) != 2 || sums["a 1.0.0"] != sum || !ok || got != "" {
		t.Errorf("sums %v", sums)
	}
}
