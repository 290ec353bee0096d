import { Button } from '../../ui/controls/button.tsx';
import type { SearchChanges } from '../../data/search-params.ts';
import { splitQuery, withoutOperator, type FindMeanings, type Operator } from './operators.ts';
import type { MessageSearch } from './search-params.ts';

interface OperatorHelpProps {
  typed: string;
  findMeanings: FindMeanings;
  onChoose: (changes: SearchChanges<MessageSearch>) => void;
}

/** What the last operator that is no filter yet can mean, to choose from. */
export function OperatorHelp({ typed, findMeanings, onChoose }: OperatorHelpProps) {
  const operator = splitQuery(typed).operators.at(-1);
  const meanings = operator ? findMeanings(operator) : [];
  return (
    <div
      role="status"
      className="flex flex-wrap items-center gap-2 text-note text-muted empty:hidden"
    >
      {operator && (
        <>
          <span>{meanings.length > 0 ? ASKS[operator.name] : nothingInWords(operator)}</span>
          {meanings.map(({ label, changes }) => (
            <Button
              key={`${label} ${JSON.stringify(changes)}`}
              size="small"
              onClick={() =>
                onChoose({ ...changes, q: withoutOperator(typed, operator) || undefined })
              }
            >
              <bdi className="max-w-60 truncate">{label}</bdi>
            </Button>
          ))}
        </>
      )}
    </div>
  );
}

const ASKS: Record<Operator['name'], string> = {
  from: 'From',
  in: 'In',
  before: 'Before',
  after: 'After',
  has: 'Has',
};

function nothingInWords({ name, value }: Operator): string {
  if (name === 'before' || name === 'after') return 'Write a day like 2026-01-31, or today.';
  if (name === 'has') return `Messages can have a link, code, a reaction or a reply.`;
  return name === 'from'
    ? `Nobody here is called “${value}”.`
    : `There is no project or session called “${value}”.`;
}
