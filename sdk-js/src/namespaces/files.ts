import type { Call } from '../call.ts';
import type { DownloadOptions, RequestOptions } from '../options.ts';
import type { PageCall } from '../page.ts';
import type { Transport } from '../transport.ts';
import type {
  FileUpload,
  CreateFile,
  File,
  FileMatches,
  FileText,
  FileUsage,
  FindInFileParams,
  GetFileContentParams,
  GetFilePreviewParams,
  GetFileTextParams,
  ListAllFilesParams,
  ListFilesParams,
  UpdateFile,
} from '../types.ts';
import type { ReadyOptions, UploadOptions } from '../upload.ts';
import type { UploadSource } from '../upload-source.ts';

/** Loaded when it is first needed, because pages that upload nothing would load it too. */
const uploading = () => import('../upload.ts');

/** Files of a Project: what messages and tasks have attached, and what its members share. */
export class Files {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /**
   * Uploads a file in pieces, and goes on where it stopped if the connection is lost. What it returns is
   * stored and can be attached to messages and tasks, but may still be checked: see `waitUntilReady`.
   */
  async upload(projectId: string, source: UploadSource, options?: UploadOptions): Promise<File> {
    const { upload } = await uploading();
    return upload(this.#api, projectId, source, options);
  }

  /** Waits until a file was checked. Rejects with the code FILE_REFUSED or FILE_FAILED if it can't be used. */
  async waitUntilReady(id: string, options?: ReadyOptions): Promise<File> {
    const { waitUntilReady } = await uploading();
    return waitUntilReady(this.#api, id, options);
  }

  /** Opens an upload, for programs that send the bytes themselves, to `uploadUrl`. `upload` does both. */
  create(projectId: string, params: CreateFile, options?: RequestOptions): Call<FileUpload> {
    return this.#api.path('/projects/{projectId}/files', projectId).post(params, options);
  }

  /** Lists the Project's files that you may read, newest first. */
  list(projectId: string, params?: ListFilesParams, options?: RequestOptions): PageCall<File> {
    return this.#api.path('/projects/{projectId}/files', projectId).list(params, options);
  }

  /** Lists all files that you may read, newest first, also those of direct conversations. */
  listAll(params?: ListAllFilesParams, options?: RequestOptions): PageCall<File> {
    return this.#api.path('/files').list(params, options);
  }

  /** Gets a file's record. */
  get(id: string, options?: RequestOptions): Call<File> {
    return this.#api.path('/files/{id}', id).get(options);
  }

  /** Renames a file, or shares it with everyone in its Project. */
  update(id: string, params: UpdateFile, options?: RequestOptions): Call<File> {
    return this.#api.path('/files/{id}', id).patch(params, options);
  }

  /** Deletes a file. Messages and tasks lose it too. */
  delete(id: string, options?: RequestOptions): Call<void> {
    return this.#api.path('/files/{id}', id).delete(options);
  }

  /** Downloads a file, or with the option `range` some of its bytes. `params` are for browsers. */
  download(
    id: string,
    params?: GetFileContentParams,
    options?: DownloadOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return this.#api.path('/files/{id}/content', id).download(options, params);
  }

  /** Downloads a picture of a file, or of a page of a PDF, as WebP. */
  preview(
    id: string,
    params?: GetFilePreviewParams,
    options?: DownloadOptions,
  ): Call<ReadableStream<Uint8Array>> {
    return this.#api.path('/files/{id}/preview', id).download(options, params);
  }

  /** Gets the text of a page. */
  text(id: string, params?: GetFileTextParams, options?: RequestOptions): Call<FileText> {
    return this.#api.path('/files/{id}/text', id).get(options, params);
  }

  /** Counts words on the pages of a file, and says where they are on one page of a PDF. */
  find(id: string, params: FindInFileParams, options?: RequestOptions): Call<FileMatches> {
    return this.#api.path('/files/{id}/matches', id).get(options, params);
  }

  /** Gets how much the organisation has stored, and how much it may store. */
  usage(orgId: string, options?: RequestOptions): Call<FileUsage> {
    return this.#api.path('/org/{orgId}/files/usage', orgId).get(options);
  }
}
