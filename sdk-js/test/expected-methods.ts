// Generated from openapi/*.json by scripts/generate.ts. Change the API, not this file.
/* oxlint-disable max-lines */
import type { Call, DownloadOptions, EventStream, PageCall, RequestOptions } from '../src/index.ts';
import type * as T from '../src/types.ts';

export interface ExpectedOfAtrium {
  /** GET /projects */
  'projects.list': (params?: T.ListProjectsParams, options?: RequestOptions) => PageCall<T.Project>;
  /** POST /projects */
  'projects.create': (params: T.CreateProject, options?: RequestOptions) => Call<T.Project>;
  /** GET /projects/{projectId} */
  'projects.get': (projectId: string, options?: RequestOptions) => Call<T.Project>;
  /** PATCH /projects/{projectId} */
  'projects.update': (
    projectId: string,
    params: T.UpdateProject,
    options?: RequestOptions,
  ) => Call<T.Project>;
  /** DELETE /projects/{projectId} */
  'projects.archive': (projectId: string, options?: RequestOptions) => Call<void>;
  /** POST /projects/{projectId}/restore */
  'projects.restore': (projectId: string, options?: RequestOptions) => Call<T.Project>;
  /** GET /projects/{projectId}/members */
  'projects.listMembers': (
    projectId: string,
    options?: RequestOptions,
  ) => PageCall<T.ProjectMember>;
  /** PUT /projects/{projectId}/members/{userId} */
  'projects.addMember': (
    projectId: string,
    userId: string,
    options?: RequestOptions,
  ) => Call<T.ProjectMember>;
  /** DELETE /projects/{projectId}/members/{userId} */
  'projects.removeMember': (
    projectId: string,
    userId: string,
    options?: RequestOptions,
  ) => Call<void>;
  /** GET /spaces/{slug}/sessions */
  'sessions.list': (
    slug: string,
    params?: T.ListSessionsParams,
    options?: RequestOptions,
  ) => PageCall<T.Session>;
  /** POST /spaces/{slug}/sessions */
  'sessions.create': (
    slug: string,
    params: T.CreateSession,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** GET /spaces/{slug}/sessions/{sessionId} */
  'sessions.get': (
    slug: string,
    sessionId: string,
    options?: RequestOptions,
  ) => Call<T.SessionDetails>;
  /** PATCH /spaces/{slug}/sessions/{sessionId} */
  'sessions.update': (
    slug: string,
    sessionId: string,
    params: T.UpdateSession,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** DELETE /spaces/{slug}/sessions/{sessionId} */
  'sessions.archive': (slug: string, sessionId: string, options?: RequestOptions) => Call<void>;
  /** POST /spaces/{slug}/sessions/{sessionId}/restore */
  'sessions.restore': (
    slug: string,
    sessionId: string,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** PUT /spaces/{slug}/sessions/{sessionId}/read */
  'sessions.markRead': (
    slug: string,
    sessionId: string,
    params: T.MarkRead,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** PUT /spaces/{slug}/sessions/{sessionId}/unread */
  'sessions.markUnread': (
    slug: string,
    sessionId: string,
    params: T.MarkUnread,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** GET /sessions */
  'sessions.listAll': (
    params?: T.ListAllSessionsParams,
    options?: RequestOptions,
  ) => PageCall<T.Session>;
  /** POST /direct */
  'sessions.openDirect': (params: T.OpenDirect, options?: RequestOptions) => Call<T.Session>;
  /** PUT /sessions/read */
  'sessions.markAllRead': (options?: RequestOptions) => Call<void>;
  /** PUT /spaces/{slug}/sessions/{sessionId}/follow */
  'sessions.follow': (
    slug: string,
    sessionId: string,
    params?: T.FollowSession,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** DELETE /spaces/{slug}/sessions/{sessionId}/follow */
  'sessions.leave': (slug: string, sessionId: string, options?: RequestOptions) => Call<void>;
  /** GET /spaces/{slug}/sessions/{sessionId}/reach */
  'sessions.getReach': (
    slug: string,
    sessionId: string,
    options?: RequestOptions,
  ) => Call<T.SessionReach>;
  /** PUT /spaces/{slug}/sessions/{sessionId}/mute */
  'sessions.mute': (
    slug: string,
    sessionId: string,
    params: T.MuteSession,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** GET /spaces/{slug}/sessions/{sessionId}/messages */
  'messages.list': (
    slug: string,
    sessionId: string,
    params?: T.ListMessagesParams,
    options?: RequestOptions,
  ) => PageCall<T.Message>;
  /** POST /spaces/{slug}/sessions/{sessionId}/messages */
  'messages.post': (
    slug: string,
    sessionId: string,
    params?: T.CreateMessage,
    options?: RequestOptions,
  ) => Call<T.Message>;
  /** GET /spaces/{slug}/sessions/{sessionId}/events */
  'messages.stream': (slug: string, sessionId: string, options?: RequestOptions) => EventStream;
  /** GET /threads */
  'messages.listThreads': (
    params?: T.ListThreadsParams,
    options?: RequestOptions,
  ) => PageCall<T.Thread>;
  /** POST /messages/search */
  'messages.search': (params: T.SearchMessages, options?: RequestOptions) => Call<T.MessageMatches>;
  /** GET /spaces/{slug}/messages/{messageId} */
  'messages.get': (slug: string, messageId: string, options?: RequestOptions) => Call<T.Message>;
  /** PATCH /spaces/{slug}/messages/{messageId} */
  'messages.edit': (
    slug: string,
    messageId: string,
    params: T.UpdateMessage,
    options?: RequestOptions,
  ) => Call<T.Message>;
  /** DELETE /spaces/{slug}/messages/{messageId} */
  'messages.delete': (slug: string, messageId: string, options?: RequestOptions) => Call<void>;
  /** POST /spaces/{slug}/messages/{messageId}/retry */
  'messages.retry': (
    slug: string,
    messageId: string,
    params?: T.RetryMessage,
    options?: RequestOptions,
  ) => Call<T.Message>;
  /** PUT /spaces/{slug}/messages/{messageId}/branch */
  'messages.showBranch': (
    slug: string,
    messageId: string,
    options?: RequestOptions,
  ) => Call<T.Message>;
  /** POST /spaces/{slug}/messages/{messageId}/replies/{mention}/stop */
  'messages.stopReply': (
    slug: string,
    messageId: string,
    mention: string,
    options?: RequestOptions,
  ) => Call<T.Message>;
  /** POST /spaces/{slug}/messages/{messageId}/reactions */
  'messages.react': (
    slug: string,
    messageId: string,
    params: T.CreateReaction,
    options?: RequestOptions,
  ) => Call<T.Reaction>;
  /** DELETE /spaces/{slug}/messages/{messageId}/reactions/{emoji} */
  'messages.unreact': (
    slug: string,
    messageId: string,
    emoji: string,
    options?: RequestOptions,
  ) => Call<void>;
  /** PUT /spaces/{slug}/messages/{messageId}/pin */
  'messages.pin': (slug: string, messageId: string, options?: RequestOptions) => Call<T.Message>;
  /** DELETE /spaces/{slug}/messages/{messageId}/pin */
  'messages.unpin': (slug: string, messageId: string, options?: RequestOptions) => Call<void>;
  /** GET /spaces/{slug}/sessions/{sessionId}/pins */
  'messages.listPins': (
    slug: string,
    sessionId: string,
    params?: T.ListPinsParams,
    options?: RequestOptions,
  ) => PageCall<T.Message>;
  /** PUT /spaces/{slug}/messages/{messageId}/saved */
  'messages.save': (slug: string, messageId: string, options?: RequestOptions) => Call<void>;
  /** DELETE /spaces/{slug}/messages/{messageId}/saved */
  'messages.unsave': (slug: string, messageId: string, options?: RequestOptions) => Call<void>;
  /** GET /saved */
  'messages.listSaved': (
    params?: T.ListSavedParams,
    options?: RequestOptions,
  ) => PageCall<T.SavedMessage>;
  /** GET /scheduled-messages */
  'messages.listScheduled': (
    params?: T.ListScheduledMessagesParams,
    options?: RequestOptions,
  ) => PageCall<T.ScheduledMessage>;
  /** PATCH /scheduled-messages/{id} */
  'messages.updateScheduled': (
    id: string,
    params: T.UpdateScheduledMessage,
    options?: RequestOptions,
  ) => Call<T.ScheduledMessage>;
  /** DELETE /scheduled-messages/{id} */
  'messages.cancelScheduled': (id: string, options?: RequestOptions) => Call<void>;
  /** GET /memory */
  'memory.list': (params?: T.ListMemoriesParams, options?: RequestOptions) => PageCall<T.Memory>;
  /** POST /memory */
  'memory.create': (params: T.CreateMemory, options?: RequestOptions) => Call<T.Memory>;
  /** POST /memory/batch */
  'memory.createBatch': (params: T.CreateMemories, options?: RequestOptions) => Call<T.MemoryBatch>;
  /** GET /memory/{memoryId} */
  'memory.get': (memoryId: string, options?: RequestOptions) => Call<T.Memory>;
  /** PATCH /memory/{memoryId} */
  'memory.update': (
    memoryId: string,
    params: T.UpdateMemory,
    options?: RequestOptions,
  ) => Call<T.Memory>;
  /** DELETE /memory/{memoryId} */
  'memory.delete': (memoryId: string, options?: RequestOptions) => Call<void>;
  /** POST /memory/search */
  'memory.search': (params: T.SearchMemories, options?: RequestOptions) => Call<T.MemoryMatches>;
  /** GET /files/{id}/text */
  'files.text': (
    id: string,
    params?: T.GetFileTextParams,
    options?: RequestOptions,
  ) => Call<T.FileText>;
  /** GET /files/{id}/matches */
  'files.find': (
    id: string,
    params: T.FindInFileParams,
    options?: RequestOptions,
  ) => Call<T.FileMatches>;
  /** GET /documents/{id} */
  'documents.get': (id: string, options?: RequestOptions) => Call<T.Document>;
  /** POST /documents/search */
  'documents.search': (
    params: T.SearchDocuments,
    options?: RequestOptions,
  ) => Call<T.DocumentMatches>;
  /** GET /model-providers */
  'models.listProviders': (options?: RequestOptions) => PageCall<T.OrgModelProvider>;
  /** POST /model-providers */
  'models.createProvider': (
    params: T.CreateModelProvider,
    options?: RequestOptions,
  ) => Call<T.OrgModelProvider>;
  /** PATCH /model-providers/{id} */
  'models.updateProvider': (
    id: string,
    params: T.UpdateModelProvider,
    options?: RequestOptions,
  ) => Call<T.OrgModelProvider>;
  /** DELETE /model-providers/{id} */
  'models.deleteProvider': (id: string, options?: RequestOptions) => Call<void>;
  /** POST /model-providers/{id}/test */
  'models.testProvider': (
    id: string,
    params?: T.TestModelProvider,
    options?: RequestOptions,
  ) => Call<T.ModelProviderTest>;
  /** GET /model-providers/{id}/models */
  'models.listOffered': (id: string, options?: RequestOptions) => Call<T.OfferedModels>;
  /** GET /models */
  'models.list': (options?: RequestOptions) => PageCall<T.Model>;
  /** GET /agents */
  'agents.list': (params?: T.ListAgentsParams, options?: RequestOptions) => PageCall<T.Agent>;
  /** POST /agents */
  'agents.create': (params: T.CreateAgent, options?: RequestOptions) => Call<T.Agent>;
  /** GET /agents/{id} */
  'agents.get': (id: string, options?: RequestOptions) => Call<T.Agent>;
  /** PATCH /agents/{id} */
  'agents.update': (id: string, params: T.UpdateAgent, options?: RequestOptions) => Call<T.Agent>;
  /** DELETE /agents/{id} */
  'agents.archive': (id: string, options?: RequestOptions) => Call<void>;
  /** POST /agents/{id}/restore */
  'agents.restore': (id: string, options?: RequestOptions) => Call<T.Agent>;
  /** GET /notifications */
  'notifications.list': (
    params?: T.ListNotificationsParams,
    options?: RequestOptions,
  ) => PageCall<T.Notification>;
  /** PUT /notifications/read */
  'notifications.markRead': (
    params?: T.MarkNotificationsRead,
    options?: RequestOptions,
  ) => Call<T.NotificationCount>;
  /** POST /reminders */
  'reminders.create': (params: T.CreateReminder, options?: RequestOptions) => Call<T.Reminder>;
  /** GET /reminders */
  'reminders.list': (
    params?: T.ListRemindersParams,
    options?: RequestOptions,
  ) => PageCall<T.Reminder>;
  /** PATCH /reminders/{id} */
  'reminders.update': (
    id: string,
    params: T.UpdateReminder,
    options?: RequestOptions,
  ) => Call<T.Reminder>;
  /** DELETE /reminders/{id} */
  'reminders.cancel': (id: string, options?: RequestOptions) => Call<void>;
  /** GET /projects/{projectId}/tasks */
  'tasks.list': (
    projectId: string,
    params?: T.ListTasksParams,
    options?: RequestOptions,
  ) => PageCall<T.Task>;
  /** POST /projects/{projectId}/tasks */
  'tasks.create': (
    projectId: string,
    params: T.CreateTask,
    options?: RequestOptions,
  ) => Call<T.Task>;
  /** PATCH /projects/{projectId}/tasks */
  'tasks.updateMany': (
    projectId: string,
    params: T.UpdateTasks,
    options?: RequestOptions,
  ) => Call<T.UpdatedTaskList>;
  /** POST /projects/{projectId}/tasks/proposals */
  'tasks.decide': (
    projectId: string,
    params?: T.DecideProposals,
    options?: RequestOptions,
  ) => Call<T.TaskList>;
  /** GET /projects/{projectId}/tasks/{taskId} */
  'tasks.get': (projectId: string, taskId: string, options?: RequestOptions) => Call<T.Task>;
  /** PATCH /projects/{projectId}/tasks/{taskId} */
  'tasks.update': (
    projectId: string,
    taskId: string,
    params: T.UpdateTask,
    options?: RequestOptions,
  ) => Call<T.Task>;
  /** DELETE /projects/{projectId}/tasks/{taskId} */
  'tasks.archive': (projectId: string, taskId: string, options?: RequestOptions) => Call<void>;
  /** POST /projects/{projectId}/tasks/{taskId}/restore */
  'tasks.restore': (projectId: string, taskId: string, options?: RequestOptions) => Call<T.Task>;
  /** GET /projects/{projectId}/tasks/{taskId}/activity */
  'tasks.listActivity': (
    projectId: string,
    taskId: string,
    params?: T.ListTaskActivityParams,
    options?: RequestOptions,
  ) => PageCall<T.TaskActivity>;
  /** PUT /projects/{projectId}/tasks/{taskId}/files */
  'tasks.setFiles': (
    projectId: string,
    taskId: string,
    params: T.SetTaskFiles,
    options?: RequestOptions,
  ) => Call<T.Task>;
  /** PUT /projects/{projectId}/tasks/{taskId}/session */
  'tasks.openSession': (
    projectId: string,
    taskId: string,
    options?: RequestOptions,
  ) => Call<T.Session>;
  /** POST /projects/{projectId}/tasks/{taskId}/start */
  'tasks.start': (
    projectId: string,
    taskId: string,
    params?: T.StartTask,
    options?: RequestOptions,
  ) => Call<T.Task>;
  /** GET /tasks */
  'tasks.listAll': (params?: T.ListAllTasksParams, options?: RequestOptions) => PageCall<T.Task>;
  /** GET /task-views */
  'tasks.listViews': (options?: RequestOptions) => PageCall<T.TaskView>;
  /** POST /task-views */
  'tasks.createView': (params: T.CreateTaskView, options?: RequestOptions) => Call<T.TaskView>;
  /** PATCH /task-views/{id} */
  'tasks.updateView': (
    id: string,
    params: T.UpdateTaskView,
    options?: RequestOptions,
  ) => Call<T.TaskView>;
  /** DELETE /task-views/{id} */
  'tasks.deleteView': (id: string, options?: RequestOptions) => Call<void>;
  /** GET /channel-connections */
  'channels.listConnections': (options?: RequestOptions) => PageCall<T.ChannelConnection>;
  /** POST /channel-connections */
  'channels.connect': (
    params: T.CreateChannelConnection,
    options?: RequestOptions,
  ) => Call<T.ChannelConnection>;
  /** PATCH /channel-connections/{id} */
  'channels.updateConnection': (
    id: string,
    params: T.UpdateChannelConnection,
    options?: RequestOptions,
  ) => Call<T.ChannelConnection>;
  /** DELETE /channel-connections/{id} */
  'channels.disconnect': (id: string, options?: RequestOptions) => Call<void>;
  /** POST /channel-connections/{id}/test */
  'channels.testConnection': (
    id: string,
    options?: RequestOptions,
  ) => Call<T.ChannelConnectionTest>;
  /** GET /channel-connections/{id}/channels */
  'channels.search': (
    id: string,
    params?: T.ListChatChannelsParams,
    options?: RequestOptions,
  ) => PageCall<T.ChatChannel>;
  /** GET /projects/{projectId}/channels */
  'channels.list': (projectId: string, options?: RequestOptions) => PageCall<T.ChannelMapping>;
  /** POST /projects/{projectId}/channels */
  'channels.create': (
    projectId: string,
    params: T.CreateChannelMapping,
    options?: RequestOptions,
  ) => Call<T.ChannelMapping>;
  /** PATCH /projects/{projectId}/channels/{id} */
  'channels.update': (
    projectId: string,
    id: string,
    params: T.UpdateChannelMapping,
    options?: RequestOptions,
  ) => Call<T.ChannelMapping>;
  /** DELETE /projects/{projectId}/channels/{id} */
  'channels.delete': (projectId: string, id: string, options?: RequestOptions) => Call<void>;
  /** GET /projects/{projectId}/files */
  'files.list': (
    projectId: string,
    params?: T.ListFilesParams,
    options?: RequestOptions,
  ) => PageCall<T.File>;
  /** POST /projects/{projectId}/files */
  'files.create': (
    projectId: string,
    params: T.CreateFile,
    options?: RequestOptions,
  ) => Call<T.FileUpload>;
  /** GET /files */
  'files.listAll': (params?: T.ListAllFilesParams, options?: RequestOptions) => PageCall<T.File>;
  /** GET /files/{id} */
  'files.get': (id: string, options?: RequestOptions) => Call<T.File>;
  /** PATCH /files/{id} */
  'files.update': (id: string, params: T.UpdateFile, options?: RequestOptions) => Call<T.File>;
  /** DELETE /files/{id} */
  'files.delete': (id: string, options?: RequestOptions) => Call<void>;
  /** GET /files/{id}/content */
  'files.download': (
    id: string,
    params?: T.GetFileContentParams,
    options?: DownloadOptions,
  ) => Call<ReadableStream<Uint8Array>>;
  /** GET /files/{id}/preview */
  'files.preview': (
    id: string,
    params?: T.GetFilePreviewParams,
    options?: DownloadOptions,
  ) => Call<ReadableStream<Uint8Array>>;
  /** GET /org/{orgId}/files/usage */
  'files.usage': (orgId: string, options?: RequestOptions) => Call<T.FileUsage>;
  /** GET /org/{orgId} */
  'org.get': (orgId: string, options?: RequestOptions) => Call<T.OrgDetails>;
  /** PATCH /org/{orgId} */
  'org.update': (
    orgId: string,
    params: T.UpdateOrg,
    options?: RequestOptions,
  ) => Call<T.OrgDetails>;
  /** GET /org/{orgId}/members */
  'org.listMembers': (orgId: string, options?: RequestOptions) => PageCall<T.Member>;
  /** GET /org/{orgId}/members/{userId} */
  'org.getMember': (orgId: string, userId: string, options?: RequestOptions) => Call<T.Member>;
  /** PATCH /org/{orgId}/members/{userId} */
  'org.updateMember': (
    orgId: string,
    userId: string,
    params: T.ChangeRole,
    options?: RequestOptions,
  ) => Call<T.Member>;
  /** DELETE /org/{orgId}/members/{userId} */
  'org.removeMember': (orgId: string, userId: string, options?: RequestOptions) => Call<void>;
  /** GET /org/{orgId}/invitations */
  'org.listInvitations': (orgId: string, options?: RequestOptions) => PageCall<T.Invitation>;
  /** POST /org/{orgId}/invitations */
  'org.invite': (
    orgId: string,
    params: T.CreateInvitation,
    options?: RequestOptions,
  ) => Call<T.Invitation>;
  /** DELETE /org/{orgId}/invitations/{invitationId} */
  'org.revokeInvitation': (
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ) => Call<void>;
  /** POST /org/{orgId}/invitations/{invitationId}/resend */
  'org.resendInvitation': (
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ) => Call<T.Invitation>;
  /** GET /org/{orgId}/invitations/{invitationId}/link */
  'org.invitationLink': (
    orgId: string,
    invitationId: string,
    options?: RequestOptions,
  ) => Call<T.InvitationLink>;
  /** POST /invitations/{token}/accept */
  'org.acceptInvitation': (token: string, options?: RequestOptions) => Call<T.AcceptedInvitation>;
  /** GET /org/{orgId}/audit */
  'org.listAudit': (
    orgId: string,
    params?: T.ListAuditParams,
    options?: RequestOptions,
  ) => PageCall<T.AuditEntry>;
  /** GET /org/{orgId}/export */
  'org.export': (orgId: string, options?: RequestOptions) => Call<ReadableStream<Uint8Array>>;
  /** GET /keys */
  'keys.list': (options?: RequestOptions) => PageCall<T.Key>;
  /** POST /keys */
  'keys.create': (params: T.CreateKey, options?: RequestOptions) => Call<T.CreatedKey>;
  /** DELETE /keys/{keyId} */
  'keys.revoke': (keyId: string, options?: RequestOptions) => Call<T.Key>;
  /** POST /keys/{keyId}/rotate */
  'keys.rotate': (
    keyId: string,
    params?: T.RotateKey,
    options?: RequestOptions,
  ) => Call<T.RotatedKey>;
  /** GET /org/{orgId}/api-keys */
  'keys.listOrgKeys': (orgId: string, options?: RequestOptions) => PageCall<T.OrgKey>;
  /** POST /org/{orgId}/api-keys */
  'keys.createOrgKey': (
    orgId: string,
    params: T.CreateOrgKey,
    options?: RequestOptions,
  ) => Call<T.CreatedOrgKey>;
  /** DELETE /org/{orgId}/api-keys/{keyId} */
  'keys.revokeOrgKey': (orgId: string, keyId: string, options?: RequestOptions) => Call<T.OrgKey>;
  /** POST /org/{orgId}/api-keys/{keyId}/rotate */
  'keys.rotateOrgKey': (
    orgId: string,
    keyId: string,
    params?: T.RotateKey,
    options?: RequestOptions,
  ) => Call<T.RotatedOrgKey>;
  /** POST /billing/checkout */
  'billing.checkout': (params: T.Checkout, options?: RequestOptions) => Call<T.HostedPage>;
  /** POST /billing/topup */
  'billing.topup': (params: T.Topup, options?: RequestOptions) => Call<T.HostedPage>;
  /** POST /billing/portal */
  'billing.portal': (params?: T.Portal, options?: RequestOptions) => Call<T.HostedPage>;
  /** GET /billing/credits */
  'billing.credits': (options?: RequestOptions) => Call<T.Credits>;
  /** GET /billing/plans */
  'billing.plans': (options?: RequestOptions) => PageCall<T.PlanOffer>;
  /** GET /billing/ledger */
  'billing.ledger': (
    params?: T.ListLedgerParams,
    options?: RequestOptions,
  ) => PageCall<T.LedgerEntry>;
  /** GET /billing/usage */
  'billing.usage': (params?: T.ListUsageParams, options?: RequestOptions) => PageCall<T.Usage>;
  /** GET /mcp/servers */
  'mcp.list': (options?: RequestOptions) => PageCall<T.McpServer>;
  /** POST /mcp/servers */
  'mcp.create': (params: T.CreateMcpServer, options?: RequestOptions) => Call<T.McpServer>;
  /** DELETE /mcp/servers/{id} */
  'mcp.delete': (id: string, options?: RequestOptions) => Call<void>;
  /** POST /mcp/servers/{id}/test-connection */
  'mcp.testConnection': (id: string, options?: RequestOptions) => Call<T.ConnectionTest>;
  /** PUT /mcp/servers/{id}/projects */
  'mcp.bindProjects': (
    id: string,
    params: T.BindMcpServer,
    options?: RequestOptions,
  ) => Call<T.McpServer>;
  /** GET /me */
  'identity.me': (options?: RequestOptions) => Call<T.Me>;
  /** PATCH /me */
  'identity.update': (params: T.UpdateMe, options?: RequestOptions) => Call<T.Me>;
  /** DELETE /me */
  'identity.deleteAccount': (params?: T.DeleteAccount, options?: RequestOptions) => Call<void>;
  /** GET /people/{userId}/photos/{photo} */
  'identity.photo': (
    userId: string,
    photo: string,
    options?: RequestOptions,
  ) => Call<ReadableStream<Uint8Array>>;
  /** GET /me/export */
  'identity.export': (options?: RequestOptions) => Call<ReadableStream<Uint8Array>>;
  /** POST /orgs */
  'org.create': (params: T.CreateOrg, options?: RequestOptions) => Call<T.CreatedOrg>;
}

export interface ExpectedOfAtriumMemory {
  /** GET /memories */
  'memories.list': (params?: T.ListMemoriesParams, options?: RequestOptions) => PageCall<T.Memory>;
  /** POST /memories */
  'memories.create': (params: T.CreateMemory, options?: RequestOptions) => Call<T.Memory>;
  /** POST /memories/batch */
  'memories.createBatch': (
    params: T.CreateMemories,
    options?: RequestOptions,
  ) => Call<T.MemoryBatch>;
  /** GET /memories/{id} */
  'memories.get': (id: string, options?: RequestOptions) => Call<T.Memory>;
  /** PATCH /memories/{id} */
  'memories.update': (
    id: string,
    params: T.UpdateMemory,
    options?: RequestOptions,
  ) => Call<T.Memory>;
  /** DELETE /memories/{id} */
  'memories.delete': (id: string, options?: RequestOptions) => Call<void>;
  /** POST /memories/search */
  'memories.search': (params: T.SearchMemories, options?: RequestOptions) => Call<T.MemoryMatches>;
}
