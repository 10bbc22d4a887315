"""What a run can say about its own process."""

import os


def resident_gb():
    """Memory of this process in GiB, from /proc."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**30
