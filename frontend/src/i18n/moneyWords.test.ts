import { aCampaign } from '../../test/builders';
import type { Campaign } from '../api/content';
import { languages } from '../domain/languages';
import { changeLanguage, makeI18n } from '.';
import { moneyWords } from './moneyWords';

const raised = {
  'far from it': { funding_reached: 9_000 },
  'settling would reach it': { funding_reached: 11_990, funding_settling: 500 },
  'the least goal is there': { funding_reached: 12_000 },
  'all of it is there': { funding_reached: 24_000 },
  'there, but hidden': { funding_reached: 0, hide_funding_amount: true },
} satisfies Record<string, Partial<Campaign>>;
type Raised = keyof typeof raised;

const stages = { open: 2, succeeded: 3, notReached: 4, closed: 5 } as const;
type Stage = keyof typeof stages;

/** What becomes of the money. */
function fateOf(rule: Campaign['funding_rule'], stage: Stage, sum: Raised): string {
  if (rule === 'keep_what_is_raised') return 'kept';
  if (stage === 'closed') return 'closed';
  if (stage === 'notReached') return 'returned';
  if (stage === 'succeeded') return 'reached';
  return sum === 'the least goal is there' || sum === 'all of it is there' ? 'reached' : 'open';
}

const table = (['all_or_nothing', 'keep_what_is_raised'] as const).flatMap((rule) =>
  (Object.keys(stages) as Stage[]).flatMap((stage) =>
    (Object.keys(raised) as Raised[]).flatMap((sum) =>
      [true, false].map((hasReward) => ({ rule, stage, sum, hasReward })),
    ),
  ),
);

// Parts of words, so that no inflection escapes.
const lies = {
  fi: {
    comesBack: /palautuu|takaisin/i,
    isThere: /on koossa|on jo koossa|täyttyi(?!si)/,
    reward: /vastik/i,
    all: /lyhentäm/,
  },
  en: {
    comesBack: /return|back/i,
    isThere: /already there|was reached/,
    reward: /reward/i,
    all: /in full|undivided/,
  },
  sv: { comesBack: /återgår|tillbaka/i, isThere: /redan ihop|nåddes/, reward: /belöning/i, all: /oavkortat/ },
};

describe.each(languages)('in %s', (language) => {
  const i18n = makeI18n();
  beforeAll(() => changeLanguage(i18n, language));
  const words = (rule: Campaign['funding_rule'], stage: Stage, sum: Raised, hasReward: boolean) =>
    moneyWords(aCampaign({ funding_rule: rule, stage: stages[stage], min_goal: 12_000, ...raised[sum] }), {
      t: i18n.t,
      language,
      hasReward,
    });

  test.each(table)('$rule, $stage, $sum, with a reward: $hasReward', ({ rule, stage, sum, hasReward }) => {
    const said = words(rule, stage, sum, hasReward);
    const fate = fateOf(rule, stage, sum);
    expect(said.fate).toBe(fate);
    const all = [said.charge, said.atEnd, said.receipt, said.missed?.('45 €'), i18n.t(said.terms)]
      .filter(Boolean)
      .join(' ');
    const lie = lies[language];
    if (fate === 'open') {
      for (const text of [said.charge, said.receipt, said.missed?.('45 €')])
        expect(text).toMatch(lie.comesBack);
    } else {
      expect(said.missed).toBeUndefined();
    }
    if (fate === 'kept' || fate === 'reached' || fate === 'closed') expect(all).not.toMatch(lie.comesBack);
    if (fate === 'open' || fate === 'kept') expect(all).not.toMatch(lie.isThere);
    if (!hasReward) expect(all).not.toMatch(lie.reward);
    else expect(all).toMatch(lie.reward);
    expect(all).not.toMatch(lie.all);
  });

  test('a campaign that has ended tells what became of the money, and says reached only of what was', () => {
    const lie = lies[language];
    const ended = (rule: Campaign['funding_rule'], stage: Stage, sum: Raised) =>
      words(rule, stage, sum, true).ended;
    expect(ended('all_or_nothing', 'succeeded', 'all of it is there')).toMatch(lie.isThere);
    expect(ended('all_or_nothing', 'notReached', 'far from it')).toMatch(lie.comesBack);
    expect(ended('keep_what_is_raised', 'succeeded', 'far from it')).not.toMatch(lie.isThere);
    expect(ended('keep_what_is_raised', 'succeeded', 'there, but hidden')).not.toMatch(lie.isThere);
    expect(ended('keep_what_is_raised', 'succeeded', 'all of it is there')).toMatch(lie.isThere);
    expect(ended('keep_what_is_raised', 'closed', 'far from it')).toBe(
      ended('all_or_nothing', 'closed', 'far from it'),
    );
    expect(ended('keep_what_is_raised', 'notReached', 'far from it')).not.toMatch(lie.comesBack);
  });
});

test('the goal that is named is the one that decides', async () => {
  const i18n = makeI18n();
  await changeLanguage(i18n, 'en');
  const say = (min_goal: number) =>
    moneyWords(aCampaign({ min_goal, funding_reached: 1 }), { t: i18n.t, language: 'en', hasReward: false });
  expect(say(12_000).receipt).toBe('Returns if €12,000 is not reached by 26 Nov.');
  expect(say(0).charge).toBe('You are charged now. If €24,000 is not reached, you get it all back.');
});
