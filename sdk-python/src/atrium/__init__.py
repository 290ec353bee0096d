"""The Python SDK for Atrium. Start with `Atrium` or `AsyncAtrium`."""

from . import errors, types
from ._chosen_models import ChosenModel
from ._clients import AsyncAtrium, AsyncAtriumMemory, Atrium, AtriumMemory
from ._create_many import NewMemory
from ._download import AsyncDownload, Download
from ._models import NOT_GIVEN, NotGiven
from ._new_status import NewStatus
from ._options import LogEntry, RequestOptions, WaitOptions
from ._pages import AsyncPage, AsyncPager, Page
from ._streaming import AsyncEventStream, EventStream, SessionEvent, ToolProgress
from ._task_changes import TaskChange, TaskFilters
from ._upload import UploadProgress
from ._upload_source import UploadSource
from ._version import __version__
from ._waiting import PostedWithReplies, ReplyDelta
from .errors import (
    AtriumError,
    AuthError,
    ConflictError,
    ConnectionError,
    ForbiddenError,
    InternalError,
    NotAtriumError,
    NotFoundError,
    RateLimitError,
    TimeoutError,
    UsageError,
    ValidationError,
)

__all__ = [
    "NOT_GIVEN",
    "AsyncAtrium",
    "AsyncAtriumMemory",
    "AsyncDownload",
    "AsyncEventStream",
    "AsyncPage",
    "AsyncPager",
    "Atrium",
    "AtriumError",
    "AtriumMemory",
    "AuthError",
    "ChosenModel",
    "ConflictError",
    "ConnectionError",
    "Download",
    "EventStream",
    "ForbiddenError",
    "InternalError",
    "LogEntry",
    "NewMemory",
    "NewStatus",
    "NotAtriumError",
    "NotFoundError",
    "NotGiven",
    "Page",
    "PostedWithReplies",
    "RateLimitError",
    "ReplyDelta",
    "RequestOptions",
    "SessionEvent",
    "TaskChange",
    "TaskFilters",
    "TimeoutError",
    "ToolProgress",
    "UploadProgress",
    "UploadSource",
    "UsageError",
    "ValidationError",
    "WaitOptions",
    "__version__",
    "errors",
    "types",
]
