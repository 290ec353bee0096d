import { defineRoute, type Route } from '../../http/route.ts';
import { presentPage } from '../../lists/present.ts';
import { presentFile } from './present.ts';
import {
  ContentQuery,
  CreateFile,
  File,
  FilePage,
  FilePath,
  FileUpload,
  FileUsage,
  ListFiles,
  OrgFilesPath,
  PreviewQuery,
  ProjectFilesPath,
  UpdateFile,
} from './schema.ts';
import {
  createFile,
  deleteFile,
  findOrgOfFile,
  getContent,
  listAllFiles,
  listFiles,
  openPreview,
  readFile,
  readUsage,
  requireFilesPlace,
  updateFile,
} from './service.ts';

const fileExample = {
  id: 'cmf3k2v8q000fx5p7h9d4t6wz',
  projectId: 'cmf3k2v8q0001x5p7h9d4t6wz',
  name: 'contract.pdf',
  mediaType: 'application/pdf',
  size: 48_213,
  sha256: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  status: 'READY',
  reason: null,
  text: 'READY',
  textReason: null,
  pages: 12,
  image: null,
  isShared: false,
  uploadedById: 'cmf3k2v8q0000x5p7h9d4t6wz',
  uploadedByAgent: null,
  createdAt: '2026-11-15T09:30:00.000Z',
} as const;
const uploadExample = {
  ...fileExample,
  sha256: null,
  status: 'UPLOADING',
  text: 'NONE',
  pages: null,
  uploadUrl: 'https://atrium.example.com/api/files/cmf3k2v8q000fx5p7h9d4t6wz/upload',
} as const;

const common = { tag: 'Files', extension: true, auth: 'user' } as const;
const read = { ...common, scope: 'files:read', limit: 'read' } as const;
const write = { ...common, scope: 'files:write', limit: 'write' } as const;
/** Pages use it as the address of a picture. */
const content = {
  ...read,
  method: 'GET',
  isContent: true,
  findOrg: (db, userId, { id = '' }) => findOrgOfFile(db, userId, id),
} as const satisfies Partial<Route>;

export const fileRoutes: Route[] = [
  defineRoute({
    ...read,
    operationId: 'listFiles',
    method: 'GET',
    path: '/projects/{projectId}/files',
    summary: "List a Project's files",
    description: 'The files of the Project that the caller may read, newest first.',
    request: { params: ProjectFilesPath, query: ListFiles },
    response: FilePage,
    example: { response: { items: [fileExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { params, query }) =>
      presentPage(await listFiles(ctx, params.projectId, query), query, presentFile),
  }),
  defineRoute({
    ...read,
    operationId: 'listAllFiles',
    method: 'GET',
    path: '/files',
    summary: 'List all files that the caller may read',
    description:
      'The same filters as for one Project, newest first. Files of direct conversations and of archived Projects are among them.',
    request: { query: ListFiles },
    response: FilePage,
    example: { response: { items: [fileExample], total: 1, page: 1, limit: 20 } },
    handler: async (ctx, { query }) =>
      presentPage(await listAllFiles(ctx, query), query, presentFile),
  }),
  defineRoute({
    ...write,
    operationId: 'createFile',
    method: 'POST',
    path: '/projects/{projectId}/files',
    summary: 'Begin to upload a file',
    description:
      'Adds the record. Then send the bytes to `uploadUrl`. Until it is attached to something or shared, nobody else sees the file, and after 24 hours it is deleted.',
    request: { params: ProjectFilesPath, body: CreateFile },
    mayReplay: (ctx, { params }, shown) =>
      shown ? readFile(ctx, shown.id) : requireFilesPlace(ctx, params.projectId),
    status: 201,
    response: FileUpload,
    example: {
      request: { name: 'contract.pdf', size: 48_213, mediaType: 'application/pdf' },
      response: uploadExample,
    },
    async handler(ctx, { params, body }) {
      const { uploadUrl, ...file } = await createFile(ctx, params.projectId, body);
      return { ...presentFile(file), uploadUrl };
    },
  }),
  defineRoute({
    ...read,
    operationId: 'getFile',
    method: 'GET',
    path: '/files/{id}',
    summary: 'Get a file',
    description: 'Its record. Whoever may read something that it is attached to may read it.',
    request: { params: FilePath },
    response: File,
    example: { response: fileExample },
    handler: async (ctx, { params }) => presentFile(await readFile(ctx, params.id)),
  }),
  defineRoute({
    ...write,
    operationId: 'updateFile',
    method: 'PATCH',
    path: '/files/{id}',
    summary: 'Rename or share a file',
    description:
      'Omitted fields stay as they are. Only for its uploader, and for an OWNER or ADMIN who may read it.',
    request: { params: FilePath, body: UpdateFile },
    response: File,
    example: { request: { isShared: true }, response: { ...fileExample, isShared: true } },
    handler: async (ctx, { params, body }) => presentFile(await updateFile(ctx, params.id, body)),
  }),
  defineRoute({
    ...write,
    operationId: 'deleteFile',
    method: 'DELETE',
    path: '/files/{id}',
    summary: 'Delete a file',
    description:
      'Its bytes are gone at once, and so are its text and what shows it. Only for its uploader, and for an OWNER or ADMIN who may read it.',
    request: { params: FilePath },
    status: 204,
    handler: (ctx, { params }) => deleteFile(ctx, params.id),
  }),
  defineRoute({
    ...content,
    operationId: 'getFileContent',
    path: '/files/{id}/content',
    summary: "Get a file's bytes",
    description:
      'PNG, JPEG, GIF, WebP, AVIF and PDF may be shown by a browser. All others are downloads. If the file is not READY: 409 with the reason `file_not_ready`.',
    request: { params: FilePath, query: ContentQuery },
    mayRedirect: true,
    handler: (ctx, { params, query }) => getContent(ctx, params.id, query.download),
  }),
  defineRoute({
    ...content,
    operationId: 'getFilePreview',
    path: '/files/{id}/preview',
    summary: 'Get a preview of a file',
    description: 'A WebP of a picture, or of a page of a PDF. 404 if there is none.',
    request: { params: FilePath, query: PreviewQuery },
    handler: (ctx, { params, query }) => openPreview(ctx, params.id, query),
  }),
  defineRoute({
    ...read,
    operationId: 'getFileUsage',
    method: 'GET',
    path: '/org/{orgId}/files/usage',
    summary: 'Get the use of storage',
    description: 'What the files of the organisation take, and what they may.',
    request: { params: OrgFilesPath },
    response: FileUsage,
    example: { response: { bytes: 734_003_200, files: 214, maxBytes: 10_737_418_240 } },
    handler: (ctx) => readUsage(ctx),
  }),
];
