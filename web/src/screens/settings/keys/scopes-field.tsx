import { useId } from 'react';
import type { KeyFamily } from './families.ts';
import { AREAS, areSame, PRESETS, type Scope } from './scopes.ts';

interface ScopesFieldProps {
  family: KeyFamily;
  scopes: Scope[];
  error: string | undefined;
  onChange: (scopes: Scope[]) => void;
}

/** What the key may do: a preset, or individual permissions. */
export function ScopesField({ family, scopes, error, onChange }: ScopesFieldProps) {
  const id = useId();
  const areas = family === 'v2' ? AREAS : AREAS.filter(({ area }) => area === 'memory');
  return (
    <fieldset aria-describedby={error && id} className="flex flex-col gap-3">
      <legend className="mb-2 text-sm font-medium">Permissions</legend>
      {family === 'v2' && (
        <p className="text-note text-muted">
          A key can never do more than you can, even if your role changes later.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {PRESETS[family].map((preset) => (
          <button
            key={preset.name}
            type="button"
            aria-pressed={areSame(preset.scopes, scopes)}
            className="min-h-8 rounded-full border border-edge px-3 text-note hover:bg-hover aria-pressed:border-accent aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent"
            onClick={() => onChange(preset.scopes)}
          >
            {preset.name}
          </button>
        ))}
      </div>
      <table className="w-full text-sm">
        <thead>
          <tr className="border-b border-line text-note text-muted">
            <th scope="col" className="py-1.5 text-start font-medium">
              Area
            </th>
            {['Read', 'Write'].map((right) => (
              <th key={right} scope="col" className="w-16 py-1.5 font-medium">
                {right}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {areas.map(({ area, name, about }) => (
            <tr key={area}>
              <th scope="row" className="py-1.5 pe-2 text-start font-normal">
                <span className="font-medium">{name}</span>
                <span className="block text-note text-muted">{about}</span>
              </th>
              {(['read', 'write'] as const).map((right) => {
                const scope = `${area}:${right}` as const;
                const isChosen = scopes.includes(scope);
                const others = scopes.filter((other) => other !== scope);
                return (
                  <td key={right} className="text-center">
                    {/* The whole cell is clickable, because a checkbox alone is small for a finger. */}
                    <label className="inline-flex size-10 items-center justify-center rounded-md hover:bg-hover">
                      <span className="sr-only">{`${name}: ${right}`}</span>
                      <input
                        type="checkbox"
                        className="size-4 accent-accent-strong"
                        checked={isChosen}
                        onChange={() => onChange(isChosen ? others : [...scopes, scope])}
                      />
                    </label>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {error && (
        <p id={id} className="text-note text-danger">
          {error}
        </p>
      )}
    </fieldset>
  );
}
