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

// changelogName matches the names of GNU changelogs. Some source packages have one instead of a repository.
var changelogName = regexp.MustCompile(`^ChangeLog(?:[-.]\d+)?$`)

var (
	// commitLine matches the first line of a commit, with a date and an author.
	commitLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d\s`)
	// changedLine matches the names of changed files: "* src/tar.c, src/names.c (main): Say why.".
	changedLine = regexp.MustCompile(`^\* ([^\s(:,]+(?:, [^\s(:,]+)*)`)
)

// logOf returns the commits in the changelogs of the folder root, newest first. ChangeLog is read before
// ChangeLog-2011.
func logOf(root string) ([]repo.Commit, error) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return nil, fmt.Errorf("read changelogs: %w", err)
	}
	var all []repo.Commit
	for _, e := range entries {
		if !changelogName.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(root, e.Name()))
		if err != nil {
			return nil, fmt.Errorf("read changelogs: %w", err)
		}
		all = append(all, commitsOf(string(data))...)
	}
	return all, nil
}

// commitsOf parses a GNU changelog (GNU Coding Standards, 6.8), written by hand or converted from git. Each entry is
// a commit, whose message precedes or follows the files. Text after the name of a file is ignored, because few
// repositories have such messages.
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
