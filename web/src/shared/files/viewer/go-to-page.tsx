import { useEffect, useState } from 'react';
import { Form } from '../../../ui/forms/form.tsx';
import { CONTROL } from '../../../ui/forms/field.tsx';

interface GoToPageProps {
  /** The one that is shown. */
  page: number;
  pages: number;
  onGo: (page: number) => void;
}

export function GoToPage({ page, pages, onGo }: GoToPageProps) {
  const [typed, setTyped] = useState<string>();
  useEffect(() => setTyped(undefined), [page]);
  function go() {
    const wanted = Number(typed);
    if (Number.isInteger(wanted) && wanted >= 1) onGo(Math.min(wanted, pages));
    setTyped(undefined);
  }
  return (
    <Form className="flex items-center gap-2 text-note text-muted tabular-nums" onSubmit={go}>
      <label className="flex items-center gap-2">
        Page
        <input
          inputMode="numeric"
          autoComplete="off"
          value={typed ?? String(page)}
          onChange={({ target }) => setTyped(target.value.replaceAll(/\D/g, ''))}
          onFocus={({ target }) => target.select()}
          onBlur={() => setTyped(undefined)}
          className={`${CONTROL} min-h-8 w-14! px-2! text-center`}
        />
      </label>
      of {pages.toLocaleString()}
    </Form>
  );
}
