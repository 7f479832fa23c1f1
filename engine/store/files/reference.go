package files

import "searchmcp/engine/api"

// For the reference documentation.
type Option struct {
	Name    string
	Default string
	Want    string // valid values, to follow "must be"
	Help    string
}

func Options() []Option {
	out := make([]Option, 0, len(configFields))
	for _, f := range configFields {
		out = append(out, Option{Name: f.name, Default: f.show(api.DefaultConfig()), Want: f.want, Help: f.help})
	}
	return out
}
