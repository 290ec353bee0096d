import { z } from 'zod';
import {
  optional,
  pageOf,
  pageQuery,
  pathId,
  queryFlag,
  queryInteger,
  recordId,
  text,
  timestamp,
} from '../../core/fields.ts';
import { fileName } from './file-name.ts';

export const FILE_STATUSES = ['UPLOADING', 'CHECKING', 'READY', 'FAILED', 'REFUSED'] as const;
export const TEXT_STATUSES = ['NONE', 'PENDING', 'READY', 'EMPTY', 'FAILED'] as const;
export type FileStatus = (typeof FILE_STATUSES)[number];
export type TextStatus = (typeof TEXT_STATUSES)[number];

const Image = z
  .object({ width: z.int(), height: z.int() })
  .nullable()
  .meta({ description: 'The size of a picture in pixels, as it is shown.' });

const status = () =>
  z.enum(FILE_STATUSES).meta({
    description:
      'READY files can be read. CHECKING: the bytes are there, and are being checked. FAILED and REFUSED have a `reason`.',
  });

const mediaType = () =>
  z.string().meta({ description: 'Found from the bytes.', example: 'application/pdf' });

export const File = z
  .object({
    id: recordId(),
    projectId: recordId(),
    name: z.string(),
    mediaType: mediaType(),
    size: z.int().meta({ description: 'In bytes, as stored: without metadata of pictures.' }),
    sha256: z.string().nullable().meta({ description: 'Of the stored bytes, in hex.' }),
    status: status(),
    reason: z.string().nullable(),
    text: z.enum(TEXT_STATUSES).meta({
      description:
        'PENDING: the text is still being read. EMPTY and FAILED have a `textReason`. NONE: there is none to read.',
    }),
    textReason: z.string().nullable(),
    pages: z.int().nullable(),
    image: Image,
    isShared: z.boolean().meta({ description: 'Whether every member of the Project may read it.' }),
    uploadedById: recordId().nullable(),
    uploadedByAgent: z.string().nullable(),
    createdAt: timestamp(),
  })
  .meta({ id: 'File' });

/** A file as a message or task shows it. */
export const Attachment = z
  .object({
    fileId: recordId(),
    name: z.string(),
    mediaType: mediaType(),
    size: z.int(),
    status: status(),
    image: Image,
    pages: z.int().nullable(),
  })
  .meta({ id: 'Attachment' });

export const FilePage = pageOf(File).meta({ id: 'FilePage' });

/** A file whose bytes are to come. */
export const FileUpload = File.extend({
  uploadUrl: z.string().meta({
    format: 'uri',
    description:
      'Where the bytes go: with one PUT, or piece by piece as tus 1.0. It works for whoever made it, for 24 hours.',
  }),
}).meta({ id: 'FileUpload' });

export const CreateFile = z
  .strictObject({
    name: fileName(),
    size: z.int().min(1).meta({ description: 'How many bytes will come.' }),
    mediaType: optional(text({ min: 0, max: 255 })).meta({
      description: 'A hint. What counts is found from the bytes.',
      example: 'application/pdf',
    }),
  })
  .meta({ id: 'CreateFile' });

export const UpdateFile = z
  .strictObject({
    name: optional(fileName()),
    isShared: optional(z.boolean()).meta({
      description:
        'True: every member of the Project may read it. False: only those who may read something it is attached to.',
    }),
  })
  .meta({ id: 'UpdateFile' });

export const ListFiles = pageQuery().extend({
  query: optional(text({ max: 200 })).meta({
    description: 'Only files with these words in their name.',
  }),
  type: optional(text({ max: 100 })).meta({
    description: 'Only files whose media type begins with this.',
    example: 'image/',
  }),
});

export const ContentQuery = z.strictObject({
  download: queryFlag('Whether a browser saves the file instead of showing it.'),
});

export const PreviewQuery = z.strictObject({
  width: queryInteger({ min: 16, max: 2048, fallback: 640, about: 'The width, at most.' }),
  page: queryInteger({ min: 1, max: 100_000, fallback: 1, about: 'The page of a PDF, from 1.' }),
});

export const FileUsage = z
  .object({
    bytes: z.int().meta({ description: 'What all files take, and uploads will.' }),
    files: z.int(),
    maxBytes: z.int().meta({ description: 'What they may take.' }),
  })
  .meta({ id: 'FileUsage' });

export const FilePath = z.object({ id: pathId('file') });
export const ProjectFilesPath = z.object({ projectId: pathId('Project') });
export const OrgFilesPath = z.object({ orgId: pathId('organisation') });

export type CreateFile = z.output<typeof CreateFile>;
export type UpdateFile = z.output<typeof UpdateFile>;
export type ListFiles = z.output<typeof ListFiles>;
export type PreviewQuery = z.output<typeof PreviewQuery>;
