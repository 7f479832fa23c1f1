package files

import "searchmcp/engine/api"

// Option describes a field of the configuration for the reference documentation.
type Option struct {
	Name    string
	Default string
	Want    string // the valid values, as a phrase after "must be"
	Help    string
}

func Options() []Option {
	out := make([]Option, 0, len(configFields))
	for _, f := range configFields {
		out = append(out, Option{Name: f.name, Default: f.show(api.DefaultConfig()), Want: f.want, Help: f.help})
	}
	return out
}
