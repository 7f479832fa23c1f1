package present

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"searchmcp/engine/api"
)

const ChartDays = 14

// Searches returns the number of searches per day, oldest first, for the project at root, or for all projects if root
// is "".
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
	clients := map[string]int{} // combines versions of a client
	for name, n := range d.Searches {
		clients[Client(name)] += n
	}
	names := slices.SortedFunc(maps.Keys(clients), func(a, b string) int {
		return cmp.Or(cmp.Compare(clients[b], clients[a]), cmp.Compare(a, b))
	})
	for i, name := range names {
		names[i] = name + " " + Number(clients[name])
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
	if asked == 0 {
		return ""
	}
	return T("%s in this window, %s opened", Count(asked, "search"), Number(min(opened, asked)))
}

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
