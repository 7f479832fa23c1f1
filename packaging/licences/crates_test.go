package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestLinkedLeavesOutBuildAndTestDependencies(t *testing.T) {
	var m metadata
	err := json.Unmarshal([]byte(`{"resolve": {"root": "root", "nodes": [
		{"id": "root", "deps": [
			{"pkg": "a", "dep_kinds": [{"kind": "dev"}, {"kind": null}]},
			{"pkg": "build", "dep_kinds": [{"kind": "build"}]},
			{"pkg": "dev", "dep_kinds": [{"kind": "dev"}]}]},
		{"id": "a", "deps": [{"pkg": "b", "dep_kinds": [{"kind": null}]}]},
		{"id": "b", "deps": [{"pkg": "a", "dep_kinds": [{"kind": null}]}]},
		{"id": "build", "deps": [{"pkg": "c", "dep_kinds": [{"kind": null}]}]}]}}`), &m)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(slices.Sorted(maps.Keys(m.linked())), " "); got != "a b root" {
		t.Errorf("linked %q, want %q", got, "a b root")
	}
}
