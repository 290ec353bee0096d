import type { TaskView } from '@atrium/sdk';
import { ArrowLeft, ArrowRight, ChevronDown, Pencil, Save, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../../ui/controls/button.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../ui/controls/menu.tsx';
import { toastWithUndo } from '../../../ui/layers/toast.tsx';
import type { TaskSearch, TaskSearchChanges } from '../list/search-params.ts';
import { useDeleteView, useSaveView, useUpdateView } from './use-views.ts';
import { ViewNameDialog } from './view-name-dialog.tsx';
import { isChanged, toShown, type Layout } from './view-search.ts';

interface ViewMenuProps {
  view: TaskView;
  /** All in their order. */
  views: TaskView[];
  search: TaskSearch;
  layout: Layout;
  onChange: (changes: TaskSearchChanges) => void;
}

/** What can be done with the view that is shown. */
export function ViewMenu({ view, views, search, layout, onChange }: ViewMenuProps) {
  const [isRenaming, setRenaming] = useState(false);
  const rename = useUpdateView(() => setRenaming(false));
  const update = useUpdateView();
  const remove = useRemove(view, views, () => onChange({ view: undefined }));
  const at = views.indexOf(view);
  const put = (afterViewId: string | null) => update.mutate({ id: view.id, afterViewId });
  return (
    <>
      <Menu
        align="start"
        trigger={<IconButton label={`Actions of view ${view.name}`} icon={ChevronDown} />}
      >
        {isChanged(view, search, layout) && (
          <MenuItem
            icon={Save}
            onSelect={() =>
              update.mutate({ id: view.id, ...toShown(search, layout, view.projectId === null) })
            }
          >
            Save changes
          </MenuItem>
        )}
        <MenuItem icon={Pencil} onSelect={() => setRenaming(true)}>
          Rename view
        </MenuItem>
        {at > 0 && (
          <MenuItem icon={ArrowLeft} onSelect={() => put(views[at - 2]?.id ?? null)}>
            Move left
          </MenuItem>
        )}
        {at < views.length - 1 && (
          <MenuItem icon={ArrowRight} onSelect={() => put(views[at + 1]?.id ?? null)}>
            Move right
          </MenuItem>
        )}
        <MenuSeparator />
        <MenuItem icon={Trash2} tone="danger" onSelect={() => remove.mutate(view.id)}>
          Delete view
        </MenuItem>
      </Menu>
      {isRenaming && (
        <ViewNameDialog
          title="Rename view"
          action="Rename view"
          initial={view.name}
          saving={rename}
          onSubmit={(name) => rename.mutate({ id: view.id, name })}
          onClose={() => setRenaming(false)}
        />
      )}
    </>
  );
}

/** The filters stay, and the view can be had back. */
function useRemove(view: TaskView, views: TaskView[], onRemoved: () => void) {
  const restore = useSaveView(() => {});
  return useDeleteView(() => {
    onRemoved();
    const { projectId, name, layout, filters, sort, groupBy } = view;
    const afterViewId = views[views.indexOf(view) - 1]?.id ?? null;
    toastWithUndo(`View “${name}” deleted`, () =>
      restore.mutateAsync({
        name,
        layout,
        filters,
        sort,
        groupBy,
        afterViewId,
        ...(projectId && { projectId }),
      }),
    );
  });
}
