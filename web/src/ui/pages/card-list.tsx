import { Plus, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../states/empty-state.tsx';
import { Loading } from '../states/loading.tsx';
import { PageHeader, RoleNote } from './page.tsx';
import { useListFocus } from '../keys/use-list-focus.ts';

interface CardListProps<Item> {
  title?: string;
  description?: ReactNode;
  /** Instead of the title and description. It gets the button that adds one, if there are some. */
  header?: (actions: ReactNode) => ReactNode;
  /** What the person's role doesn't allow. */
  note?: string | false;
  query: { data: readonly Item[] | undefined; error: unknown; refetch: () => Promise<unknown> };
  loading: string;
  /** Said if there is none. `action` is for when none can be added yet. */
  empty: { icon: LucideIcon; title: string; text: string; action?: ReactNode };
  /** The label of the button that adds one. Without it, there is none. */
  add?: string | undefined;
  /** `onChanged` is for when a card is gone or new: focus moves to the list. */
  card: (item: Item, onChanged: () => void) => ReactNode;
  /** Adds one. It closes itself. */
  dialog: (onClose: () => void, onChanged: () => void) => ReactNode;
  /** What comes after the list, such as what was archived. */
  after?: (onChanged: () => void) => ReactNode;
}

/** A page that lists what was set up, each as a card, and adds more in a dialog. */
export function CardList<Item>(props: CardListProps<Item>) {
  const {
    title = '',
    description,
    header,
    note,
    query,
    loading,
    empty,
    add,
    card,
    dialog,
    after,
  } = props;
  const [isAdding, setAdding] = useState(false);
  const { list, focusList } = useListFocus();
  const isEmpty = query.data?.length === 0;
  const button = add && (
    <Button look="primary" icon={Plus} onClick={() => setAdding(true)}>
      {add}
    </Button>
  );
  const actions = query.data && !isEmpty && button;
  return (
    <>
      {header?.(actions) ?? (
        <PageHeader title={title} actions={actions}>
          {description}
        </PageHeader>
      )}
      {note && <RoleNote>{note}</RoleNote>}
      <Loading of={query} rows={3} label={loading} />
      <div ref={list} tabIndex={-1} className="flex flex-col gap-6 outline-none">
        {isEmpty && (
          <EmptyState icon={empty.icon} title={empty.title} action={empty.action ?? button}>
            {empty.text}
          </EmptyState>
        )}
        {query.data?.map((item) => card(item, focusList))}
      </div>
      {query.data && after?.(focusList)}
      {isAdding && dialog(() => setAdding(false), focusList)}
    </>
  );
}
