package localpg

import "syscall"

// namespaced runs the server in its own user namespace, in which root is mapped to the given user.
func namespaced(uid, gid int) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: 0, Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: gid, HostID: 0, Size: 1}},
		Credential: &syscall.Credential{
			Uid: uint32(uid), Gid: uint32(gid), NoSetGroups: true, // #nosec G115 -- parsed as 32 bits
		},
	}
}
