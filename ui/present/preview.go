package present

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
)

type Language struct {
	Name  string
	Files int
	Share float64
}

const shownLanguages = 5

func Languages(files map[string]int) []Language {
	total := sum(slices.Collect(maps.Values(files)))
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		return cmp.Or(cmp.Compare(files[b], files[a]), strings.Compare(a, b))
	})
	var list []Language
	rest := 0
	for _, n := range names {
		if n == "" || len(list) == shownLanguages {
			rest += files[n]
			continue
		}
		list = append(list, Language{Name: cmp.Or(languageNames[n], Capital(n)), Files: files[n],
			Share: Share(files[n], total)})
	}
	if rest > 0 {
		list = append(list, Language{Name: T("Other text"), Files: rest, Share: Share(rest, total)})
	}
	return list
}

var languageNames = map[string]string{
	"cpp": "C++", "csharp": "C#", "css": "CSS", "html": "HTML", "javascript": "JavaScript", "json": "JSON", "php": "PHP",
	"sql": "SQL", "toml": "TOML", "tsx": "TSX", "typescript": "TypeScript", "xml": "XML", "yaml": "YAML", "scss": "SCSS",
	"objc": "Objective-C", "ocaml": "OCaml", "powershell": "PowerShell", "rst": "reStructuredText", "asciidoc": "AsciiDoc",
	"restructuredtext": "reStructuredText", "gomod": "Go modules", "ejs": "EJS",
}

func Estimate(p api.Preview) []Fact {
	files := Number(p.Files)
	if p.Truncated {
		files = T("at least %s", files)
	}
	facts := []Fact{{"Files", Join(files, Size(p.Bytes))}, {"Time", T("under a minute")}}
	if p.Duration >= time.Minute {
		facts[1].Value = T("about %s", Length(p.Duration))
		if p.Searchable > 0 && p.Searchable < p.Duration/2 {
			facts = append(facts, Fact{"Searchable", T("after %s", Length(max(p.Searchable, time.Second)))})
		}
	}
	return append(facts, Fact{"Space", T("about %s", Size(p.DiskBytes))})
}

func Caution(p api.Preview) string {
	switch {
	case p.Broad:
		return T("This is not a single project but everything below this folder. You will be asked once more.")
	case p.OverLimit:
		return T("This project is very large. Indexing may take several minutes. Perhaps indexing a subfolder is enough.")
	case p.Files == 0:
		return T("Nothing to index: every file is excluded, or the folder is empty.")
	case len(p.Warnings) > 0:
		said := ""
		for _, w := range p.Warnings {
			said += " " + Sentence(w)
		}
		return said[1:]
	}
	return ""
}

// LeftOut describes excluded files. make bench-secrets measured the proportion of missed keys.
const LeftOut Text = "Ignored files and files with passwords or keys are not indexed. Keys and " +
	"tokens in other files are masked. In our tests, 1 in 100 such keys was missed."

const Stays Text = "Nothing leaves this computer."

const ChartDays = 14

func Searches(u api.Usage, root string, now time.Time) []int {
	counts := make([]int, ChartDays)
	for i := range counts {
		d := dayOf(u, now.AddDate(0, 0, i+1-ChartDays))
		if counts[i] = d.Projects[root]; root == "" {
			counts[i] = sum(slices.Collect(maps.Values(d.Searches)))
		}
	}
	return counts
}

func dayOf(u api.Usage, at time.Time) api.UsageDay {
	name := at.Local().Format(time.DateOnly)
	if i := slices.IndexFunc(u.Days, func(d api.UsageDay) bool { return d.Day == name }); i >= 0 {
		return u.Days[i]
	}
	return api.UsageDay{}
}

func Used(u api.Usage, now time.Time) string {
	if sum(Searches(u, "", now)) == 0 {
		return ""
	}
	d := dayOf(u, now)
	clients := map[string]int{}
	for name, n := range d.Searches {
		clients[Client(name)] += n
	}
	names := slices.SortedFunc(maps.Keys(clients), func(a, b string) int {
		return cmp.Or(cmp.Compare(clients[b], clients[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		if len(names) > 1 { // otherwise it is the number of all searches
			names[i] = name + " " + Number(clients[name])
		}
	}
	return Join(T("Today: %s", Count(sum(slices.Collect(maps.Values(d.Searches))), "search")), strings.Join(names, ", "),
		median(d.Took))
}

func Opened(u api.Usage, now time.Time) string {
	asked, opened := 0, 0
	for i := range ChartDays {
		d := dayOf(u, now.AddDate(0, 0, -i))
		asked, opened = asked+d.Searches[windowClient], opened+d.Opened
	}
	if opened == 0 {
		return ""
	}
	return T("in %d days, %s of the searches in this window opened a result", ChartDays, Percent(opened, asked))
}

func Today(counts []int) string { return T("%s today", Count(counts[len(counts)-1], "search")) }

func UsedProject(counts []int) string {
	if sum(counts) == 0 {
		return T("No searches in the last %d days", ChartDays)
	}
	return Join(T("%s in %d days", Count(sum(counts), "search"), ChartDays), T("%s today", Number(counts[len(counts)-1])))
}

func sum(counts []int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

func median(took map[int]int) string {
	half := (sum(slices.Collect(maps.Values(took))) + 1) / 2
	for _, ms := range slices.Sorted(maps.Keys(took)) {
		if half -= took[ms]; half <= 0 {
			return T("median %s", Took(time.Duration(ms)*time.Millisecond+1))
		}
	}
	return ""
}

func Asked(u api.Usage, is func(client string) bool) time.Time {
	var last time.Time
	for client, at := range u.Last {
		if is(client) && at.After(last) {
			last = at
		}
	}
	return last
}
