-- Whether to look into `file_uses`: most messages and tasks have none, and pay nothing.
ALTER TABLE messages ADD COLUMN IF NOT EXISTS has_files boolean NOT NULL DEFAULT false;
ALTER TABLE tasks ADD COLUMN IF NOT EXISTS has_files boolean NOT NULL DEFAULT false;
ALTER TABLE scheduled_messages ADD COLUMN IF NOT EXISTS file_ids text[] NOT NULL DEFAULT '{}';

-- New transaction

-- Files of messages that are sent later are not purged.
CREATE INDEX IF NOT EXISTS scheduled_messages_with_files ON scheduled_messages (org_id) WHERE file_ids <> '{}';

-- New transaction

-- Files of Projects. Who may read one depends on what it is attached to (`file_uses`): access/files.ts. The bytes are
-- in the storage, under `storage_key`, which is set in the commit that makes them the file's.
CREATE TABLE files (
  org_id text NOT NULL,
  id text NOT NULL,
  project_id text NOT NULL,
  position bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  name text NOT NULL,
  -- What the client says, until the bytes are there.
  media_type text NOT NULL,
  -- As announced, then that of the stored bytes. It counts towards the quota.
  size bigint NOT NULL,
  -- In hex.
  sha256 text,
  status text NOT NULL,
  reason text,
  text_status text NOT NULL DEFAULT 'NONE',
  text_reason text,
  pages integer,
  image_width integer,
  image_height integer,
  is_shared boolean NOT NULL DEFAULT false,
  uploaded_by_id text,
  uploaded_by_agent text,
  storage_key text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Since when nothing uses it; null while something does. Then it is deleted at `purge_at`.
  purge_at timestamptz(3),
  PRIMARY KEY (org_id, id),
  CHECK (status IN ('UPLOADING', 'CHECKING', 'READY', 'FAILED', 'REFUSED')),
  CHECK (text_status IN ('NONE', 'PENDING', 'READY', 'EMPTY', 'FAILED')),
  CHECK (status <> 'READY' OR (sha256 IS NOT NULL AND storage_key IS NOT NULL)),
  FOREIGN KEY (org_id, project_id) REFERENCES projects (org_id, id)
);
CREATE INDEX files_of_project ON files (org_id, project_id, position);
CREATE INDEX files_to_purge ON files (purge_at) WHERE purge_at IS NOT NULL;
CREATE INDEX files_being_checked ON files (org_id, id) WHERE status = 'CHECKING';
-- For the quota, whose sum is read for each new file.
CREATE INDEX files_by_size ON files (org_id) INCLUDE (size) WHERE status NOT IN ('FAILED', 'REFUSED');
CREATE INDEX files_without_text ON files (org_id, position) WHERE text_status = 'PENDING';

-- What a file is attached to: a message or a task, in this order. It is the only record of it.
CREATE TABLE file_uses (
  org_id text NOT NULL,
  file_id text NOT NULL,
  -- The id of the message or task.
  used_by_id text NOT NULL,
  message_id text,
  task_id text,
  position integer NOT NULL,
  added_by_id text,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (org_id, used_by_id, file_id),
  CHECK (num_nonnulls(message_id, task_id) = 1),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE,
  FOREIGN KEY (org_id, message_id) REFERENCES messages (org_id, id),
  FOREIGN KEY (org_id, task_id) REFERENCES tasks (org_id, id)
);
CREATE INDEX file_uses_of_file ON file_uses (org_id, file_id);

-- How far an upload is. `token` is that of the request which is writing, until `held_until`. `parts` are those of an
-- S3 upload.
CREATE TABLE file_uploads (
  org_id text NOT NULL,
  file_id text NOT NULL,
  storage_key text NOT NULL,
  storage_upload_id text,
  received bigint NOT NULL DEFAULT 0,
  parts jsonb NOT NULL DEFAULT '[]',
  token text,
  held_until timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, file_id),
  FOREIGN KEY (org_id, file_id) REFERENCES files (org_id, id) ON DELETE CASCADE
);
CREATE INDEX file_uploads_by_time ON file_uploads (expires_at);

-- Keys whose bytes nothing refers to any more. The bytes are deleted first, then the row.
CREATE TABLE file_remains (
  org_id text NOT NULL,
  storage_key text NOT NULL,
  storage_upload_id text,
  delete_at timestamptz(3) NOT NULL,
  PRIMARY KEY (org_id, storage_key)
);
CREATE INDEX file_remains_by_time ON file_remains (delete_at);
