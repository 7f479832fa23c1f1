package watch

import (
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

// fileIDOf returns zero, because a FileInfo contains no file number on Windows.
func fileIDOf(fs.FileInfo) fileID { return fileID{} }

func openedID(f *os.File, _ fs.FileInfo) fileID {
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info) != nil {
		return fileID{}
	}
	return fileID{dev: uint64(info.VolumeSerialNumber), ino: uint64(info.FileIndexHigh)<<32 | uint64(info.FileIndexLow)}
}
