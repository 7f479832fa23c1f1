package datadir

import (
	"testing"

	"golang.org/x/sys/windows"
)

func TestOthersReach(t *testing.T) {
	user, err := windows.GetCurrentProcessToken().GetTokenUser()
	if err != nil {
		t.Fatal(err)
	}
	own := "(A;OICI;FA;;;" + user.User.Sid.String() + ")(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"
	for name, test := range map[string]struct {
		list  string
		reach bool
	}{
		"the profile's":       {"D:P" + own, false},
		"everybody may read":  {"D:P" + own + "(A;OICI;FR;;;WD)", true},
		"users may list":      {"D:P" + own + "(A;OICI;0x1;;;BU)", true},
		"everybody is denied": {"D:P(D;OICI;FA;;;AN)" + own, false},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			desc, err := windows.SecurityDescriptorFromString(test.list)
			if err != nil {
				t.Fatal(err)
			}
			acl, _, err := desc.DACL()
			if err != nil {
				t.Fatal(err)
			}
			const what = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
			if err := windows.SetNamedSecurityInfo(dir, windows.SE_FILE_OBJECT, what, nil, nil, acl, nil); err != nil {
				t.Fatal(err)
			}
			reach, remedy, err := OthersHaveAccess(dir)
			if err != nil || reach != test.reach || (remedy != "") != test.reach {
				t.Errorf("%v, %q, %v", reach, remedy, err)
			}
		})
	}
}
