import { canReadInProject } from './readable.ts';
import { isProjectMember } from './standing.ts';

/**
 * Whether a person may read file f of Project p, in org $1. Whoever may read something that it is attached to may,
 * and so may every member of its Project if it is shared. Attached to nothing, it is its uploader's alone. Nobody
 * outside the Project may. The only place that decides this.
 */
export function canReadFile(person: string, role: string): string {
  return `(${isProjectMember(person, role)} AND ${canReadFileInProject(person)})`;
}

/** The half of it that is left if the person is known to belong to the Project of file f. */
function canReadFileInProject(person: string): string {
  return `(f.is_shared
    OR EXISTS (SELECT 1 FROM file_uses fu
      JOIN messages fm ON fm.org_id = $1 AND fm.id = fu.message_id AND fm.deleted_at IS NULL
      JOIN sessions s ON s.org_id = $1 AND s.id = fm.session_id
      WHERE fu.org_id = $1 AND fu.file_id = f.id AND ${canReadInProject(person)})
    OR EXISTS (SELECT 1 FROM file_uses fu
      WHERE fu.org_id = $1 AND fu.file_id = f.id AND fu.task_id IS NOT NULL)
    OR (f.uploaded_by_id = ${person} AND NOT EXISTS (SELECT 1 FROM file_uses fu
      WHERE fu.org_id = $1 AND fu.file_id = f.id)))`;
}

/** The same for the caller, with the parameters of `callerOf`. Part of every query of files on someone's behalf. */
export const CAN_READ_FILE = canReadFile('$2', '$3::text');

/**
 * Whether everybody who reads session s of Project p may read file f: what agents that answer there may read. Files
 * of another private session are not among them, whoever asks.
 */
export const EVERY_READER_MAY_READ_FILE = `(f.project_id = p.id AND (f.is_shared
  OR EXISTS (SELECT 1 FROM file_uses fu
    JOIN messages fm ON fm.org_id = $1 AND fm.id = fu.message_id AND fm.deleted_at IS NULL
    JOIN sessions fs ON fs.org_id = $1 AND fs.id = fm.session_id
    WHERE fu.org_id = $1 AND fu.file_id = f.id AND (fs.access = 'PROJECT' OR fs.id = s.id))
  OR EXISTS (SELECT 1 FROM file_uses fu
    WHERE fu.org_id = $1 AND fu.file_id = f.id AND fu.task_id IS NOT NULL)))`;

/**
 * Whether file f is attached to a message of session s. If the session is also a chat channel, agents there read
 * nothing else: the people of the channel need not belong to the Project.
 */
export const IS_ATTACHED_IN_SESSION = `EXISTS (SELECT 1 FROM file_uses fu
  JOIN messages fm ON fm.org_id = $1 AND fm.id = fu.message_id AND fm.deleted_at IS NULL
  WHERE fu.org_id = $1 AND fu.file_id = f.id AND fm.session_id = s.id)`;

/** The people who alone may read file f. Null if every member of its Project may. For those who are told of a change. */
export const ONLY_FILE_READERS = `CASE WHEN f.is_shared
    OR EXISTS (SELECT 1 FROM file_uses fu
      WHERE fu.org_id = $1 AND fu.file_id = f.id AND fu.task_id IS NOT NULL)
    OR EXISTS (SELECT 1 FROM file_uses fu
      JOIN messages fm ON fm.org_id = $1 AND fm.id = fu.message_id AND fm.deleted_at IS NULL
      JOIN sessions s ON s.org_id = $1 AND s.id = fm.session_id AND s.access = 'PROJECT'
      WHERE fu.org_id = $1 AND fu.file_id = f.id) THEN NULL
  WHEN EXISTS (SELECT 1 FROM file_uses fu WHERE fu.org_id = $1 AND fu.file_id = f.id)
    THEN ARRAY(SELECT DISTINCT unnest(s.participant_user_ids) FROM file_uses fu
      JOIN messages fm ON fm.org_id = $1 AND fm.id = fu.message_id AND fm.deleted_at IS NULL
      JOIN sessions s ON s.org_id = $1 AND s.id = fm.session_id
      WHERE fu.org_id = $1 AND fu.file_id = f.id)
  ELSE array_remove(ARRAY[f.uploaded_by_id], NULL) END`;
