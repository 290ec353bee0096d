import { memo, useId } from 'react';
import { TONES } from '../../../../server/src/text/emoji/emoji.ts';

const NAMES = ['light', 'medium-light', 'medium', 'medium-dark', 'dark'];
const CHOICES = [
  { tone: '', name: 'No skin tone' },
  ...TONES.map((tone, at) => ({ tone, name: `${NAMES[at]} skin tone` })),
];

interface TonePickerProps {
  tone: string;
  onChoose: (tone: string) => void;
}

/** Radio buttons, each shown as a hand in its tone. */
export const TonePicker = memo(function TonePicker({ tone, onChoose }: TonePickerProps) {
  const id = useId();
  return (
    <fieldset className="flex shrink-0">
      <legend className="sr-only">Skin tone</legend>
      {CHOICES.map((choice) => (
        <label
          key={choice.tone}
          data-tooltip={choice.name}
          className="flex size-7 cursor-pointer items-center justify-center rounded-md text-lg leading-none hover:bg-hover has-checked:bg-accent-soft has-checked:ring-1 has-checked:ring-accent has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name={id}
            className="sr-only"
            aria-label={choice.name}
            checked={tone === choice.tone}
            onChange={() => onChoose(choice.tone)}
          />
          <span aria-hidden className="font-emoji">
            ✋{choice.tone}
          </span>
        </label>
      ))}
    </fieldset>
  );
});
