package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine"
	"searchmcp/engine/store/files"
)

const fieldHeader = "| %s | default | valid | meaning |\n| --- | --- | --- | --- |\n"

func configuration() string {
	var b strings.Builder
	fmt.Fprintf(&b, fieldHeader, "field")
	for _, o := range files.Options() {
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", o.Name, o.Default, cell(o.Want), cell(o.Help))
	}
	return b.String()
}

func settings() string {
	var b strings.Builder
	fmt.Fprintf(&b, fieldHeader, "setting")
	list := engine.SettingsReference()
	slices.SortFunc(list, func(a, c files.Setting) int { return strings.Compare(a.Key, c.Key) })
	for _, s := range list {
		def, err := json.Marshal(s.Default)
		if err != nil {
			continue // bools, numbers and texts can always be encoded
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, def, cell(s.Want), cell(s.Help))
	}
	return b.String()
}
