package connect

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"searchmcp/engine/api"
)

// Machine represents this computer. Tests replace its fields.
type Machine struct {
	OS       string
	Home     string
	Program  string
	Data     string // data folder for the entries, or "" for the default
	Getenv   func(string) string
	LookPath func(name string) (string, error)
	Run      func(ctx context.Context, argv []string) ([]byte, error)
	Now      func() time.Time
}

const toolLimit = 30 * time.Second

// Local returns the Machine for this computer. If program is empty, Machine.Program is the search-mcp in the folder of
// the running program.
func Local(program string) (*Machine, error) {
	home, err := os.UserHomeDir()
	if err != nil {
		return nil, fmt.Errorf("find the home folder: %w", err)
	}
	data := os.Getenv("SEARCH_MCP_HOME")
	if data == filepath.Join(home, ".mcp", "search") {
		data = "" // the bridge finds it
	}
	if program == "" {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("find search-mcp: %w", err)
		}
		if program = filepath.Join(filepath.Dir(self), "search-mcp"); runtime.GOOS == "windows" {
			program += ".exe"
		}
	}
	if err := checkProgram(program); err != nil {
		return nil, err
	}
	return &Machine{
		OS: runtime.GOOS, Home: home, Program: program, Data: data,
		Getenv: os.Getenv, LookPath: exec.LookPath, Run: run, Now: time.Now,
	}, nil
}

func run(ctx context.Context, argv []string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, toolLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.WaitDelay = time.Second // a grandchild may keep the pipe open
	out, err := cmd.CombinedOutput()
	if ctx.Err() != nil {
		return out, context.Cause(ctx)
	}
	return out, err
}

// checkProgram refuses a program that other users can replace, or that is in a mounted disk image.
func checkProgram(program string) error {
	info, err := os.Stat(program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return api.New(CodeProgram, "The program search-mcp was not found next to this one. Please install Search MCP again.",
			program+" does not exist", err)
	case err != nil:
		return fmt.Errorf("find search-mcp: %w", err)
	case !filepath.IsAbs(program) || !info.Mode().IsRegular():
		return api.New(CodeProgram, "The location of search-mcp must be the absolute path to a file.", program, nil)
	case strings.Contains(filepath.ToSlash(program), "/.mount_"):
		return api.New(CodeProgram,
			"Search MCP is running from a disk image that is only temporarily mounted, so an editor couldn't start it. "+
				"Please install it first.", program, nil)
	}
	if runtime.GOOS == "windows" {
		return nil
	}
	for at := program; ; at = filepath.Dir(at) {
		if info, err = os.Stat(at); err != nil {
			return fmt.Errorf("check search-mcp: %w", err)
		}
		if info.Mode().Perm()&0o002 != 0 && info.Mode()&fs.ModeSticky == 0 {
			return api.New(CodeProgram,
				fmt.Sprintf(
					"Anyone on this computer can write to %s, so editors should not run search-mcp from there. Please move it or "+
						"correct the permissions.", at),
				at+" is writable for others", nil)
		}
		if at == filepath.Dir(at) {
			return nil
		}
	}
}

const (
	CodeUnknown  api.Code = "EDITOR_UNKNOWN"
	CodeMissing  api.Code = "EDITOR_NOT_FOUND"
	CodeBroken   api.Code = "CONFIG_BROKEN"
	CodeForm     api.Code = "CONFIG_FORM"
	CodeTaken    api.Code = "NAME_TAKEN"
	CodeChanged  api.Code = "CONFIG_CHANGED"
	CodeReadOnly api.Code = "CONFIG_READ_ONLY"
	CodeTool     api.Code = "EDITOR_COMMAND"
	CodeProgram  api.Code = "PROGRAM"
)

func (m *Machine) inHome(names ...string) string {
	return filepath.Join(append([]string{m.Home}, names...)...)
}

// env returns the environment variable with the given name, or fallback if the variable is not an absolute path.
func (m *Machine) env(name, fallback string) string {
	if dir := m.Getenv(name); filepath.IsAbs(dir) {
		return dir
	}
	return fallback
}

func (m *Machine) settings() string {
	switch m.OS {
	case "windows":
		return m.env("APPDATA", m.inHome("AppData", "Roaming"))
	case "darwin":
		return m.inHome("Library", "Application Support")
	}
	return m.config()
}

func (m *Machine) config() string {
	return m.env("XDG_CONFIG_HOME", m.inHome(".config"))
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
