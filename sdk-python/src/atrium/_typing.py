"""`Unpack` is built in from Python 3.11; before that, pydantic installs it."""

import sys

if sys.version_info >= (3, 11):
    from typing import Unpack
else:
    from typing_extensions import Unpack

__all__ = ["Unpack"]
