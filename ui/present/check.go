package present

import (
	"slices"
	"strings"

	"searchmcp/engine/api"
)

type Check struct {
	OK    bool
	Title string
	Says  []string // problems
	Facts []string // technical details, in English
	Helps []string // remedies
}

var subjects = map[string]Text{
	"data folder": "Data folder", "disk": "Disk space", "worker": "Program files", "ONNX Runtime": "Program files",
	"model": "Model for searching by meaning", "app": "App", "projects": "Projects", "editors": "Editors",
}

func Checks(findings []api.Finding) []Check {
	var all []Check
	for _, f := range findings {
		title := line(strings.TrimPrefix(f.Subject, "project "))
		if t := subjects[f.Subject]; t != "" {
			title = T(t)
		}
		at := slices.IndexFunc(all, func(c Check) bool { return c.Title == title })
		if at < 0 {
			at = len(all)
			all = append(all, Check{OK: true, Title: title})
		}
		c := &all[at]
		if f.OK {
			continue
		}
		c.OK = false
		if said := Sentence(f.Text); !slices.Contains(c.Says, said) {
			c.Says = append(c.Says, said)
		}
		if detail := line(f.Detail); detail != "" && !slices.Contains(c.Facts, detail) {
			c.Facts = append(c.Facts, detail)
		}
		if help := Sentence(f.Remedy); help != "" && !slices.Contains(c.Helps, help) {
			c.Helps = append(c.Helps, help)
		}
	}
	for i := range all {
		if all[i].OK {
			all[i].Says = []string{T("Fine")}
		}
	}
	slices.SortStableFunc(all, func(a, b Check) int {
		switch {
		case a.OK == b.OK:
			return 0
		case a.OK:
			return 1
		}
		return -1
	})
	return all
}
