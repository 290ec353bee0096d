/** A file of org $1 as its attachments show it: what `Attachment` in features/files/schema.ts has. */
export const ATTACHMENT = `jsonb_build_object('fileId', f.id, 'name', f.name, 'mediaType', f.media_type,
  'size', f.size, 'status', f.status, 'pages', f.pages, 'image', CASE WHEN f.image_width IS NOT NULL
    THEN jsonb_build_object('width', f.image_width, 'height', f.image_height) END)`;

const usedBy = (
  id: string,
) => `FROM file_uses fu JOIN files f ON f.org_id = $1 AND f.id = fu.file_id
  WHERE fu.org_id = $1 AND fu.used_by_id = ${id}`;

/**
 * What message `m` has, unless it was deleted. No right is checked: whoever may read a message or a task may read its
 * files. Most have none, and pay nothing.
 */
export const MESSAGE_ATTACHMENTS = `CASE WHEN m.has_files AND m.deleted_at IS NULL THEN (
    SELECT coalesce(jsonb_agg(${ATTACHMENT} ORDER BY fu.position), '[]') ${usedBy('m.id')})
  ELSE '[]' END`;

/** The same for task `t`. */
export const TASK_ATTACHMENTS = `CASE WHEN t.has_files THEN (
    SELECT coalesce(jsonb_agg(${ATTACHMENT} ORDER BY fu.position), '[]') ${usedBy('t.id')})
  ELSE '[]' END`;

/** Of these files, in this order, those that rows of `f` and `p` pass. */
export const attachmentsAmong = (ids: string, condition: string) => `(
  SELECT coalesce(jsonb_agg(${ATTACHMENT} ORDER BY given.nth), '[]')
  FROM unnest(${ids}) WITH ORDINALITY AS given (id, nth)
  JOIN files f ON f.org_id = $1 AND f.id = given.id
  JOIN projects p ON p.org_id = $1 AND p.id = f.project_id WHERE ${condition})`;

/** What stands for the text of message `m` if it has none: the names of its files. Otherwise null. */
export const FILE_NAMES = `CASE WHEN m.has_files AND m.body = '' AND m.deleted_at IS NULL THEN (
    SELECT string_agg(f.name, ', ' ORDER BY fu.position) ${usedBy('m.id')}) END`;

/** Whether a message that is sent later has file `f` of this org, which then must not be purged. */
export const isScheduled = (orgId: string) => `EXISTS (SELECT 1 FROM scheduled_messages planned
  WHERE planned.org_id = ${orgId} AND planned.file_ids <> '{}' AND f.id = ANY (planned.file_ids))`;
