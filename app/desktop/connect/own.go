package connect

import "go.yaml.in/yaml/v3"

// ownFile is the format of a file that contains only our server, such as Continue's.
type ownFile struct{}

func (ownFile) servers(data []byte) ([]server, error) {
	if len(data) == 0 {
		return nil, nil
	}
	var block struct {
		Servers []struct {
			Name    string   `yaml:"name"`
			Command string   `yaml:"command"`
			Args    []string `yaml:"args"`
		} `yaml:"mcpServers"`
	}
	if err := yaml.Unmarshal(data, &block); err != nil {
		return nil, errBroken(err)
	}
	var list []server
	for _, s := range block.Servers {
		list = append(list, server{name: s.Name, command: s.Command, args: s.Args})
	}
	return list, nil
}

func (ownFile) add(data []byte, s server) ([]byte, error) {
	if len(data) > 0 {
		return nil, errForm("the file is there already")
	}
	args := ""
	for _, a := range s.args {
		args += "      - " + quote(a) + "\n"
	}
	return []byte("name: Search MCP\nversion: 1.0.0\nschema: v1\nmcpServers:\n  - name: " + s.name + "\n    command: " +
		quote(s.command) +
		"\n    args:\n" + args), nil
}

func (o ownFile) command(data []byte, _, program string) ([]byte, error) {
	s, err := o.only(data)
	if err != nil {
		return nil, err
	}
	s.command = program
	return o.add(nil, s)
}

func (o ownFile) remove(data []byte, _ string) ([]byte, error) {
	_, err := o.only(data)
	return nil, err
}

func (o ownFile) only(data []byte) (server, error) {
	list, err := o.servers(data)
	if err == nil && len(list) != 1 {
		err = errForm("the file contains other servers")
	}
	if err != nil {
		return server{}, err
	}
	return list[0], nil
}
