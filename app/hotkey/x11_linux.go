package hotkey

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"strconv"
	"strings"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// byX11 grabs the key from the X server: from then on it is ours alone, until the connection ends.
func byX11(ctx context.Context, o Options) error {
	if auth := value(o.Env, "XAUTHORITY"); auth != "" && os.Getenv("XAUTHORITY") == "" {
		if err := os.Setenv("XAUTHORITY", auth); err != nil { // where the library looks for it
			return fmt.Errorf("find the X server's key: %w", err)
		}
	}
	xgb.Logger = log.New(io.Discard, "", 0) // it would write to the standard error what is no error to us
	conn, err := xgb.NewConnDisplay(value(o.Env, "DISPLAY"))
	if err != nil {
		return errors.Join(ErrNone, fmt.Errorf("connect to the X server: %w", err))
	}
	stop := context.AfterFunc(ctx, conn.Close)
	defer func() {
		if stop() {
			conn.Close()
		}
	}()
	setup := xproto.Setup(conn)
	code, err := keycode(conn, setup, keysym(o.Shortcut.Key))
	if err != nil {
		return err
	}
	root := setup.DefaultScreen(conn).Root
	for _, lock := range []uint16{0, xproto.ModMaskLock, xproto.ModMask2, xproto.ModMaskLock | xproto.ModMask2} {
		// Caps Lock, Num Lock
		if err := xproto.GrabKeyChecked(conn, true, root, held(o.Shortcut.Held)|lock, code, xproto.GrabModeAsync,
			xproto.GrabModeAsync).Check(); err != nil {
			return errors.Join(ErrTaken, fmt.Errorf("grab key: %w", err))
		}
	}
	o.Ready(ByX11)
	for {
		event, err := conn.WaitForEvent()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case event == nil && err == nil:
			return errors.New("the X server has ended the connection")
		}
		if _, pressed := event.(xproto.KeyPressEvent); pressed {
			o.Pressed()
		}
	}
}

// held are the modifiers as X servers have them as a rule: Alt is the first, Super the fourth.
func held(m Modifier) uint16 {
	mask := uint16(0)
	for mod, bit := range map[Modifier]uint16{Ctrl: xproto.ModMaskControl, Alt: xproto.ModMask1,
		Shift: xproto.ModMaskShift, Super: xproto.ModMask4} {
		if m&mod != 0 {
			mask |= bit
		}
	}
	return mask
}

// keysym is a key's symbol (X11/keysymdef.h).
func keysym(key string) xproto.Keysym {
	const f1, space = 0xffbe, 0x20
	switch {
	case key == "Space":
		return space
	case len(key) == 1:
		return xproto.Keysym(strings.ToLower(key)[0])
	}
	n, _ := strconv.Atoi(key[1:]) // Parse has seen it
	return xproto.Keysym(f1 + n - 1)
}

// keycode finds the key that has a symbol on this keyboard.
func keycode(conn *xgb.Conn, setup *xproto.SetupInfo, sym xproto.Keysym) (xproto.Keycode, error) {
	first, count := setup.MinKeycode, byte(setup.MaxKeycode-setup.MinKeycode+1)
	mapping, err := xproto.GetKeyboardMapping(conn, first, count).Reply()
	if err != nil {
		return 0, fmt.Errorf("read the keyboard: %w", err)
	}
	each := int(mapping.KeysymsPerKeycode)
	for i := range int(count) {
		for _, s := range mapping.Keysyms[i*each : i*each+min(each, 2)] {
			if s == sym {
				return first + xproto.Keycode(i), nil
			}
		}
	}
	return 0, errors.New("this keyboard has no such key")
}
