/** Whether agent `a` answers in Project `p`: bound to it, or to none. The only place that decides this. */
export const ANSWERS_IN_PROJECT = `(a.archived_at IS NULL AND a.is_enabled
  AND (a.project_ids = '{}' OR p.id = ANY (a.project_ids)))`;
