# Generated from ../_sync/__init__.py by scripts/generate.ts. Change that file, not this one.

from .agents import AsyncAgents
from .billing import AsyncBilling
from .identity import AsyncIdentity
from .keys import AsyncKeys
from .mcp import AsyncMcp
from .memories import AsyncMemories
from .memory import AsyncMemory
from .messages import AsyncMessages
from .models import AsyncModels
from .org import AsyncOrg
from .projects import AsyncProjects
from .sessions import AsyncSessions

__all__ = [
    "AsyncAgents",
    "AsyncBilling",
    "AsyncIdentity",
    "AsyncKeys",
    "AsyncMcp",
    "AsyncMemories",
    "AsyncMemory",
    "AsyncMessages",
    "AsyncModels",
    "AsyncOrg",
    "AsyncProjects",
    "AsyncSessions",
]
