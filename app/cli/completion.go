package cli

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

const completionTimeout = 500 * time.Millisecond

type offers func(ctx context.Context, c *client.Client) ([]string, error)

func (v *invocation) complete(root *cobra.Command) {
	folders := func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	nothing := cobra.NoFileCompletions
	for path, arguments := range map[string][]cobra.CompletionFunc{
		"search": {nothing}, "symbol": {nothing}, "uses": {nothing}, "files": {nothing},
		"index": {folders}, "root add": {folders}, "root remove": {v.offered(rootsOf)},
		"documents add": {folders}, "documents remove": {v.offered(documentFolders)}, "documents search": {nothing},
		"site build": {folders}, "site remove": {v.offered(sites)}, "site search": {v.offered(sites), nothing},
		"archive import": {folders}, "archive remove": {v.offered(archived)}, "archive search": {nothing},
		"named remove": {v.offered(namedIndexes)}, "named search": {v.offered(namedIndexes), nothing},
		"settings get": {v.offered(settingKeys)}, "settings set": {v.offered(settingKeys), v.settingValues},
	} {
		cmd, rest, err := root.Find(strings.Fields(path))
		if err != nil || len(rest) > 0 {
			panic("no command " + path) // unreachable: a test checks the paths
		}
		cmd.ValidArgsFunction = func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			return arguments[min(len(args), len(arguments)-1)](cmd, args, typed)
		}
	}
	v.completeOptions(root, map[string]cobra.CompletionFunc{
		"project": v.offered(projectNames),
		"lang":    v.offered(languages),
		"color":   cobra.FixedCompletions([]string{"auto", "always", "never"}, cobra.ShellCompDirectiveNoFileComp),
		"level":   cobra.FixedCompletions([]string{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp),
		"in":      cobra.FixedCompletions([]string{"title", "content", "both"}, cobra.ShellCompDirectiveNoFileComp),
		"docs":    folders,
		"path":    nothing, "top-k": nothing, "limit": nothing, "lines": nothing, "depth": nothing,
	})
}

func (v *invocation) completeOptions(cmd *cobra.Command, values map[string]cobra.CompletionFunc) {
	for name, complete := range values {
		if f := cmd.LocalFlags().Lookup(name); f == nil || f.Value.Type() == "bool" {
			continue
		}
		if err := cmd.RegisterFlagCompletionFunc(name, complete); err != nil {
			panic(err)
		}
	}
	for _, c := range cmd.Commands() {
		v.completeOptions(c, values)
	}
}

// offered completes the names in list, or no names if the app does not answer in time.
func (v *invocation) offered(list offers) cobra.CompletionFunc {
	return func(cmd *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		v.silent = true
		ctx, cancel := context.WithTimeout(context.Background(), completionTimeout)
		defer cancel()
		c, err := v.connect(ctx, false, nil)
		var names []string
		if err == nil {
			defer c.Close()
			names, err = list(ctx, c)
		}
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return slices.DeleteFunc(names, func(n string) bool { return !strings.HasPrefix(n, typed) }),
			cobra.ShellCompDirectiveNoFileComp
	}
}

func (v *invocation) settingValues(cmd *cobra.Command, args []string, typed string) ([]string,
	cobra.ShellCompDirective) {
	return v.offered(offer(wire.MethodSettingsGet, func(settings map[string]any) []string {
		switch value := settings[args[0]].(type) {
		case nil:
			return nil
		case bool:
			return []string{"true", "false"}
		default:
			return []string{fmt.Sprint(value)}
		}
	}))(cmd, args, typed)
}

func offer[R any](m wire.Method[wire.Empty, R], words func(R) []string) offers {
	return func(ctx context.Context, c *client.Client) ([]string, error) {
		r, err := m.Call(ctx, c, wire.Empty{})
		if err != nil {
			return nil, err
		}
		return words(r), nil
	}
}

func source[T any](of func(wire.Sources) []T, word func(T) (word, about string)) offers {
	return offer(wire.MethodSources, func(s wire.Sources) (all []string) {
		for _, one := range of(s) {
			if word, about := word(one); about != "" {
				all = append(all, cobra.CompletionWithDesc(clean(word), clean(about)))
			} else {
				all = append(all, clean(word))
			}
		}
		return all
	})
}

var (
	languages    = offer(wire.MethodLanguages, func(all []string) []string { return all })
	projectNames = offer(wire.MethodStatus, func(s wire.Status) (all []string) {
		for _, p := range s.Projects {
			all = append(all, cobra.CompletionWithDesc(clean(p.Name), clean(p.Root())))
		}
		return all
	})
	rootsOf = offer(wire.MethodStatus, func(s wire.Status) (all []string) {
		for _, p := range s.Projects {
			for _, r := range p.Roots {
				if r.Name != "" {
					all = append(all, cobra.CompletionWithDesc(clean(r.Path), clean(p.Name)))
				}
			}
		}
		return all
	})
	settingKeys = offer(wire.MethodSettingsGet, func(settings map[string]any) (all []string) {
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			all = append(all, cobra.CompletionWithDesc(key, clean(fmt.Sprint(settings[key]))))
		}
		return all
	})
	sites = source(func(s wire.Sources) []api.Site { return s.Sites },
		func(site api.Site) (string, string) { return site.Prefix, site.Name })
	documentFolders = source(func(s wire.Sources) []api.DocumentSource { return s.Documents },
		func(d api.DocumentSource) (string, string) { return d.Root, "" })
	archived = source(func(s wire.Sources) []api.ArchiveFolder { return s.Archive.Folders },
		func(f api.ArchiveFolder) (string, string) { return f.Folder, "" })
	namedIndexes = source(func(s wire.Sources) []api.NamedSummary { return s.Named.Indexes },
		func(x api.NamedSummary) (string, string) { return x.Name, many(x.Documents, "document") })
)
