"""Tests of the kernel agent that need no kernel.

python -m unittest discover -s packages/kernel/agent_test -t packages/kernel
"""
