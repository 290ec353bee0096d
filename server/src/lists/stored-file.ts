/** A small file that is kept in the database, and sent whole. Its address changes with its content. */
export interface StoredFile {
  contentType: string;
  bytes: Buffer;
}
