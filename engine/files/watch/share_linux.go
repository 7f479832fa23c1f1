package watch

import (
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// shares lists the numbers of file systems that other computers, or the host of a virtual machine, can change. They
// report only local changes. See statfs(2).
var shares = []uint32{
	0x6969, 0x517b, 0xff534d42, 0xfe534d42, // NFS, SMB, CIFS, SMB 2
	0x01021997, 0x65735546, 0x00c36400, 0x5346414f, // 9P, FUSE, Ceph, AFS
	0x786f4256, 0xbacbacbc, // VirtualBox, VMware
}

func onShare(dir string) bool {
	var fs syscall.Statfs_t
	var st syscall.Stat_t
	return syscall.Statfs(dir, &fs) == nil && syscall.Stat(dir, &st) == nil && isShare(uint32(fs.Type), st.Dev)
}

// isShare reports whether a file system of the given type is a share. A FUSE file system on a block device (fuseblk),
// such as ntfs-3g, is local. Only file systems without a block device have numbers with the major number 0.
func isShare(kind uint32, device uint64) bool {
	return unix.Major(device) == 0 && slices.Contains(shares, kind)
}
