"""`python -m genial` is the command `genial`."""

from __future__ import annotations

import sys

from genial.cli import main

sys.exit(main())
