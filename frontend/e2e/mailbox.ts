import { expect } from '@playwright/test';
import { eventually } from './checks';
import { platform } from './platform';

/** A mail that the sandbox received. */
export interface Mail {
  subject: string;
  text: string;
}

/** All mails to an address. */
export async function allMailsTo(to: string): Promise<Mail[]> {
  const response = await fetch(`${platform().mail}/api/messages?to=${encodeURIComponent(to)}`);
  const { messages } = (await response.json()) as { messages: Mail[] };
  return messages;
}

/**
 * Waits until an address has so many mails, or so many with this subject; fails if there are more. Mails that confirm an
 * address do not count.
 */
export async function theMailsTo(to: string, count: number, subject?: string): Promise<Mail[]> {
  let got: Mail[] = [];
  await eventually(
    async () =>
      (got = (await allMailsTo(to)).filter(
        ({ text, subject: about }) =>
          !text.includes('/verify-email/') && (!subject || about.includes(subject)),
      )),
    (found) => expect(found).toHaveLength(count),
  );
  return got;
}

/** Waits for the only mail to an address, or the only one with this subject, as theMailsTo does. */
export async function theMailTo(to: string, subject?: string): Promise<Mail> {
  const [mail] = await theMailsTo(to, 1, subject);
  if (!mail) throw new Error(`No mail to ${to}.`);
  return mail;
}

/** The path and fragment of a mail's first link on a line that matches, or below one. */
export function linkIn({ text }: Mail, line: RegExp): string {
  const lines = text.split(/\r?\n/);
  const at = lines.findIndex((one) => line.test(one));
  const address = lines.slice(at, at + 2).find((one) => one.startsWith('http'));
  if (at < 0 || !address) throw new Error(`No link at ${String(line)} in\n${text}`);
  const { pathname, hash } = new URL(address);
  return pathname + hash;
}

/** A unique email address. */
export function newAddress(name: string): string {
  return `${name}.${process.pid}.${Date.now().toString(36)}@posti.example`;
}
