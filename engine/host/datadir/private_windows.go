package datadir

import (
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// trusted lists the system accounts that can access every file.
var trusted = []windows.WELL_KNOWN_SID_TYPE{
	windows.WinLocalSystemSid, windows.WinBuiltinAdministratorsSid, windows.WinCreatorOwnerSid,
	windows.WinCreatorOwnerRightsSid,
}

func OthersHaveAccess(dir string) (reach bool, remedy string, err error) {
	self, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		return false, "", fmt.Errorf("user of this process: %w", err)
	}
	desc, err := windows.GetNamedSecurityInfo(dir, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return false, "", fmt.Errorf("access list of %s: %w", dir, err)
	}
	list, _, err := desc.DACL()
	if err != nil {
		return false, "", fmt.Errorf("access list of %s: %w", dir, err)
	}
	remedy = fmt.Sprintf("Remove other users' permissions (%s).", `icacls "`+dir+`" /inheritance:r /grant:r "%USERNAME%:(OI)(CI)F"`)
	if list == nil { // without an access control list, every user has access
		return true, remedy, nil
	}
	for i := range uint32(list.AceCount) {
		var ace *windows.ACCESS_ALLOWED_ACE
		if err := windows.GetAce(list, i, &ace); err != nil {
			return false, "", fmt.Errorf("access list of %s: %w", dir, err)
		}
		const look = windows.FILE_LIST_DIRECTORY | windows.GENERIC_READ | windows.GENERIC_ALL
		if ace.Header.AceType != windows.ACCESS_ALLOWED_ACE_TYPE || ace.Mask&look == 0 {
			continue
		}
		sid := (*windows.SID)(unsafe.Pointer(&ace.SidStart))
		if !sid.Equals(self.User.Sid) && !isTrusted(sid) {
			return true, remedy, nil
		}
	}
	return false, "", nil
}

func isTrusted(sid *windows.SID) bool {
	for _, kind := range trusted {
		if sid.IsWellKnown(kind) {
			return true
		}
	}
	return false
}

func notContentIndexed(dir string) error {
	name, err := windows.UTF16PtrFromString(dir)
	if err != nil {
		return err
	}
	have, err := windows.GetFileAttributes(name)
	if err != nil || have&windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED != 0 {
		return err
	}
	return windows.SetFileAttributes(name, have|windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED)
}
