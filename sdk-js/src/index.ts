export type { ApiResponse } from './response.ts';
export type { Call } from './call.ts';
export { Atrium } from './client.ts';
export type { CreateManyOptions } from './create-many.ts';
export {
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
} from './errors.ts';
export { AtriumMemory } from './memory-client.ts';
export type * from './old-names.ts';
export {
  VERSION,
  type AtriumOptions,
  type ClientOptions,
  type DownloadOptions,
  type LogEntry,
  type RequestOptions,
} from './options.ts';
export type { Page, PageCall } from './page.ts';
export type { PostedWithReplies, ReplyDelta, WaitOptions } from './post-and-wait.ts';
export type { EventStream, SessionEvent, ToolProgress } from './stream.ts';
export type * from './types.ts';
export type { ReadyOptions, UploadOptions, UploadProgress } from './upload.ts';
export type { UploadSource } from './upload-source.ts';
