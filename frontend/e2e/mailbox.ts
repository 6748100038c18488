import { eventually } from './checks';
import { platform } from './platform';

/** A mail that the sandbox received. */
export interface Mail {
  subject: string;
  text: string;
}

async function mails(to: string): Promise<Mail[]> {
  const response = await fetch(`${platform().mail}/api/messages?to=${encodeURIComponent(to)}`);
  const { messages } = (await response.json()) as { messages: Mail[] };
  return messages.filter(({ text }) => !text.includes('/verify-email/'));
}

/**
 * Waits for the only mail to an address, or the only one with this subject; fails if there are more. Mails that
 * confirm an address do not count.
 */
export async function theMailTo(to: string, subject?: string): Promise<Mail> {
  let got: Mail[] = [];
  await eventually(
    async () => (got = (await mails(to)).filter((mail) => !subject || mail.subject.includes(subject))),
    (found) => expect(found).toHaveLength(1),
  );
  const [mail] = got;
  if (!mail) throw new Error(`No mail to ${to}.`);
  return mail;
}

/** A unique email address. */
export function newAddress(name: string): string {
  return `${name}.${process.pid}.${Date.now().toString(36)}@posti.example`;
}
