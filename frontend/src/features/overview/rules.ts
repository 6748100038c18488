import type { KnownSource } from '../../api/visitor';
import type {
  ContentExperiment,
  OverviewDay,
  OverviewMonthly,
  OverviewNextMonth,
  OverviewPace,
  SubscriptionGoal,
} from '../../api/editing';
import { fromCents, toCents } from '../../domain/amounts';

/**
 * Whether the pace is enough. enough: the measured days brought at least 15 % more than is needed · justEnough: at
 * least as much as is needed · tooSlow: less · quiet: nothing · firstDay: no day is complete yet.
 */
export type PaceConclusion = 'enough' | 'justEnough' | 'tooSlow' | 'quiet' | 'firstDay';

/** Compares the pace of the last days with the pace that is needed. */
export function concludePace({ needed_a_day, recent_a_day, recent_days }: OverviewPace): PaceConclusion {
  if (recent_days === 0) return 'firstDay';
  if (recent_a_day <= 0) return 'quiet';
  if (recent_a_day < needed_a_day) return 'tooSlow';
  return recent_a_day < needed_a_day * 1.15 ? 'justEnough' : 'enough';
}

/** Whether the pace was measured on a whole week, so that texts can say "last week". */
export const isWeek = ({ recent_days }: OverviewPace) => recent_days >= 7;

/**
 * What an A/B test shows so far. missing: payments that are still needed · percent: the probability that the variation
 * is the best, rounded down, at most 99.
 */
export type Verdict =
  { kind: 'tooEarly'; missing: number } | { kind: 'leaning' | 'clear'; letter: string; percent: number };

/** The verdict on the variation that leads. */
export function verdictOf({ missing, conclusive, variations }: ContentExperiment): Verdict {
  const [best] = [...variations].sort((a, b) => (b.best ?? 0) - (a.best ?? 0));
  if (missing > 0 || best?.best === undefined) return { kind: 'tooEarly', missing };
  // Rounded down, because 94.7 must not look like the 95 from which a result counts as certain.
  const percent = Math.min(99, Math.floor(best.best * 100));
  return { kind: conclusive ? 'clear' : 'leaning', letter: best.letter, percent };
}

/** Whether a bar is the money of its day, or all money up to that day. */
export type ChartMode = 'day' | 'total';

/** The chart's bars, which are also the rows of its table: one for each day, in the major unit. */
export function barsOf(days: readonly OverviewDay[], mode: ChartMode): OverviewDay[] {
  if (mode === 'day') return [...days];
  let [amount, settling, backers] = [0, 0, 0];
  return days.map((day) => {
    amount += day.amount;
    settling += day.settling;
    backers += day.backers;
    return { ...day, amount, settling, backers };
  });
}

/**
 * The values of an axis: 0 and three equal steps, the smallest of 1, 2, 5, 6, 8 or 10 times a power of ten with which
 * it reaches `most`. A step is at least 1.
 */
export function axisOf(most: number): number[] {
  const power = 10 ** Math.floor(Math.log10(Math.max(most, 3) / 3));
  const step = [1, 2, 5, 6, 8, 10].map((times) => times * power).find((one) => one * 3 >= most) ?? 10 * power;
  return [0, step, 2 * step, 3 * step];
}

const dayLength = 24 * 3_600_000;

/** The number of days from one day to another, both YYYY-MM-DD. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayLength);
}

const known: Readonly<Record<KnownSource, string>> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  linkedin: 'LinkedIn',
  twitter: 'X',
  tiktok: 'TikTok',
  reddit: 'Reddit',
  youtube: 'YouTube',
  google: 'Google',
  bing: 'Bing',
  duckduckgo: 'DuckDuckGo',
  ecosia: 'Ecosia',
  yahoo: 'Yahoo',
};
const names: Readonly<Record<string, string>> = known;

/** The text key of a source, with the name that the text contains. */
export type SourceName =
  | { key: 'unknown' | 'home' | 'list' | 'letter' | 'link' | 'embed' }
  | { key: 'search' | 'name'; name: string };

/** The name of a source, which is a VisitSource of the contract. */
export function sourceName(source: string): SourceName {
  const [kind = '', name = ''] = source.split(':', 2);
  switch (kind) {
    case 'home':
    case 'list':
    case 'letter':
    case 'link':
    case 'embed':
      return { key: kind };
    case 'search':
      return { key: 'search', name: names[name] ?? name };
    case 'social':
    case 'site':
      return { key: 'name', name: names[name] ?? name };
    default:
      return { key: 'unknown' };
  }
}

/** What a chart of months shows: the money a month, or who came and went. */
export type MonthMode = 'money' | 'people';

/** Next month's money, in the major unit: what is sure, and what fails unless somebody acts. Who pauses or ends is in neither. */
export function planOf({ amount, unsure }: OverviewNextMonth): { sure: number; atRisk: number } {
  const atRisk = unsure.filter(({ reason }) => reason !== 'paused' && reason !== 'ending');
  return { sure: amount, atRisk: fromCents(atRisk.reduce((sum, one) => sum + toCents(one.amount), 0)) };
}

/**
 * Where a goal of monthly support stands. kept: reached, also by next month's sure supporters · shaky: reached, but not by
 * those · missing: not reached.
 */
export type GoalState = 'kept' | 'shaky' | 'missing';

/** The goals in the order of their targets, each with its state. */
export function goalStates({
  goals,
  supporters,
  next_month,
}: OverviewMonthly): (SubscriptionGoal & { state: GoalState })[] {
  const inOrder = [...goals].sort((a, b) => a.target - b.target);
  return inOrder.map((goal) => {
    if (goal.target > supporters) return { ...goal, state: 'missing' };
    return { ...goal, state: goal.target <= next_month.supporters ? 'kept' : 'shaky' };
  });
}
