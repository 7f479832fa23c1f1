package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) settingsCommand() *cobra.Command {
	return v.group("settings", "Show or change the app's settings",
		v.connected("get [KEY]", "Show all settings, or one setting",
			func(ctx context.Context, c *client.Client, args []string) error {
				settings, err := wire.MethodSettingsGet.Call(ctx, c, wire.Empty{})
				return v.printSettings(settings, args, err)
			}),
		v.connected("set KEY VALUE", "Change a setting; VALUE is JSON or a plain word",
			func(ctx context.Context, c *client.Client, args []string) error {
				settings, err := wire.MethodSettingsSet.Call(ctx, c, map[string]any{args[0]: value(args[1])})
				if err != nil {
					known, failed := wire.MethodSettingsGet.Call(ctx, c, wire.Empty{})
					if failed == nil && known[args[0]] == nil {
						settings, err = known, nil // printSettings reports the unknown key
					}
				}
				return v.printSettings(settings, args[:1], err)
			}))
}

func value(typed string) any {
	var parsed any
	if json.Unmarshal([]byte(typed), &parsed) != nil {
		return typed
	}
	return parsed
}

func (v *invocation) printSettings(settings map[string]any, keys []string, err error) error {
	if err == nil && len(keys) == 1 {
		one, ok := settings[keys[0]]
		if !ok {
			hint := cmp.Or(didYouMean(keys[0], slices.Sorted(maps.Keys(settings))), say(". List them with: search-mcp settings"))
			return api.New(api.InvalidArgument, say("There is no setting '%s'%s", keys[0], hint),
				"KEY: expected a setting", nil)
		}
		if v.asJSON {
			return v.printJSON(one)
		}
		settings = map[string]any{keys[0]: one}
	}
	return printAnswer(v, settings, err, func() {
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			data, _ := json.Marshal(settings[key])
			v.printf("%s = %s\n", key, data)
		}
	})
}
