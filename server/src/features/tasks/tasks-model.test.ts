import { expect, it } from 'vitest';
import { randomFrom } from '../../../test/harness/random.ts';
import { useTaskStage } from '../../../test/harness/stages/task-stage.ts';

const STATUSES = ['PROPOSED', 'TODO', 'DONE'] as const;
type Status = (typeof STATUSES)[number];
const STEPS = 80;

const { server, stage, create, changed, list } = useTaskStage();

/** A board in plain arrays. Archived tasks keep their place. */
class NaiveBoard {
  readonly columns: Record<Status, string[]> = { PROPOSED: [], TODO: [], DONE: [] };
  readonly archived = new Set<string>();

  put(id: string, status: Status, after: string | null | undefined): void {
    for (const column of Object.values(this.columns)) {
      if (column.includes(id)) column.splice(column.indexOf(id), 1);
    }
    const column = this.columns[status];
    const at = after === undefined ? column.length : after === null ? 0 : column.indexOf(after) + 1;
    column.splice(at, 0, id);
  }

  statusOf(id: string): Status {
    return STATUSES.find((status) => this.columns[status].includes(id)) as Status;
  }

  live(): string[] {
    return STATUSES.flatMap((status) => this.columns[status]).filter(
      (id) => !this.archived.has(id),
    );
  }
}

it('the order of a board is what a naive model says, whatever people do to it', async () => {
  const random = randomFrom(21);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const board = new NaiveBoard();
  for (let step = 0; step < STEPS; step++) {
    const status = pick(STATUSES);
    const live = board.live();
    const task = live.length > 0 ? pick(live) : undefined;
    const others = board.columns[status].filter((id) => live.includes(id) && id !== task);
    const after = pick([undefined, null, ...(others.length > 0 ? [pick(others)] : [])]);
    const place = after === undefined ? {} : { afterTaskId: after };
    const action = random();
    if (task === undefined || action < 0.3) {
      board.put((await create({ status, ...place })).id, status, after);
    } else if (action < 0.8) {
      await changed({ id: task }, { status, ...place });
      const isHere = board.statusOf(task) === status;
      if (!isHere || after !== undefined) board.put(task, status, after);
    } else if (action < 0.9 || board.archived.size === 0) {
      await server.call('DELETE', `${stage.tasks}/${task}`, stage.org.member);
      board.archived.add(task);
    } else {
      const gone = pick([...board.archived]);
      await server.call('POST', `${stage.tasks}/${gone}/restore`, stage.org.member);
      board.archived.delete(gone);
    }
  }
  const { items } = await list('?limit=100');
  expect(items.map(({ id }: { id: string }) => id)).toEqual(board.live());
  const numbers = items.map(({ number }: { number: number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});
