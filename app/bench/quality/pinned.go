package quality

import (
	_ "embed"
	"strings"
)

//go:embed testdata/pinned.txt
var pins string

// pinned are the projects in testdata/pinned.txt, whose questions were written by hand.
var pinned = func() (all []Project) {
	for line := range strings.Lines(pins) {
		if p := strings.Split(strings.TrimSpace(line), " | "); !strings.HasPrefix(line, "#") {
			all = append(all, Project{Name: p[0], Language: p[2], Client: Client(p[3]), Package: p[4],
				Version: p[5], SHA256: p[6], Root: strings.TrimPrefix(p[7], "."), Keep: strings.TrimPrefix(p[8], "all")})
		}
	}
	return all
}()
