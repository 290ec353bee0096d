import { useId } from 'react';

interface ChoiceProps<Value extends string> {
  /** What is being chosen. Read aloud before the options. */
  label: string;
  isLabelHidden?: boolean;
  /** What each value is called. */
  options: Readonly<Record<Value, string>>;
  value: Value;
  onChange: (value: Value) => void;
}

/** A few options side by side. These are native radio buttons, so that arrow keys work. */
export function Choice<Value extends string>({
  label,
  isLabelHidden = false,
  options,
  value,
  onChange,
}: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <legend className={isLabelHidden ? 'sr-only' : 'float-left text-sm text-muted'}>
        {label}
      </legend>
      <div className="inline-flex flex-wrap gap-0.5 rounded-lg border border-line bg-surface p-0.5">
        {(Object.entries(options) as [Value, string][]).map(([option, text]) => (
          <label
            key={option}
            className="relative inline-flex min-h-8 cursor-pointer items-center rounded-md px-2.5 text-note font-medium hover:bg-hover text-muted has-checked:bg-accent-soft has-checked:text-accent has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-accent"
          >
            <input
              type="radio"
              name={name}
              value={option}
              checked={option === value}
              onChange={() => onChange(option)}
              className="absolute inset-0 cursor-pointer opacity-0"
            />
            {text}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
