import { encodePath } from './s3-signature.ts';
import { S3Failure, type S3Client } from './s3-client.ts';
import { elementOf, elementsOf, escapeXml } from './s3-xml.ts';
import { StorageMissing, StorageUnavailable } from './storage.ts';

interface Content {
  body: Uint8Array;
  bodyHash: string;
}

export async function putObject(s3: S3Client, key: string, content: Content): Promise<void> {
  await s3.send({ method: 'PUT', key, ...content });
}

/** Within the bucket, without its bytes passing through here. */
export async function copyObject(s3: S3Client, from: string, to: string): Promise<void> {
  const source = encodePath(`/${s3.bucket}/${s3.prefix}${from}`);
  await s3.send({ method: 'PUT', key: to, headers: { 'x-amz-copy-source': source } });
}

/** S3 doesn't say whether there was one. */
export async function deleteObject(s3: S3Client, key: string): Promise<void> {
  try {
    await s3.send({ method: 'DELETE', key });
  } catch (error) {
    if (!(error instanceof StorageMissing)) throw error;
  }
}

export async function sizeOfObject(s3: S3Client, key: string): Promise<number | undefined> {
  try {
    const { headers } = await s3.send({ method: 'HEAD', key });
    return Number(headers['content-length']);
  } catch (error) {
    if (error instanceof StorageMissing) return undefined;
    throw error;
  }
}

export interface S3Object {
  key: string;
  size: number;
  writtenAt: Date;
}

/** In pages of 1,000. `under` is the beginning of keys. */
export async function* listObjects(s3: S3Client, under: string): AsyncGenerator<S3Object> {
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined;) {
    const { text } = await s3.send({
      method: 'GET',
      query: {
        'list-type': '2',
        'encoding-type': 'url',
        prefix: `${s3.prefix}${under}`,
        ...(token !== undefined && { 'continuation-token': token }),
      },
    });
    for (const entry of elementsOf(text, 'Contents')) {
      yield {
        key: decodeURIComponent(elementOf(entry, 'Key') ?? '').slice(s3.prefix.length),
        size: Number(elementOf(entry, 'Size')),
        writtenAt: new Date(elementOf(entry, 'LastModified') ?? Number.NaN),
      };
    }
    isFirst = false;
    token =
      elementOf(text, 'IsTruncated') === 'true'
        ? elementOf(text, 'NextContinuationToken')
        : undefined;
  }
}

export async function openMultipart(s3: S3Client, key: string): Promise<string> {
  const { text } = await s3.send({ method: 'POST', key, query: { uploads: '' } });
  const id = elementOf(text, 'UploadId');
  if (id === undefined || id === '') {
    throw new StorageUnavailable('the S3 service gave no id for an upload');
  }
  return id;
}

export async function putPart(
  s3: S3Client,
  { key, multipartId, number }: { key: string; multipartId: string; number: number },
  content: Content,
): Promise<string> {
  const query = { partNumber: String(number), uploadId: multipartId };
  const { headers } = await s3.send({ method: 'PUT', key, query, ...content });
  const { etag } = headers;
  if (!etag) throw new StorageUnavailable('the S3 service gave no ETag for a part');
  return etag;
}

export async function completeMultipart(
  s3: S3Client,
  key: string,
  multipartId: string,
  etags: readonly string[],
): Promise<void> {
  const parts = etags.map(
    (etag, index) =>
      `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const xml = `<CompleteMultipartUpload xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${parts.join('')}</CompleteMultipartUpload>`;
  await s3.send({
    method: 'POST',
    key,
    query: { uploadId: multipartId },
    headers: { 'content-type': 'application/xml' },
    body: Buffer.from(xml),
  });
}

/** All uploads to this key, also one whose id never reached us. */
export async function abortMultiparts(s3: S3Client, key: string): Promise<void> {
  for await (const upload of listMultiparts(s3, key)) {
    if (upload.key === key) await abortMultipart(s3, upload);
  }
}

export async function abortMultipart(
  s3: S3Client,
  { key, multipartId: uploadId }: Pick<S3Multipart, 'key' | 'multipartId'>,
): Promise<void> {
  await s3.send({ method: 'DELETE', key, query: { uploadId } }).catch((error: unknown) => {
    if (!isNoUpload(error)) throw error;
  });
}

export interface S3Multipart {
  key: string;
  multipartId: string;
  openedAt: Date;
}

/** In pages of 1,000. `under` is the beginning of keys; some services take only a whole key. */
export async function* listMultiparts(s3: S3Client, under: string): AsyncGenerator<S3Multipart> {
  for (let marker: Record<string, string> | undefined = {}; marker;) {
    const query = { uploads: '', prefix: `${s3.prefix}${under}`, ...marker };
    const { text }: { text: string } = await s3.send({ method: 'GET', query });
    for (const entry of elementsOf(text, 'Upload')) {
      yield {
        key: (elementOf(entry, 'Key') ?? '').slice(s3.prefix.length),
        multipartId: elementOf(entry, 'UploadId') ?? '',
        openedAt: new Date(elementOf(entry, 'Initiated') ?? Number.NaN),
      };
    }
    const key = elementOf(text, 'NextKeyMarker');
    const id = elementOf(text, 'NextUploadIdMarker');
    marker =
      elementOf(text, 'IsTruncated') === 'true' && key
        ? { 'key-marker': key, ...(id && { 'upload-id-marker': id }) }
        : undefined;
  }
}

function isNoUpload(error: unknown): boolean {
  return (
    error instanceof StorageMissing || (error instanceof S3Failure && error.code === 'NoSuchUpload')
  );
}
