import { AtriumError } from '@atrium/sdk';
import { CircleAlert } from 'lucide-react';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/states/empty-state.tsx';
import { ErrorNote } from '../../ui/states/error-note.tsx';
import { fieldErrors } from '../../ui/forms/field-errors.ts';

interface ProblemProps {
  error: unknown;
  isFiltered: boolean;
  onClearFilters: () => void;
  onRetry: () => void;
}

/** Why there are no results, in words. A link may have any query and any filters. */
export function Problem({ error, isFiltered, onClearFilters, onRetry }: ProblemProps) {
  const { query, ...filters } = fieldErrors(error);
  const isPlaceClosed =
    error instanceof AtriumError && (error.status === 404 || error.status === 403);
  if (query !== undefined) {
    return (
      <div role="alert">
        <EmptyState icon={CircleAlert} title="Can’t search for this text">
          {query} Change it and search again.
        </EmptyState>
      </div>
    );
  }
  if (isFiltered && (isPlaceClosed || Object.keys(filters).length > 0)) {
    return (
      <div role="alert">
        <EmptyState
          icon={CircleAlert}
          title="Can’t search with these filters"
          action={<Button onClick={onClearFilters}>Clear all filters</Button>}
        >
          {isPlaceClosed
            ? 'The project or session doesn’t exist, or you’re not in it.'
            : Object.values(filters).join(' ')}
        </EmptyState>
      </div>
    );
  }
  return <ErrorNote error={error} onRetry={onRetry} />;
}
