package hotkey

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/godbus/dbus/v5"
)

// Names of the portal (XDG Desktop Portal: GlobalShortcuts, Request, host Registry).
const (
	portalName     = "org.freedesktop.portal.Desktop"
	portalPath     = "/org/freedesktop/portal/desktop"
	portalIface    = "org.freedesktop.portal.GlobalShortcuts"
	requestIface   = "org.freedesktop.portal.Request"
	registryMethod = "org.freedesktop.host.portal.Registry.Register"
	shortcutID     = "palette"
)

type options = map[string]dbus.Variant

// portal is a connection to the portal.
type portal struct {
	bus     *dbus.Conn
	object  dbus.BusObject
	signals chan *dbus.Signal
}

// byPortal binds the shortcut at the desktop's portal; ErrNone where there is none that knows shortcuts.
func byPortal(ctx context.Context, o Options) error {
	address := value(o.Env, "DBUS_SESSION_BUS_ADDRESS")
	if address == "" {
		return ErrNone
	}
	bus, err := dbus.Connect(address, dbus.WithContext(ctx))
	if err != nil {
		return ErrNone
	}
	defer bus.Close()
	p := &portal{bus: bus, object: bus.Object(portalName, portalPath), signals: make(chan *dbus.Signal, 16)}
	if _, err := p.object.GetProperty(portalIface + ".version"); err != nil {
		return ErrNone
	}
	bus.Signal(p.signals)
	if err := bus.AddMatchSignal(dbus.WithMatchObjectPath(portalPath), dbus.WithMatchInterface(portalIface)); err != nil {
		return fmt.Errorf("listen to the portal: %w", err)
	}
	p.object.CallWithContext(ctx, registryMethod, 0, o.App, options{}) // portals before 1.20 have no such method
	results, err := p.ask(ctx, "CreateSession", func(token string) []any {
		return []any{options{"handle_token": dbus.MakeVariant(token),
			"session_handle_token": dbus.MakeVariant("searchmcp" + rand.Text())}}
	})
	if err != nil {
		return err
	}
	session := dbus.ObjectPath(fmt.Sprint(results["session_handle"].Value()))
	type binding struct {
		ID      string
		Options options
	}
	if _, err = p.ask(ctx, "BindShortcuts", func(token string) []any {
		return []any{session, []binding{{shortcutID, options{
			"description": dbus.MakeVariant(o.Title), "preferred_trigger": dbus.MakeVariant(o.Shortcut.trigger()),
		}}}, "", options{"handle_token": dbus.MakeVariant(token)}}
	}); err != nil {
		return err
	}
	o.Ready(ByPortal)
	for {
		s, err := p.next(ctx)
		if err != nil {
			return err
		}
		if s.Name == portalIface+".Activated" && len(s.Body) > 1 && s.Body[0] == session && s.Body[1] == shortcutID {
			o.Pressed()
		}
	}
}

// next waits for a signal.
func (p *portal) next(ctx context.Context) (*dbus.Signal, error) {
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case s, open := <-p.signals:
		if !open {
			return nil, fmt.Errorf("listen to the portal: %w", dbus.ErrClosed)
		}
		return s, nil
	}
}

// ask calls a method whose answer comes as a signal of a request, and waits for it: the person may be asked meanwhile.
func (p *portal) ask(ctx context.Context, method string, args func(token string) []any) (options, error) {
	token := "searchmcp" + rand.Text()
	name := strings.NewReplacer(":", "", ".", "_").Replace(p.bus.Names()[0])
	paths := []dbus.ObjectPath{dbus.ObjectPath(portalPath + "/request/" + name + "/" + token)}
	if err := p.bus.AddMatchSignal(dbus.WithMatchObjectPath(paths[0]), dbus.WithMatchInterface(requestIface)); err != nil {
		return nil, fmt.Errorf("listen to the portal: %w", err)
	}
	var handle dbus.ObjectPath
	if err := p.object.CallWithContext(ctx, portalIface+"."+method, 0, args(token)...).Store(&handle); err != nil {
		return nil, errors.Join(ErrNone, fmt.Errorf("%s: %w", method, err))
	}
	for {
		s, err := p.next(ctx)
		if err != nil {
			return nil, err
		}
		if s.Name != requestIface+".Response" || !slices.Contains(append(paths, handle), s.Path) {
			continue
		}
		var status uint32
		var results options
		if err := dbus.Store(s.Body, &status, &results); err != nil {
			return nil, fmt.Errorf("%s: %w", method, err)
		}
		if status != 0 { // the person said no, or the desktop did
			return nil, fmt.Errorf("%s: %w", method, ErrTaken)
		}
		return results, nil
	}
}

// trigger writes a shortcut as the XDG shortcuts specification does.
func (s Shortcut) trigger() string {
	var parts []string
	for _, m := range []struct {
		held Modifier
		name string
	}{{Ctrl, "CTRL"}, {Alt, "ALT"}, {Shift, "SHIFT"}, {Super, "LOGO"}} {
		if s.Held&m.held != 0 {
			parts = append(parts, m.name)
		}
	}
	key := s.Key
	if len(key) == 1 || key == "Space" {
		key = strings.ToLower(key) // the name of its keysym
	}
	return strings.Join(append(parts, key), "+")
}
