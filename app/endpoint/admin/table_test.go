package admin

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"searchmcp/app/socket/wire"
)

// TestTableIsComplete checks that each method of app/socket/wire except Hello is served exactly once.
func TestTableIsComplete(t *testing.T) {
	files, err := filepath.Glob("../../socket/wire/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	var named []string
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`\tMethod\w+ +Method\[.*\] += Prefix \+ "(.*)"`).FindAllStringSubmatch(string(text), -1) {
			named = append(named, wire.Prefix+m[1])
		}
	}
	served := []string{string(wire.MethodHello)}
	for _, row := range table {
		served = append(served, row.name)
	}
	slices.Sort(named)
	slices.Sort(served)
	if !slices.Equal(named, served) {
		t.Errorf("served are\n%v\nand app/socket/wire names\n%v", served, named)
	}
}
