package quality

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/files/repo"
)

// changelogName matches the logs of changes, by the commit, that some trees have in place of a repository.
var changelogName = regexp.MustCompile(`^ChangeLog(?:[-.]\d+)?$`)

var (
	// commitLine begins a commit: a date and who made it.
	commitLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d\s`)
	// changedLine names files: "* src/tar.c, src/names.c (main): Say why.".
	changedLine = regexp.MustCompile(`^\* ([^\s(:,]+(?:, [^\s(:,]+)*)`)
)

// logOf reads the logs at the top of a tree, newest commits first: ChangeLog, then ChangeLog-2011.
func logOf(root string) ([]repo.Commit, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("read log of changes: %w", err)
	}
	var all []repo.Commit
	for _, e := range entries {
		if !changelogName.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read log of changes: %w", err)
		}
		all = append(all, commitsOf(string(data))...)
	}
	return all, nil
}

// commitsOf reads a log in GNU's form (GNU Coding Standards, 6.8), as git's converters write it and as people did
// before: an entry for each commit, with its message before the files or after them. What stands beside a file is left
// out: messages of few repositories have it.
func commitsOf(changelog string) []repo.Commit {
	var all []repo.Commit
	var message strings.Builder
	end := func() {
		if n := len(all) - 1; n >= 0 {
			all[n].Message = message.String()
		}
		message.Reset()
	}
	for line := range strings.Lines(changelog) {
		if commitLine.MatchString(line) {
			end()
			all = append(all, repo.Commit{})
			continue
		}
		line = strings.TrimSpace(line)
		if len(all) == 0 || line == "" {
			continue
		}
		if m := changedLine.FindStringSubmatch(line); m != nil {
			last := &all[len(all)-1]
			for f := range strings.SplitSeq(m[1], ", ") {
				if strings.ContainsAny(f, "./") && !slices.Contains(last.Files, f) {
					last.Files = append(last.Files, f)
				}
			}
		}
		if !strings.HasPrefix(line, "* ") {
			message.WriteString(line + "\n")
		}
	}
	end()
	return slices.DeleteFunc(all, func(c repo.Commit) bool { return len(c.Files) == 0 })
}
