# Generated from ../_sync/__init__.py by scripts/generate.ts. Change that file, not this one.

from .agents import AsyncAgents
from .billing import AsyncBilling
from .channels import AsyncChannels
from .documents import AsyncDocuments
from .files import AsyncFiles
from .identity import AsyncIdentity
from .keys import AsyncKeys
from .mcp import AsyncMcp
from .memories import AsyncMemories
from .memory import AsyncMemory
from .messages import AsyncMessages
from .models import AsyncModels
from .notifications import AsyncNotifications
from .org import AsyncOrg
from .projects import AsyncProjects
from .reminders import AsyncReminders
from .sessions import AsyncSessions
from .tasks import AsyncTasks

__all__ = [
    "AsyncAgents",
    "AsyncBilling",
    "AsyncChannels",
    "AsyncDocuments",
    "AsyncFiles",
    "AsyncIdentity",
    "AsyncKeys",
    "AsyncMcp",
    "AsyncMemories",
    "AsyncMemory",
    "AsyncMessages",
    "AsyncModels",
    "AsyncNotifications",
    "AsyncOrg",
    "AsyncProjects",
    "AsyncReminders",
    "AsyncSessions",
    "AsyncTasks",
]
