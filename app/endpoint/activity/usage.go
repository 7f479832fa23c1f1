package activity

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const usageDays = 31

type usage struct {
	path string
	api.Usage
}

func readUsage(path string) usage {
	u := usage{path: path}
	if text, err := os.ReadFile(path); err == nil {
		_ = json.Unmarshal(text, &u.Usage) // a malformed file is overwritten after the next search
	}
	return u
}

func (u *usage) add(a api.Activity) bool {
	if a.Client == "" {
		return false
	}
	changed := false
	if a.Role == api.RoleAssistant && a.Time.Sub(u.Last[a.Client]) >= time.Minute { // the window shows minutes
		if u.Last == nil {
			u.Last = map[string]time.Time{}
		}
		u.Last[a.Client], changed = a.Time, true
	}
	if a.Query == "" || a.Error != "" {
		return changed
	}
	u.search(a.Time, a.Client, a.Searched, a.Took)
	return true
}

func (u *usage) asked(client string, a wire.SearchUse, now time.Time) {
	if a.Opened {
		u.day(now).Opened++
	} else {
		u.search(now, client, a.Projects, a.Took)
	}
}

func (u *usage) search(at time.Time, client string, projects []string, took time.Duration) {
	d := u.day(at)
	d.Searches[client]++
	for _, root := range projects {
		if d.Projects == nil {
			d.Projects = map[string]int{}
		}
		d.Projects[root]++
	}
	d.Took[twoDigits(int(took.Milliseconds()))]++
}

func (u *usage) day(at time.Time) *api.UsageDay {
	name := at.Local().Format(time.DateOnly)
	i := slices.IndexFunc(u.Days, func(d api.UsageDay) bool { return d.Day == name })
	if i < 0 {
		u.Days = append(u.Days, api.UsageDay{Day: name, Searches: map[string]int{}, Took: map[int]int{}})
		u.Days = u.Days[max(0, len(u.Days)-usageDays):]
		i = len(u.Days) - 1
	}
	return &u.Days[i]
}

func twoDigits(n int) int {
	unit := 1
	for n/unit >= 100 {
		unit *= 10
	}
	return (n + unit/2) / unit * unit
}

func (u *usage) write() error {
	text, err := json.Marshal(u.Usage)
	if err != nil {
		return fmt.Errorf("keep counts of searches: %w", err)
	}
	return replace(u.path, text)
}

func (u *usage) remove() error {
	u.Usage = api.Usage{}
	if err := gone(os.Remove(u.path)); err != nil {
		return fmt.Errorf("remove counts of searches: %w", err)
	}
	return nil
}

func (u *usage) clone() api.Usage {
	c := api.Usage{Days: slices.Clone(u.Days), Last: maps.Clone(u.Last)}
	for i, d := range c.Days {
		c.Days[i].Searches, c.Days[i].Projects = maps.Clone(d.Searches), maps.Clone(d.Projects)
		c.Days[i].Took = maps.Clone(d.Took)
	}
	return c
}
