"""Those who do tasks for a command: processes of this machine, or the workers of a cluster.

Each of them is an executor of the standard library (`Executor` of concurrent.futures).
"""
