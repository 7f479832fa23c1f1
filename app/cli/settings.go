package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/spf13/cobra"

	"searchmcp/app/socket/client"
	"searchmcp/app/socket/wire"
	"searchmcp/engine/api"
)

func (v *invocation) settingsCommand() *cobra.Command {
	get := &cobra.Command{Use: "get [KEY]", Short: "Show all settings, or one setting", Args: cobra.MaximumNArgs(1)}
	set := &cobra.Command{Use: "set KEY VALUE", Short: "Change a setting; VALUE is JSON or a plain word",
		Args: cobra.ExactArgs(2)}
	return v.group("settings", "Show or change the app's settings",
		v.connected(get, func(ctx context.Context, c *client.Client, args []string) error {
			settings, err := wire.MethodSettingsGet.Call(ctx, c, wire.Empty{})
			if err != nil {
				return err
			}
			return v.printSettings(settings, args)
		}),
		v.connected(set, func(ctx context.Context, c *client.Client, args []string) error {
			settings, err := wire.MethodSettingsSet.Call(ctx, c, map[string]any{args[0]: value(args[1])})
			if err != nil {
				return err
			}
			return v.printSettings(settings, args[:1])
		}))
}

func value(typed string) any {
	var parsed any
	if json.Unmarshal([]byte(typed), &parsed) != nil {
		return typed
	}
	return parsed
}

func (v *invocation) printSettings(settings map[string]any, keys []string) error {
	if len(keys) == 1 {
		one, ok := settings[keys[0]]
		if !ok {
			return api.New(api.InvalidArgument, fmt.Sprintf("There is no setting '%s'%s", keys[0],
				cmp.Or(didYouMean(keys[0], slices.Sorted(maps.Keys(settings))), ".")), "KEY: expected a setting", nil)
		}
		if v.asJSON {
			return v.printJSON(one)
		}
		settings = map[string]any{keys[0]: one}
	}
	return printAnswer(v, settings, nil, func() {
		for _, key := range slices.Sorted(maps.Keys(settings)) {
			data, _ := json.Marshal(settings[key])
			v.printf("%s = %s\n", key, data)
		}
	})
}
