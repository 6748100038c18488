import type { Payout } from '../../../api/payees';
import type { Stop } from '../../../i18n/pledgeMoney';

const names = ['ended', 'counted', 'approved', 'sent', 'arrived'] as const;

/** The stops of a payout: what has been, with its day, and where the money is now. */
export function stopsOf(
  payout: Payout,
  name: (stop: (typeof names)[number]) => string,
  day: (time: string) => string,
): Stop[] {
  const first = names.findIndex((stop) => !payout[`${stop}_at`]);
  return names.map((stop, i) => {
    const at = payout[`${stop}_at`];
    return {
      name: name(stop),
      state: at ? 'passed' : i === first ? 'now' : 'ahead',
      when: at ? day(at) : '',
      ...(stop === 'arrived' && payout.stage === 'paying' && { isSettling: true }),
    };
  });
}

/** What parts are of their sum, in whole per cents that make a hundred: the largest remainders are rounded up. */
export function wholeShares(parts: readonly number[]): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  if (sum <= 0) return parts.map(() => 0);
  const exact = parts.map((part) => (part / sum) * 100);
  const shares = exact.map(Math.floor);
  const missing = 100 - shares.reduce((all, share) => all + share, 0);
  const byRemainder = exact
    .map((share, i) => ({ i, rest: share - Math.floor(share) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  for (const { i } of byRemainder.slice(0, missing)) shares[i] = (shares[i] ?? 0) + 1;
  return shares;
}
