import type { Topup } from '@atrium/sdk';
import { useId, useState } from 'react';
import { useWorkspace } from '../../../data/workspace.tsx';
import { Button } from '../../../ui/controls/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Form } from '../../../ui/forms/form.tsx';
import { Card, RoleNote } from '../../../ui/pages/page.tsx';
import { BillingError } from './billing-error.tsx';
import { useHostedPage } from './hosted-page.ts';
import { count, FEWEST_CREDITS, MOST_CREDITS, PACKS, priceOf, type Pack } from './plans.ts';
import { useCredits } from './queries.ts';

type Chosen = Pack | 'own';

export function TopupCard() {
  const { client, isAdmin } = useWorkspace();
  const { data: credits } = useCredits();
  const topup = useHostedPage((input: Topup) => client.billing.topup(input), credits);
  const [chosen, setChosen] = useState<Chosen>('medium');
  const [amount, setAmount] = useState('1000');
  const [problem, setProblem] = useState<string>();
  const own = Number(amount);
  function buy() {
    if (chosen !== 'own') return topup.mutate({ pack: chosen });
    if (!isSellable(own)) return setProblem(AMOUNT_RULE);
    return topup.mutate({ credits: own });
  }
  const bought = chosen === 'own' ? own : PACKS[chosen];
  return (
    <Card title="Top up" description="Credits you buy never expire. One credit costs 0.01 USD.">
      {!isAdmin && <RoleNote>Only an owner or admin can buy credits.</RoleNote>}
      {topup.error && <BillingError error={topup.error} />}
      <Form noValidate className="flex flex-col gap-4" onSubmit={buy}>
        <PackChoice chosen={chosen} disabled={!isAdmin} onChoose={setChosen} />
        {chosen === 'own' && (
          <TextField
            label="Number of credits"
            hint={AMOUNT_RULE}
            error={problem}
            inputMode="numeric"
            autoComplete="off"
            value={amount}
            disabled={!isAdmin}
            fieldClassName="max-w-60"
            onChange={({ target }) => {
              setAmount(target.value.trim());
              setProblem(undefined);
            }}
          />
        )}
        <div>
          <Button
            type="submit"
            look="primary"
            isBusy={topup.isPending}
            disabled={!isAdmin || !credits}
          >
            {isSellable(bought)
              ? `Buy ${count(bought)} credits for ${priceOf(bought)}`
              : 'Buy credits'}
          </Button>
        </div>
      </Form>
    </Card>
  );
}

const AMOUNT_RULE = `A whole number from ${count(FEWEST_CREDITS)} to ${count(MOST_CREDITS)}.`;

function isSellable(credits: number): boolean {
  return Number.isInteger(credits) && credits >= FEWEST_CREDITS && credits <= MOST_CREDITS;
}

const CHOICES: readonly (readonly [Chosen, string, string])[] = [
  ...(['small', 'medium', 'large'] as const).map(
    (pack) => [pack, `${count(PACKS[pack])} credits`, priceOf(PACKS[pack])] as const,
  ),
  ['own', 'Other amount', 'from 1 USD'],
];

interface PackChoiceProps {
  chosen: Chosen;
  disabled: boolean;
  onChoose: (chosen: Chosen) => void;
}

function PackChoice({ chosen, disabled, onChoose }: PackChoiceProps) {
  const name = useId();
  return (
    <fieldset disabled={disabled} className="grid grid-cols-1 gap-2 sm:grid-cols-2 xl:grid-cols-4">
      <legend className="sr-only">Amount</legend>
      {CHOICES.map(([choice, title, price]) => (
        <label
          key={choice}
          className="flex cursor-pointer items-center gap-3 rounded-lg border border-edge p-3 has-checked:border-accent has-checked:bg-accent-soft has-disabled:cursor-not-allowed has-disabled:opacity-60"
        >
          <input
            type="radio"
            name={name}
            checked={chosen === choice}
            onChange={() => onChoose(choice)}
            className="size-4 shrink-0 accent-accent-strong"
          />
          <span className="flex flex-col">
            <span className="font-medium tabular-nums">{title}</span>
            <span className="text-note tabular-nums">{price}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
