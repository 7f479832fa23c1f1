package watch

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// sleepClock measures the time asleep with two clocks, of which only one runs during sleep. When the machine resumes,
// the kernel cancels a timer that has the flag TFD_TIMER_CANCEL_ON_SET (timerfd_create(2)).
type sleepClock struct {
	file   *os.File // nil without kernel support
	signal chan struct{}
	done   chan struct{}
}

func openClock(log *slog.Logger) clock {
	c := &sleepClock{done: make(chan struct{})}
	f, err := resumeTimer()
	if err != nil {
		log.Debug("kernel doesn't signal sleep; clocks are compared periodically", "err", err)
		close(c.done)
		return c
	}
	c.file, c.signal = f, make(chan struct{}, 1)
	go c.wait()
	return c
}

func resumeTimer() (*os.File, error) {
	fd, err := unix.TimerfdCreate(unix.CLOCK_REALTIME, unix.TFD_CLOEXEC|unix.TFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("create timer: %w", err)
	}
	f := os.NewFile(uintptr(fd), "timerfd")
	if err := armTimer(fd); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func armTimer(fd int) error {
	far := unix.ItimerSpec{Value: unix.NsecToTimespec(time.Now().AddDate(50, 0, 0).UnixNano())}
	if err := unix.TimerfdSettime(fd, unix.TFD_TIMER_ABSTIME|unix.TFD_TIMER_CANCEL_ON_SET, &far, nil); err != nil {
		return fmt.Errorf("set timer: %w", err)
	}
	return nil
}

// wait signals each cancellation of the timer until the file is closed. The timer remains armed.
func (c *sleepClock) wait() {
	defer close(c.done)
	var expirations [8]byte
	for {
		_, err := c.file.Read(expirations[:])
		if err != nil && !errors.Is(err, unix.ECANCELED) {
			return
		}
		wake(c.signal)
	}
}

func (c *sleepClock) sleptFor() time.Duration {
	var running, awake unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &running) != nil || unix.ClockGettime(unix.CLOCK_MONOTONIC, &awake) != nil {
		return 0
	}
	return time.Duration(running.Nano() - awake.Nano())
}

func (c *sleepClock) resumed() <-chan struct{} { return c.signal }

func (c *sleepClock) close() {
	if c.file != nil {
		_ = c.file.Close() // ends wait
	}
	<-c.done
}
