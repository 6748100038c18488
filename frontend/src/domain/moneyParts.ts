/** What the operator's desk has below its own address. */
export const moneyParts = [
  'payments',
  'anomalies',
  'runs',
  'refunds',
  'webhooks',
  'switches',
  'balances',
  'journal',
] as const;
export type MoneyPart = (typeof moneyParts)[number];
