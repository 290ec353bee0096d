import type { Menu } from 'radix-ui/internal';
import { createContext, use } from 'react';

/** What the items of an open menu are made of. It is a tenth of the app's code, and loaded with the first menu. */
export const MenuParts = createContext<typeof Menu | undefined>(undefined);

export function useMenuParts(): typeof Menu {
  const parts = use(MenuParts);
  if (!parts) throw new Error('an item needs a menu around it');
  return parts;
}
