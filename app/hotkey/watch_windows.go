package hotkey

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strconv"
	"unsafe"

	"golang.org/x/sys/windows"
)

var (
	user32         = windows.NewLazySystemDLL("user32.dll")
	registerHotKey = user32.NewProc("RegisterHotKey")
	unregister     = user32.NewProc("UnregisterHotKey")
	getMessage     = user32.NewProc("GetMessageW")
	postThread     = user32.NewProc("PostThreadMessageW")
)

// Constants of winuser.h.
const (
	modAlt, modControl, modShift, modWin, modNoRepeat = 1, 2, 4, 8, 0x4000
	wmQuit, wmHotKey                                  = 0x12, 0x312
	vkSpace, vkF1                                     = 0x20, 0x70
	hotKeyID                                          = 1
)

// message is MSG.
type message struct {
	window  uintptr
	message uint32
	wparam  uintptr
	lparam  uintptr
	time    uint32
	x, y    int32
	private uint32
}

// watch registers the key for this thread, whose messages tell of it.
func watch(ctx context.Context, o Options) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	key := uintptr(vkSpace)
	switch k := o.Shortcut.Key; {
	case len(k) == 1:
		key = uintptr(k[0])
	case k != "Space":
		n, err := strconv.Atoi(k[1:])
		if err != nil {
			return fmt.Errorf("shortcut %q: %w", k, err)
		}
		key = uintptr(vkF1 + n - 1)
	}
	mods := uintptr(modNoRepeat)
	for m, bit := range map[Modifier]uintptr{Ctrl: modControl, Alt: modAlt, Shift: modShift, Super: modWin} {
		if o.Shortcut.Held&m != 0 {
			mods |= bit
		}
	}
	if ok, _, err := registerHotKey.Call(0, hotKeyID, mods, key); ok == 0 {
		return errors.Join(ErrTaken, fmt.Errorf("register hot key: %w", err))
	}
	defer unregister.Call(0, hotKeyID) //nolint:errcheck // the thread's end does it as well
	thread := uintptr(windows.GetCurrentThreadId())
	defer context.AfterFunc(ctx, func() {
		postThread.Call(thread, wmQuit, 0,
			0)
	})() //nolint:errcheck // the thread has a queue: it registered a key
	o.Ready(ByWindows)
	for {
		var m message
		got, _, err := getMessage.Call(uintptr(unsafe.Pointer(&m)), 0, 0, 0)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case int32(got) <= 0:
			return fmt.Errorf("wait for the hot key: %w", err)
		case m.message == wmHotKey:
			o.Pressed()
		}
	}
}
