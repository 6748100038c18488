import { eventually } from './checks';
import { platform } from './platform';

export interface Mail {
  subject: string;
  text: string;
}

async function mails(to: string): Promise<Mail[]> {
  const response = await fetch(`${platform().mail}/api/messages?to=${encodeURIComponent(to)}`);
  const { messages } = (await response.json()) as { messages: Mail[] };
  return messages.filter(({ text }) => !text.includes('/verify-email/'));
}

/** The one mail about money that somebody got; waits for it, and fails when there is another. */
export async function theMailTo(to: string): Promise<Mail> {
  let got: Mail[] = [];
  await eventually(
    async () => (got = await mails(to)),
    (found) => expect(found).toHaveLength(1),
  );
  const [mail] = got;
  if (!mail) throw new Error(`No mail to ${to}.`);
  return mail;
}

/** An address that nobody else in this run has. */
export function newAddress(name: string): string {
  return `${name}.${process.pid}.${Date.now().toString(36)}@posti.example`;
}
