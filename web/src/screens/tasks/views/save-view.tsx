import type { TaskView } from '@atrium/sdk';
import { BookmarkPlus } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/controls/button.tsx';
import { toast } from '../../../ui/layers/toast.tsx';
import { isFiltered, type TaskSearch, type TaskSearchChanges } from '../list/search-params.ts';
import { useSaveView, useUpdateView, useViews } from './use-views.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';
import { isChanged, toShown, type Layout } from './view-search.ts';

interface SaveViewProps {
  projectId: string | null;
  search: TaskSearch;
  layout: Layout;
  onChange: (changes: TaskSearchChanges) => void;
}

/** Offered as soon as there is something to remember. */
export function SaveView({ projectId, search, layout, onChange }: SaveViewProps) {
  const [isNaming, setNaming] = useState(false);
  const view = useViews(projectId).find(({ id }) => id === search.view);
  const shown = toShown(search, layout, projectId === null);
  const update = useUpdateView();
  const save = useSaveView(({ id, name }: TaskView) => {
    setNaming(false);
    toast(`View “${name}” saved`);
    onChange({ view: id });
  });
  const isOther = view ? isChanged(view, search, layout) : isArranged(search);
  return (
    <>
      {view && isOther && (
        <Button
          look="quiet"
          size="small"
          isBusy={update.isPending}
          onClick={() => update.mutate({ id: view.id, ...shown })}
        >
          Save changes
        </Button>
      )}
      {isOther && (
        <Button look="quiet" size="small" icon={BookmarkPlus} onClick={() => setNaming(true)}>
          {view ? 'Save as new view' : 'Save view'}
        </Button>
      )}
      {isNaming && (
        <ViewNameDialog
          title="Save view"
          description="Its filters and its order are kept beside Board and List. Only you see it."
          action="Save view"
          initial={view ? `${view.name} 2` : ''}
          saving={save}
          onSubmit={(name) => save.mutate({ name, ...shown, ...(projectId && { projectId }) })}
          onClose={() => setNaming(false)}
        />
      )}
    </>
  );
}

function isArranged(search: TaskSearch): boolean {
  return isFiltered(search) || search.sort !== undefined || search.group !== undefined;
}
