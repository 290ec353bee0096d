import type { Page } from 'playwright-core';
import type { Atrium, Task } from '../../../sdk-js/src/index.ts';
import { createRoom } from './room.ts';

interface Board {
  slug: string;
  projectId: string;
  path: string;
}

export async function createBoard(
  client: Atrium,
  tasks: [string, Task['status']][],
): Promise<Board> {
  const { slug, projectId } = await createRoom(client, 'Board');
  for (const [title, status] of tasks) await client.tasks.create(projectId, { title, status });
  return { slug, projectId, path: `/p/${slug}/tasks/board` };
}

export const column = (page: Page, name: string) => page.getByRole('region', { name, exact: true });
export const card = (page: Page, title: string) =>
  page.locator('[data-card]').filter({ hasText: title });

export function titlesIn(page: Page, name: string): Promise<string[]> {
  return column(page, name).locator('[data-card] a').allTextContents();
}

export async function storedTitles(client: Atrium, projectId: string, status: Task['status']) {
  const { items } = await client.tasks.list(projectId, { status: [status], limit: 100 });
  return items.map(({ title }) => title);
}

export async function boxOf(page: Page, title: string) {
  const box = await card(page, title).boundingBox();
  if (!box) throw new Error(`no card ${title}`);
  return box;
}

/** Drags with the mouse to just above or below another card, and holds it there. */
export async function drag(page: Page, from: string, to: string, side: 'above' | 'below') {
  const start = await boxOf(page, from);
  const end = await boxOf(page, to);
  await page.mouse.move(start.x + start.width / 2, start.y + 12);
  await page.mouse.down();
  await page.mouse.move(end.x + 60, end.y + (side === 'above' ? 4 : end.height), { steps: 8 });
}
