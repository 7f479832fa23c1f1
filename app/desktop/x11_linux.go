package desktop

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

const displayTime = time.Second

var errKey = errors.New("display refuses its key")

const cookie = "MIT-MAGIC-COOKIE-1"

type display struct {
	network, address string
	host             string
	number           string
	screen           int
}

// parseDisplay parses a display name such as ":0", "unix:1.0" or "host:10.0".
func parseDisplay(name string) (d display, ok bool) {
	colon := strings.LastIndexByte(name, ':')
	if colon < 0 {
		return d, false
	}
	number, screen, _ := strings.Cut(name[colon+1:], ".")
	n, err := strconv.ParseUint(number, 10, 16)
	if err != nil {
		return d, false
	}
	d.number = number
	d.screen, _ = strconv.Atoi(screen)
	switch d.host = name[:colon]; d.host {
	case "", "unix":
		d.host, d.network, d.address = "", "unix", filepath.Join(displays, "X"+number)
	default:
		d.network, d.address = "tcp", net.JoinHostPort(strings.Trim(d.host, "[]"), strconv.FormatUint(6000+n, 10))
	}
	return d, true
}

// examine connects to an X display with a key from keyFile. used is "" if the file has no key for the display. managed
// reports whether a window manager runs.
func examine(name, keyFile string) (used string, managed bool, err error) {
	d, ok := parseDisplay(name)
	if !ok {
		return "", false, fmt.Errorf("display %q has no number", name)
	}
	conn, err := net.DialTimeout(d.network, d.address, displayTime)
	if err != nil {
		return "", false, fmt.Errorf("connect to display: %w", err)
	}
	defer conn.Close()
	key := d.key(keyFile, conn.RemoteAddr())
	if key != nil {
		used = keyFile
	}
	var root uint32
	if err = conn.SetDeadline(time.Now().Add(displayTime)); err == nil {
		root, err = setup(conn, key, d.screen)
	}
	if err == nil {
		managed, err = redirected(conn, root)
	}
	if err != nil {
		return used, false, fmt.Errorf("examine display: %w", err)
	}
	return used, managed, nil
}

// redirected reports whether a window manager runs. Only a window manager redirects the child windows of the root
// window.
func redirected(conn net.Conn, root uint32) (bool, error) {
	const getWindowAttributes, replySize, allEventMasks, substructureRedirect = 3, 44, 32, 1 << 20
	request := binary.LittleEndian.AppendUint32([]byte{getWindowAttributes, 0, 2, 0}, root)
	if _, err := conn.Write(request); err != nil {
		return false, err
	}
	var reply [replySize]byte
	for { // skip events before the reply
		if _, err := io.ReadFull(conn, reply[:32]); err != nil {
			return false, err
		}
		switch reply[0] {
		case 0:
			return false, fmt.Errorf("display reports error %d", reply[1])
		case 1:
			_, err := io.ReadFull(conn, reply[32:])
			return binary.LittleEndian.Uint32(reply[allEventMasks:])&substructureRedirect != 0, err
		}
	}
}

func setup(conn net.Conn, key []byte, screen int) (root uint32, err error) {
	name := cookie
	if key == nil {
		name = ""
	}
	request := []byte{'l', 0, 11, 0, 0, 0, byte(len(name)), 0, byte(len(key)), 0, 0, 0}
	request = append(pad(append(request, name...)), key...)
	if _, err := conn.Write(pad(request)); err != nil {
		return 0, err
	}
	var head [8]byte
	if _, err := io.ReadFull(conn, head[:]); err != nil {
		return 0, err
	}
	if head[0] != 1 {
		return 0, errKey
	}
	data := make([]byte, 4*int(binary.LittleEndian.Uint16(head[6:])))
	if _, err := io.ReadFull(conn, data); err != nil {
		return 0, err
	}
	return rootOf(data, screen)
}

func rootOf(data []byte, screen int) (uint32, error) {
	const head, formatSize, screenSize, depthSize, visualSize = 32, 8, 40, 8, 24
	short := errors.New("display describes itself incompletely")
	if len(data) < head {
		return 0, short
	}
	vendor := int(binary.LittleEndian.Uint16(data[16:]))
	screens, formats := int(data[20]), int(data[21])
	if screen >= screens {
		return 0, fmt.Errorf("display has no screen %d", screen)
	}
	at := head + (vendor+3)/4*4 + formats*formatSize
	for ; ; screen-- {
		if len(data) < at+screenSize {
			return 0, short
		}
		if screen <= 0 {
			return binary.LittleEndian.Uint32(data[at:]), nil
		}
		depths := int(data[at+39])
		at += screenSize
		for range depths {
			if len(data) < at+depthSize {
				return 0, short
			}
			at += depthSize + visualSize*int(binary.LittleEndian.Uint16(data[at+2:]))
		}
	}
}

func pad(b []byte) []byte { return append(b, make([]byte, -len(b)&3)...) }

const maxKeys = 1 << 20

func (d display) key(path string, remote net.Addr) []byte {
	const internet, internet6, local, wild = 0, 6, 256, 65535
	data, err := readKeys(path)
	if err != nil {
		return nil
	}
	name, _ := os.Hostname()
	var ip net.IP
	if tcp, ok := remote.(*net.TCPAddr); ok {
		ip = tcp.IP
	}
	here := ip == nil || ip.IsLoopback()
	for len(data) > 2 {
		family := binary.BigEndian.Uint16(data)
		data = data[2:]
		var fields [4][]byte // address, display number, name and key
		for i := range fields {
			if len(data) < 2 || len(data)-2 < int(binary.BigEndian.Uint16(data)) {
				return nil
			}
			n := int(binary.BigEndian.Uint16(data))
			fields[i], data = data[2:2+n], data[2+n:]
		}
		from := family == wild || here && family == local && string(fields[0]) == name ||
			!here && (family == internet || family == internet6) && ip.Equal(fields[0])
		if number := string(fields[1]); from && (number == "" || number == d.number) && string(fields[2]) == cookie &&
			len(fields[3]) < 256 {
			return bytes.Clone(fields[3])
		}
	}
	return nil
}

// readKeys returns the content of a key file. It refuses special files such as pipes.
func readKeys(path string) ([]byte, error) {
	if path == "" {
		return nil, os.ErrNotExist
	}
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxKeys {
		return nil, errors.New("no file of keys")
	}
	return os.ReadFile(path)
}
