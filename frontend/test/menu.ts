import { screen, within } from '@testing-library/react';
import type { aPointer } from './pointer';

type Pointer = ReturnType<typeof aPointer>;

/** Opens the menu below the reader's face; the page is in English or Finnish. */
export async function openMenu(pointer: Pointer) {
  await pointer.click(await screen.findByRole('button', { name: /., (Menu|Valikko)$/ }));
  return within(await screen.findByRole('menu'));
}

/** Presses "Sign out" in the menu. */
export async function pressSignOut(pointer: Pointer) {
  const menu = await openMenu(pointer);
  await pointer.click(menu.getByRole('menuitem', { name: /^(Sign out|Kirjaudu ulos)$/ }));
}
