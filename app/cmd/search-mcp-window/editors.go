package main

import (
	"cmp"
	"context"

	"searchmcp/app/desktop/connect"
	"searchmcp/ui/page"
)

func local() (*connect.Machine, error) { return connect.Local(sibling("search-mcp")) }

func locally[T any](call func(*connect.Machine) (T, error)) (none T, err error) {
	m, err := local()
	if err != nil {
		return none, err
	}
	return call(m)
}

func (*machine) Editors(context.Context) ([]connect.Status, error) {
	return locally(func(m *connect.Machine) ([]connect.Status, error) { return m.List(), nil })
}

func (*machine) Connect(_ context.Context, editor string) (page.Change, error) {
	return plan(func(m *connect.Machine) (connect.Plan, error) { return m.Connect(editor, false) })
}

func (*machine) Disconnect(_ context.Context, editor string) (page.Change, error) {
	return plan(func(m *connect.Machine) (connect.Plan, error) { return m.Disconnect(editor, false) })
}

func plan(of func(*connect.Machine) (connect.Plan, error)) (page.Change, error) {
	return locally(func(m *connect.Machine) (none page.Change, err error) {
		p, err := of(m)
		if err != nil {
			return none, err
		}
		return change(m, p), nil
	})
}

func (*machine) Note(_ context.Context, project, editor string, remove bool) ([]page.Change, error) {
	return locally(func(m *connect.Machine) (list []page.Change, err error) {
		plans, err := connect.Note(project, editor, remove)
		for _, p := range plans {
			list = append(list, change(m, p))
		}
		return list, err
	})
}

func change(m *connect.Machine, p connect.Plan) page.Change {
	c := page.Change{
		Title: p.Editor, File: p.File, Lines: p.Lines(), After: p.After, Empty: p.Empty(),
		Apply: func(ctx context.Context) (string, error) { return m.Apply(ctx, p) },
	}
	for _, argv := range p.Run {
		c.Run = append(c.Run, connect.CommandLine(argv))
	}
	return c
}

func (*machine) Snippet(editor string) string {
	m, err := local()
	if err != nil {
		return err.Error()
	}
	return m.Snippet(cmp.Or(editor, "cursor"))
}
