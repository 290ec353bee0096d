import type { Locator, Page } from 'playwright-core';

/** The button of a select or a day field, by its label. It also says what is chosen. */
export function fieldOf(scope: Page | Locator, label: string): Locator {
  return scope.getByRole('button', { name: new RegExp(`^${label}: `) });
}

/** Opens a select and chooses what is called so. */
export async function chooseOption(field: Locator, name: string | RegExp): Promise<void> {
  await field.click();
  const open = field.page().locator('[data-picker]');
  await open.getByRole('listbox').waitFor();
  // Of a long list, only the beginning is drawn.
  if (typeof name === 'string') await open.getByRole('combobox').fill(name);
  await open.getByRole('option', { name, exact: true }).click();
  await open.waitFor({ state: 'detached' });
}

/** Opens a day field and types a day, such as `2027-01-31` or "tomorrow". */
export async function chooseDay(field: Locator, day: string): Promise<void> {
  await field.click();
  const words = field.page().locator('[data-picker]').getByRole('combobox');
  await words.fill(day);
  await words.press('Enter');
  await words.waitFor({ state: 'detached' });
}
