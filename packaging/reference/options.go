package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"searchmcp/engine/settings"
	"searchmcp/engine/store/files"
)

func configuration() string { return optionTable("field", files.Options()) }

func appSettings() string {
	list := settings.Known()
	slices.SortFunc(list, func(a, c files.Setting) int { return strings.Compare(a.Key, c.Key) })
	return optionTable("setting", list)
}

func optionTable(title string, list []files.Setting) string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | default | valid | meaning |\n| --- | --- | --- | --- |\n", title)
	for _, s := range list {
		def, err := json.Marshal(s.Default)
		if err != nil {
			continue // can't fail for a bool, number or string
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s | %s |\n", s.Key, def, cell(s.Want), cell(s.Help))
	}
	return b.String()
}
