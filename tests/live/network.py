"""Cuts this process and its children off from every network but loopback, where the system allows it."""

from __future__ import annotations

import ctypes
import fcntl
import os
import socket
import struct

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCGIFFLAGS, SIOCSIFFLAGS, IFF_UP = 0x8913, 0x8914, 0x1


def isolate() -> bool:
    """Enters a network namespace with nothing but `lo`, and returns whether that worked.

    It is tried in a child first: a half-done attempt would leave this process without loopback as well.
    Must be called while the process has one thread.
    """
    if not hasattr(ctypes.CDLL(None), "unshare"):
        return False
    for flags in (CLONE_NEWNET, CLONE_NEWUSER | CLONE_NEWNET):
        child = os.fork()
        if child == 0:
            os._exit(0 if _enter(flags) else 1)
        if os.waitpid(child, 0)[1] == 0:
            return _enter(flags)
    return False


def _enter(flags: int) -> bool:
    user, group = os.getuid(), os.getgid()
    if ctypes.CDLL(None).unshare(flags) != 0:
        return False
    try:
        if flags & CLONE_NEWUSER:
            _write("/proc/self/setgroups", "deny")
            _write("/proc/self/uid_map", f"{user} {user} 1")
            _write("/proc/self/gid_map", f"{group} {group} 1")
        _raise_loopback()
    except OSError:
        return False
    return True


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        request = struct.pack("16sH14x", b"lo", 0)
        flags = struct.unpack("16sH14x", fcntl.ioctl(control, SIOCGIFFLAGS, request))[1]
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", flags | IFF_UP))
