"""The namespaces, written by hand. The async ones are generated from them."""

from .agents import Agents
from .billing import Billing
from .channels import Channels
from .documents import Documents
from .files import Files
from .identity import Identity
from .keys import Keys
from .mcp import Mcp
from .memories import Memories
from .memory import Memory
from .messages import Messages
from .models import Models
from .notifications import Notifications
from .org import Org
from .projects import Projects
from .reminders import Reminders
from .sessions import Sessions
from .tasks import Tasks

__all__ = [
    "Agents",
    "Billing",
    "Channels",
    "Documents",
    "Files",
    "Identity",
    "Keys",
    "Mcp",
    "Memories",
    "Memory",
    "Messages",
    "Models",
    "Notifications",
    "Org",
    "Projects",
    "Reminders",
    "Sessions",
    "Tasks",
]
