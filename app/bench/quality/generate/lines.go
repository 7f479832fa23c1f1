package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"searchmcp/app/bench/quality"
)

// The lines that a change touched: of commits by the patches of Debian that their messages were taken from, of
// changelogs' entries by what differs between two releases. They are numbers in the tree that is asked about, so that
// measuring fetches nothing else.

// hunk is a place of a patch: the lines before the change, and which of them it takes away or adds something behind.
type hunk struct {
	lines   []string
	touched []int // indexes of lines
}

// hunksOf reads a patch: the hunks of each file, by the file's name without its first folder.
func hunksOf(patch string) map[string][]hunk {
	all := map[string][]hunk{}
	name := ""
	var h *hunk
	for line := range strings.Lines(patch) {
		line = strings.TrimRight(line, "\r\n")
		switch {
		case strings.HasPrefix(line, "--- "):
			h, name = nil, ""
			if fields := strings.Fields(line); len(fields) > 1 {
				_, name, _ = strings.Cut(fields[1], "/")
			}
		case strings.HasPrefix(line, "+++ "):
		case strings.HasPrefix(line, "@@ "):
			all[name] = append(all[name], hunk{})
			h = &all[name][len(all[name])-1]
		case h == nil:
		case line == "" || line[0] == ' ':
			h.lines = append(h.lines, strings.TrimPrefix(line, " "))
		case line[0] == '-':
			h.touched = append(h.touched, len(h.lines))
			h.lines = append(h.lines, line[1:])
		case line[0] == '+':
			h.touched = append(h.touched, max(0, len(h.lines)-1))
		case line[0] != '\\':
			h = nil
		}
	}
	return all
}

// in finds a hunk in a file: the numbers of the lines that it touches; none where it is not there or in two places.
func (h hunk) in(file []string) (lines []int) {
	want := h.lines
	for len(want) > 0 && want[len(want)-1] == "" { // blank lines at the end of a patch belong to its file, perhaps
		want = want[:len(want)-1]
	}
	for at := 0; at+len(want) <= len(file) && len(want) > 0; at++ {
		if !slices.EqualFunc(want, file[at:at+len(want)],
			func(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }) {
			continue
		}
		if lines != nil {
			return nil
		}
		for _, i := range h.touched {
			lines = append(lines, at+i+1)
		}
	}
	return lines
}

// touchedBy are the lines of a file that hunks touch.
func touchedBy(hunks []hunk, content string) (lines []int) {
	file := strings.Split(strings.ReplaceAll(content, "\r", ""), "\n")
	for _, h := range hunks {
		lines = append(lines, h.in(file)...)
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// withLines writes an answer with the lines that were touched, if they are known.
func withLines(path string, lines []int) string {
	if len(lines) == 0 {
		return path
	}
	var parts []string
	for i := 0; i < len(lines); {
		j := i
		for j+1 < len(lines) && lines[j+1] == lines[j]+1 {
			j++
		}
		part := strconv.Itoa(lines[i])
		if j > i {
			part += "-" + strconv.Itoa(lines[j])
		}
		parts = append(parts, part)
		i = j + 1
	}
	return path + "@@" + strings.Join(parts, ",")
}

// differences are the hunks between two texts of one file.
func differences(ctx context.Context, older, newer string) ([]hunk, error) {
	dir, err := os.MkdirTemp("", "differences-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	for name, text := range map[string]string{"old": older, "new": newer} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			return nil, err
		}
	}
	// diff's status is 1 where they differ
	patch, err := quality.Command(ctx, dir, "sh", "-c", "diff -U3 --label a/f --label b/f old new; test $? -le 1")
	return hunksOf(string(patch))["f"], err
}

// writeLines adds to the messages of commits which lines each changed.
func writeLines(ctx context.Context, cache, out, only string) error {
	projects, err := quality.Projects()
	if err != nil {
		return err
	}
	var errs []error
	for _, p := range projects {
		if p.Half != quality.Trees || only != "" && !slices.Contains(strings.Fields(only), p.Family()) {
			continue
		}
		if err := linesOf(ctx, cache, filepath.Join(out, "trees", p.Family()+".txt"), p); err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", p.Name, err))
		}
	}
	return errors.Join(errs...)
}

func linesOf(ctx context.Context, cache, file string, p quality.Project) error {
	root, err := quality.Fetch(ctx, cache, p)
	if err != nil {
		return err
	}
	patches, err := quality.Patches(ctx, cache, p)
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	found, all := 0, 0
	lines := strings.Split(string(raw), "\n")
	for i, line := range lines {
		parts := strings.Split(line, " | ")
		if len(parts) != 3 || parts[0] != "commit" {
			continue
		}
		all++
		var answers []string
		for answer := range strings.SplitSeq(parts[2], " ; ") {
			name, _, _ := strings.Cut(answer, "@@")
			content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
			if err != nil {
				return err
			}
			var touched []int
			for _, patch := range patches {
				if saysSo(patch, parts[1]) {
					touched = append(touched, touchedBy(hunksOf(patch)[name], string(content))...)
				}
			}
			slices.Sort(touched)
			answers = append(answers, withLines(name, slices.Compact(touched)))
		}
		if lines[i] = strings.Join([]string{parts[0], parts[1], strings.Join(answers, " ; ")}, " | "); lines[i] != line {
			found++
		}
	}
	fmt.Fprintf(os.Stderr, "generate: %s: lines of %d of %d messages\n", p.Name, found, all)
	return os.WriteFile(file, []byte(strings.Join(lines, "\n")), fs.FileMode(0o644))
}

// saysSo reports whether a patch's header has a message.
func saysSo(patch, message string) bool {
	header, _, _ := strings.Cut(patch, "\n--- ")
	plain := func(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }
	return strings.Contains(plain(header), plain(message))
}
