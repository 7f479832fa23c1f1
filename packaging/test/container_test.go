package test

import (
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// checkContainer checks that the package and program in the Dockerfile exist, and that it creates the data folder for
// its user. `make test-container` builds the image as root.
func checkContainer(t *testing.T, dist string) {
	text, err := os.ReadFile(filepath.Join("..", "container", "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	file := regexp.MustCompile(`(?m)^#.*\n`).ReplaceAllString(string(text), "")
	file = strings.ReplaceAll(file, "\\\n", " ")
	values := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([A-Z]+) +(.*)$`).FindAllStringSubmatch(file, -1) {
		values[m[1]] += m[2] + "\n"
	}

	pattern := regexp.MustCompile(`/packages/(\S+)`).FindStringSubmatch(values["RUN"])
	if pattern == nil {
		t.Fatalf("no package is installed by %q", values["RUN"])
	}
	if found, err := filepath.Glob(filepath.Join(dist, pattern[1])); err != nil || len(found) != 1 {
		t.Errorf("%s is %v: %v", pattern[1], found, err)
	}
	var command []string
	if err := json.Unmarshal([]byte(values["CMD"]), &command); err != nil || len(command) == 0 {
		t.Fatalf("CMD %s is not in its exec form, so signals do not reach the app: %v", values["CMD"], err)
	}
	programs := strings.Fields(must(t, nil, "ls", "app/cmd"))
	if !slices.Contains(programs, command[0]) {
		t.Errorf("%s is none of %v", command[0], programs)
	}
	user, volume := strings.TrimSpace(values["USER"]), strings.TrimSpace(values["VOLUME"])
	if want := "install -d -o " + user + " -g " + user + " -m 700 " + volume; !strings.Contains(values["RUN"], want) {
		t.Errorf("no %q: an engine makes the folder of a volume as root", want)
	}
	if !strings.Contains(values["ENV"], "SEARCH_MCP_HOME="+volume) || !path.IsAbs(volume) {
		t.Errorf("the data folder is not the volume: ENV %s VOLUME %s", values["ENV"], volume)
	}
}
