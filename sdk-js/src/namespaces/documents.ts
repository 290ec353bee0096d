import type { Call } from '../call.ts';
import type { RequestOptions } from '../options.ts';
import type { Transport } from '../transport.ts';
import type { Document, DocumentMatches, SearchDocuments } from '../types.ts';

/** Documents: the texts of files, which agents and searches quote with their pages. */
export class Documents {
  readonly #api: Transport;

  constructor(api: Transport) {
    this.#api = api;
  }

  /** Gets a document by id. `fileId` is the file that it is the text of. */
  get(id: string, options?: RequestOptions): Call<Document> {
    return this.#api.path('/documents/{id}', id).get(options);
  }

  /** Finds passages by meaning and by words, best match first. Counts as a read. */
  search(params: SearchDocuments, options?: RequestOptions): Call<DocumentMatches> {
    return this.#api.path('/documents/search').search(params, options);
  }
}
