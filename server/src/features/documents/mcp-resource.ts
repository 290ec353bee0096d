import type { Resource } from '../../mcp-endpoint/resource.ts';
import { describeFile } from './service.ts';

export const fileResource: Resource = {
  name: 'file',
  title: 'File',
  uriTemplate: 'atrium://files/{fileId}',
  description:
    'A file: its name, type and size, and the beginning of its text. read_document reads the other pages.',
  scopes: ['files:read'],
  read: (ctx, fileId) => describeFile(ctx, fileId),
};
