"""What the run runs on, read without importing anything that the script has not imported itself."""

from __future__ import annotations

import os
import platform
import shutil
import sys

_page = os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else 4096
_libraries = (
    "torch transformers accelerate datasets tokenizers peft trl deepspeed lightning pytorch_lightning torchvision keras "
    "tensorflow jax flax numpy bitsandbytes xformers flash_attn"
).split()


def versions():
    found = {"python": platform.python_version()}
    for name in _libraries:
        module = sys.modules.get(name)
        version = getattr(module, "__version__", None)
        if isinstance(version, str):
            found[name] = version
    torch = sys.modules.get("torch")
    if torch is not None and getattr(torch.version, "cuda", None):
        found["cuda"] = torch.version.cuda
    return found


def hardware():
    found: dict = {"cpu_count": os.cpu_count(), "host_memory": host_memory_total()}
    world = os.environ.get("WORLD_SIZE", "")
    if world.isdigit():
        found["world_size"] = int(world)
    if rank() is not None:
        found.update(host=platform.node(), pid=os.getpid())
    torch = sys.modules.get("torch")
    if torch is not None and torch.cuda.is_available() and torch.cuda.is_initialized():
        device = torch.cuda.current_device()
        properties = torch.cuda.get_device_properties(device)
        found["device"] = device
        found["gpus"] = [{"index": device, "name": properties.name, "memory_total": properties.total_memory}]
    return {key: value for key, value in found.items() if value is not None}


def rank():
    """The rank of this process among several, or None."""
    value = os.environ.get("RANK", "")
    several = os.environ.get("WORLD_SIZE", "1") not in ("", "0", "1")
    return int(value) if several and value.isdigit() else None


def host_memory_total():
    """Bytes this process may use: the machine's, or less where a control group says so."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * _page
    except (AttributeError, OSError, ValueError):
        return None
    try:
        with open("/sys/fs/cgroup/memory.max") as file:
            limit = file.read().strip()
        return min(total, int(limit)) if limit.isdigit() else total
    except OSError:
        return total


def host_memory():
    """Bytes resident in this process, or None."""
    try:
        with open("/proc/self/statm", "rb") as file:
            return int(file.read().split()[1]) * _page
    except (OSError, ValueError, IndexError):
        return None


def disk_percent(folder):
    usage = shutil.disk_usage(folder)
    return round(100 * (1 - usage.free / usage.total), 2) if usage.total else None
