import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

const root = path.resolve(__dirname, '../..');
const fromRoot = (file: string) => path.relative(root, file);

/** Ends a red run with what one needs to know first: each journey that failed, why, where it says so, and how to repeat it. */
export default class Ending implements Reporter {
  private readonly red: string[] = [];

  onTestEnd({ title, location }: TestCase, { status, errors, attachments }: TestResult) {
    if (status === 'passed' || status === 'skipped') return;
    const { line, file } = errors[0]?.location ?? location;
    const message = stripVTControlCharacters(errors.map((error) => error.message ?? error.value).join('\n'));
    this.red.push(
      [
        `FAILED: ${title}`,
        ...message.split('\n').slice(0, 12),
        `at ${fromRoot(file)}:${line}`,
        ...attachments.flatMap(({ name, path: at }) => (at ? [`${name}: ${fromRoot(at)}`] : [])),
        `Alone: make journeys ONLY='${title}'`,
      ].join('\n  '),
    );
  }

  onEnd() {
    if (this.red.length > 0) process.stdout.write(`\n${this.red.join('\n\n')}\n`);
  }
}
