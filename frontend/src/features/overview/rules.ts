import type { ContentExperiment, OverviewDay, OverviewPace } from '../../api/editing';

/**
 * What the pace means. enough: the days measured brought at least 15 % more than is needed · justEnough: as much as is
 * needed · tooSlow: less · quiet: nothing · firstDay: no day is over yet.
 */
export type PaceConclusion = 'enough' | 'justEnough' | 'tooSlow' | 'quiet' | 'firstDay';

export function concludePace({ needed_a_day, recent_a_day, recent_days }: OverviewPace): PaceConclusion {
  if (recent_days === 0) return 'firstDay';
  if (recent_a_day <= 0) return 'quiet';
  if (recent_a_day < needed_a_day) return 'tooSlow';
  return recent_a_day < needed_a_day * 1.15 ? 'justEnough' : 'enough';
}

/** The days on which a pace is measured are called a week. */
export const isWeek = ({ recent_days }: OverviewPace) => recent_days >= 7;

/** What a comparison shows so far. missing: payments that are still needed · percent: the probability, rounded down. */
export type Verdict =
  { kind: 'tooEarly'; missing: number } | { kind: 'leaning' | 'clear'; letter: string; percent: number };

export function verdictOf({ missing, conclusive, variations }: ContentExperiment): Verdict {
  const [best] = [...variations].sort((a, b) => (b.best ?? 0) - (a.best ?? 0));
  if (missing > 0 || best?.best === undefined) return { kind: 'tooEarly', missing };
  // Rounded up, 94.7 would look like the 95 at which it is certain enough.
  const percent = Math.min(99, Math.floor(best.best * 100));
  return { kind: conclusive ? 'clear' : 'leaning', letter: best.letter, percent };
}

/** By day, or everything up to that day. */
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

/** The lines of an axis from zero to at least `most`: three steps of 1, 2 or 5 times a power of ten, or six of them. */
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

const names: Readonly<Record<string, string>> = {
  facebook: 'Facebook',
  instagram: 'Instagram',
  whatsapp: 'WhatsApp',
  telegram: 'Telegram',
  linkedin: 'LinkedIn',
  x: 'X',
  youtube: 'YouTube',
  google: 'Google',
  bing: 'Bing',
  duckduckgo: 'DuckDuckGo',
};

export type SourceName =
  | { key: 'unknown' | 'home' | 'list' | 'letter' | 'link' | 'embed' }
  | { key: 'search' | 'name'; name: string };

/** How a source is called; its forms are those of VisitSource in the contract. */
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
