import { isoTime } from '../../../db/utc-time.ts';
import type { ViewRow } from './service.ts';

export function presentView(view: ViewRow) {
  const { status, assignee, priority, run, label, due, query } = view.filters;
  const filters = { status, assignee, priority, run, label, due, query };
  return {
    id: view.id,
    projectId: view.projectId,
    name: view.name,
    layout: view.layout,
    // In the database, the fields have another order.
    filters: Object.fromEntries(
      Object.entries(filters).filter(([, value]) => value !== undefined),
    ) as typeof view.filters,
    sort: view.sort,
    groupBy: view.groupBy,
    createdAt: isoTime(view.createdAt),
    updatedAt: isoTime(view.updatedAt),
  };
}
