import { expect, type Page } from '@playwright/test';
import { eventually } from './checks';
import type { Person } from './paying';

const maxPresses = 150;

/** Waits until the element with this name has the focus. */
export async function expectFocus(page: Page, name: string) {
  await eventually(
    () => focused(page),
    (here) => expect(here).toBe(name),
  );
}

/** Presses Tab until the element with this name has the focus. Every stop on the way must have a visible focus. */
export async function tabTo(page: Page, name: string) {
  await pressUntil(page, name, 'Tab');
}

/** Like tabTo, backwards. */
export async function shiftTabTo(page: Page, name: string) {
  await pressUntil(page, name, 'Shift+Tab');
}

async function pressUntil(page: Page, name: string, key: string) {
  const passed: string[] = [];
  for (let press = 0; press < maxPresses; press += 1) {
    const here = await focused(page);
    if (here === name) return;
    passed.push(here);
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach “${name}”. It passed: ${passed.join(' | ')}`);
}

/** The name of the focused element, in the page or in an iframe. Fails if its focus is not visible. */
export async function focused(page: Page): Promise<string> {
  for (const frame of page.frames()) {
    const found = await frame.evaluate(() => {
      const host = document.activeElement;
      const element = host?.shadowRoot?.activeElement ?? host; // the widget's own, in it
      if (!element || element === document.body || element instanceof HTMLIFrameElement) return undefined;
      if (!document.hasFocus()) return undefined;
      const isField =
        element instanceof HTMLInputElement ||
        element instanceof HTMLTextAreaElement ||
        element instanceof HTMLSelectElement;
      const labels = isField ? [...(element.labels ?? [])] : [];
      // The label of an OptionRow also contains the price; its first line is the name.
      const words = labels.map((label) => label.innerText.trim().split('\n')[0]).join(' ');
      const name = element.getAttribute('aria-label') ?? (words || (element as HTMLElement).innerText.trim());
      // Headings are focused by the page, to be read out; nobody can tab to them.
      const isHeading = element.matches('h1, h2[tabindex="-1"], main');
      // The focus style may be on the control itself or on the row or field around it.
      const holders = [element, ...labels];
      for (let at = element.parentElement, up = 0; at && up < 3; at = at.parentElement, up += 1)
        holders.push(at);
      // The rich text editor shows its focus by a solid outline of the group around it.
      const part = element.matches('[contenteditable]') && element.closest('[role=group]');
      const isMarkedPart = part && getComputedStyle(part).outlineStyle === 'solid';
      const isVisible = holders.some((holder) => {
        // The link of a CardTitle has its outline on ::after, around the whole card.
        return [null, '::before', '::after'].some((part) => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(holder, part);
          return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
        });
      });
      return { name: name.replace(/\s+/g, ' '), isVisible: isVisible || isHeading || isMarkedPart };
    });
    if (!found) continue;
    if (!found.isVisible) throw new Error(`The focus on “${found.name}” cannot be seen.`);
    return found.name;
  }
  return '';
}

/** Tabs to a field and replaces its value. */
export async function typeInto(page: Page, name: string, text: string) {
  await tabTo(page, name);
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText(text);
}

/** Tabs to a control and presses a key on it. */
export async function pressOn(page: Page, name: string, key: 'Enter' | 'Space' = 'Enter') {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/**
 * Tabs to a date field and types a day (YYYY-MM-DD). The browser's locale decides whether the month or the day comes
 * first; with a day after the twelfth the wrong order is no valid date, and the other one is tried.
 */
export async function typeDay(page: Page, name: string, day: string) {
  const [year = '', month = '', date = ''] = day.split('-');
  await tabTo(page, name);
  const field = page.getByLabel(name);
  await page.keyboard.type(`${month}${date}${year}`);
  if ((await field.inputValue()) !== day) {
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type(`${date}${month}${year}`);
  }
  expect(await field.inputValue()).toBe(day);
}

/** Types the backer's email and name, and the card's data, whose fields are in the provider's iframe. */
export async function typeWhoAndCard(page: Page, { email, first, last }: Person, card: string) {
  await typeInto(page, 'Sähköposti', email);
  await typeInto(page, 'Etunimi', first);
  await typeInto(page, 'Sukunimi', last);
  // Nothing is chosen beforehand: the first way to pay is the card.
  await tabTo(page, 'Kortti');
  await page.keyboard.press('Space');
  await tabTo(page, 'Kortin numero');
  await page.keyboard.type(card);
  await page.keyboard.press('Tab');
  await page.keyboard.type('1230');
  await page.keyboard.press('Tab');
  await page.keyboard.type('123');
}
