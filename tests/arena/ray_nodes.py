"""Two nodes of a Ray cluster on this machine, on 127.0.0.1 only: `python -m tests.arena.ray_nodes`.

Its files are in RAY_TMPDIR. Prints the cluster's address, and then obeys each line of standard input: `kill`
ends the second node with SIGKILL, like a power cut, `add` starts it again, and `behead` kills the first,
which is the head. The end of the input ends everything.
"""

from __future__ import annotations

import socket
import sys
from contextlib import ExitStack
from typing import Any

from ray.cluster_utils import Cluster

_PORTS = (
    "metrics_agent_port",
    "metrics_export_port",
    "runtime_env_agent_port",
    "dashboard_agent_listen_port",
)
"""Unless it is given these, a node waits for its helpers to choose them; on a busy machine, in vain."""
_OBJECTS = 80 * 1024 * 1024
"""Hardly more than Ray's minimum."""


def _node() -> dict[str, Any]:
    """The options a node is started with."""
    with ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in _PORTS]
        for free in sockets:
            free.bind(("127.0.0.1", 0))
        ports = {name: free.getsockname()[1] for name, free in zip(_PORTS, sockets, strict=True)}
    idle = {"include_dashboard": False, "include_log_monitor": False, "no_monitor": True}
    return {
        "num_cpus": 1,
        "node_ip_address": "127.0.0.1",
        "object_store_memory": _OBJECTS,
        **idle,
        **ports,
    }


def main() -> None:
    cluster: Any = Cluster(initialize_head=True, head_node_args=_node())
    second = cluster.add_node(**_node())
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(second, allow_graceful=False)
        elif line.strip() == "add":
            second = cluster.add_node(**_node())
        elif line.strip() == "behead":
            cluster.remove_node(cluster.head_node, allow_graceful=False)
        print(line.strip(), flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
