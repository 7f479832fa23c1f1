package quality

import (
	"regexp"
	"slices"
	"strings"

	"searchmcp/engine/repo"
)

// changelogName matches the logs of changes, by the commit, that some trees have in place of a repository.
var changelogName = regexp.MustCompile(`^ChangeLog(?:[-.]\d+)?$`)

var (
	// commitLine begins a commit: a date and who made it.
	commitLine = regexp.MustCompile(`^\d{4}-\d\d-\d\d\s`)
	// changedLine names files: "* src/tar.c, src/names.c (main): Say why.".
	changedLine = regexp.MustCompile(`^\* ([^\s(:,]+(?:, [^\s(:,]+)*)`)
)

// commitsOf reads a log in GNU's form (GNU Coding Standards, 6.8), as git's converters write it and as people did
// before: an entry for each commit, with its message before the files, after them, or beside each.
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
		if !strings.HasPrefix(line, "* ") || !strings.HasSuffix(line, ":") { // a converter's list of files is no message
			message.WriteString(line + "\n")
		}
	}
	end()
	return slices.DeleteFunc(all, func(c repo.Commit) bool { return len(c.Files) == 0 })
}
