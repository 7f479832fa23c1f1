package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"searchmcp/app/desktop"
	"searchmcp/app/endpoint"
	"searchmcp/app/socket/ipc"
	"searchmcp/app/socket/wire"
	"searchmcp/app/version"
	"searchmcp/engine"
)

type Options struct {
	Data    string // the data folder; "" means ipc.DataDir()
	Verbose bool   // log at debug level, and also to stderr
	Greet   bool   // print a line at the start, and open the window
}

// ErrRunning means that another instance already serves the data folder.
var ErrRunning = errors.New("Search MCP is already running")

// Time limits while the app stops. The next start recovers unfinished work.
const (
	sessionsTimeout = 3 * time.Second // time for cancelled calls to return
	projectsTimeout = 5 * time.Second // time for projects to commit and close
	stopTimeout     = 9 * time.Second // limit for the whole stop
)

// Run runs the app until ctx ends, a signal arrives or the user quits. If it returns ErrReplaced, the caller must
// restart the program.
func Run(ctx context.Context, o Options) (err error) {
	mask := desktop.KeepPrivate()
	defer desktop.RestoreMask(mask) // otherwise a restarted app inherits the umask
	if o.Data == "" {
		if o.Data, err = ipc.DataDir(); err != nil {
			return fmt.Errorf("find data folder: %w", err)
		}
	}
	lock, err := ipc.Lock(o.Data)
	var locked *ipc.LockedError
	if errors.As(err, &locked) {
		return fmt.Errorf("%w: %w", ErrRunning, err)
	}
	if err != nil {
		return fmt.Errorf("lock data folder: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()

	log, closeLog := openLog(o)
	defer closeLog()
	slog.SetDefault(log) // package ipc logs refused connections with the default logger
	if lock.Unwritable != nil {
		log.Warn("the data folder can't be written; existing indexes are served", "err", lock.Unwritable)
	}
	if err := ipc.Quit.Clear(o.Data); err != nil {
		log.Warn("bridges may take the app for quit", "err", err)
	}
	if err := ipc.Restart.Clear(o.Data); err != nil {
		log.Warn("bridges may wait for a restart", "err", err)
	}
	log.Info("starting", "version", version.Version, "data", o.Data, "pid", os.Getpid())

	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, quit := context.WithCancelCause(ctx)
	defer quit(nil)
	returned := make(chan struct{})
	defer close(returned)
	context.AfterFunc(ctx, func() { enforceStop(returned, log) })

	address, err := ipc.Address(o.Data)
	if err != nil {
		return fmt.Errorf("find socket address: %w", err)
	}
	listener, err := ipc.Listen(address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address, err)
	}
	self, err := newProgram(log)
	if err != nil {
		return err
	}
	desk := desktop.New(o.Data, mask, log)
	if err := ownTemporary(o.Data, os.Setenv); err != nil { // must follow desktop.New, which saves TMPDIR
		log.Warn("temporary files stay in the environment's folder", "err", err)
	}
	server := endpoint.New(endpoint.Options{
		Version: version.Version, Data: o.Data, Log: log,
		Desktop: desk.Present, ShowWindow: desk.Show,
		QuitRequested: func() { quit(errQuit) },
		Met:           func(string) { self.look() },
		PeerPID:       ipc.PeerPID, Program: ipc.Program,
	})
	// Sessions outlive ctx, so that server.Quit can notify the clients.
	sessions, endSessions := context.WithCancel(context.WithoutCancel(ctx))
	defer endSessions()
	served := make(chan struct{})
	var serveErr error
	go func() { defer close(served); serveErr = server.Serve(sessions, listener) }()

	eng, err := engine.Open(ctx, engine.Options{Data: o.Data, Version: version.Version, Log: log, Level: level(o)})
	if err != nil {
		log.Error("engine not opened", "err", err)
		server.Quit(false)
		endSessions()
		<-served
		return fmt.Errorf("open engine: %w", err)
	}
	var workers sync.WaitGroup
	defer func() {
		quit(nil)
		workers.Wait()
	}()
	workers.Go(func() {
		if err := self.watch(ctx); err != nil {
			quit(err)
		}
	})
	workers.Go(func() {
		if err := watchFolder(ctx, lock, address); err != nil {
			quit(err)
		}
	})
	server.Attach(eng)
	log.Info("ready", "projects", len(eng.Projects()))
	if o.Greet {
		if !desk.Present() {
			fmt.Println("Search MCP is running. There is no desktop here: use search-mcp in a terminal.")
		} else {
			fmt.Println("Search MCP is running. Opening its window.")
			desk.Show(wire.Show{})
		}
	}

	shown, hide := context.WithCancel(ctx)
	defer hide()
	go func() { <-served; hide() }() // exits when Serve returns
	desk.Run(shown, eng, server, func() { quit(errQuit) })
	byUser := errors.Is(context.Cause(ctx), errQuit)
	log.Info("stopping", "by_person", byUser, "cause", context.Cause(ctx))
	if byUser {
		if err := ipc.Quit.Set(o.Data); err != nil {
			log.Warn("a bridge that is not connected may start the app again", "err", err)
		}
	}
	server.Quit(byUser)
	endSessions()
	select {
	case <-served:
		err = serveErr
	case <-time.After(sessionsTimeout):
		log.Error("a call does not end; the app stops without it")
	}
	pctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), projectsTimeout)
	defer cancel()
	if cerr := eng.Close(pctx); cerr != nil {
		log.Error("engine did not close cleanly", "err", cerr)
		err = errors.Join(err, fmt.Errorf("close engine: %w", cerr))
	}
	log.Info("stopped")
	if errors.Is(context.Cause(ctx), ErrReplaced) {
		if merr := ipc.Restart.Set(o.Data); merr != nil {
			log.Warn("a bridge may start an app of its own meanwhile", "err", merr)
		}
		err = errors.Join(ErrReplaced, err) // errors while closing do not prevent the restart
	}
	return err
}

func enforceStop(returned <-chan struct{}, log *slog.Logger) {
	select {
	case <-returned:
	case <-time.After(stopTimeout):
		log.Error("the app did not stop in time; the next start recovers")
		os.Exit(1)
	}
}

const folderEvery = 5 * time.Second

// errFolderGone means that the data folder was removed. A second app could then start in a new folder.
var errFolderGone = errors.New("the data folder was removed")

type startAgain string

func (s startAgain) Error() string   { return string(s) }
func (startAgain) Is(err error) bool { return err == ErrReplaced }

// watchFolder returns errFolderGone if the data folder is removed, and ErrReplaced if the app must restart.
func watchFolder(ctx context.Context, lock *ipc.Instance, address string) error {
	tick := time.NewTicker(folderEvery)
	defer tick.Stop()
	for !lock.Lost() {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		if lock.Unwritable != nil && lock.WriteOwner() == nil {
			return startAgain("the data folder is writable again")
		}
		if ipc.Removed(address) && !lock.Lost() {
			return startAgain("the socket was removed")
		}
	}
	return errFolderGone
}

var errQuit = errors.New("the user chose Quit")

func level(o Options) slog.Level {
	if o.Verbose {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

func openLog(o Options) (*slog.Logger, func()) {
	w := engine.Log(o.Data)
	var h slog.Handler = slog.NewTextHandler(w, &slog.HandlerOptions{Level: level(o)})
	if o.Verbose {
		h = slog.NewMultiHandler(h, slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	return slog.New(h), func() { _ = w.Close() }
}
