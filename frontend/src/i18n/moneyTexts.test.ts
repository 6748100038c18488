import receipts from '../../../proto-docs/money-words.json';
import { aCampaign } from '../../test/builders';
import { loadAllTexts } from '../../test/texts';
import type { Campaign } from '../api/content';
import { languages } from '../domain/languages';
import { makeI18n } from '.';
import { moneyTexts } from './moneyTexts';

const raised = {
  'goal not reached': { funding_reached: 9_000 },
  'reached only with unconfirmed money': { funding_reached: 11_990, funding_settling: 500 },
  'minimum goal reached': { funding_reached: 12_000 },
  'target reached': { funding_reached: 24_000 },
  'hidden sum': { funding_reached: 0, hide_funding_amount: true },
} satisfies Record<string, Partial<Campaign>>;
type Raised = keyof typeof raised;

const stages = { open: 2, succeeded: 3, notReached: 4, closed: 5 } as const;
type Stage = keyof typeof stages;

/** The expected outcome, written down independently of the code under test. */
function outcomeOf(rule: Campaign['funding_rule'], stage: Stage, sum: Raised): string {
  if (stage === 'closed') return 'closed';
  if (rule === 'keep_what_is_raised') return 'kept';
  if (stage === 'notReached') return 'returned';
  if (stage === 'succeeded') return 'reached';
  return sum === 'minimum goal reached' || sum === 'target reached' ? 'reached' : 'open';
}

const table = (['all_or_nothing', 'keep_what_is_raised'] as const).flatMap((rule) =>
  (Object.keys(stages) as Stage[]).flatMap((stage) =>
    (Object.keys(raised) as Raised[]).flatMap((sum) =>
      [true, false].map((hasReward) => ({ rule, stage, sum, hasReward })),
    ),
  ),
);

// Claims about the money that are false in some cases. Word stems, to match all inflections.
const claims = {
  fi: {
    comesBack: /palautuu|palaa|takaisin/i,
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
  beforeAll(() => loadAllTexts(i18n, language));
  const words = (rule: Campaign['funding_rule'], stage: Stage, sum: Raised, hasReward: boolean) =>
    moneyTexts(aCampaign({ funding_rule: rule, stage: stages[stage], min_goal: 12_000, ...raised[sum] }), {
      t: i18n.t,
      language,
      hasReward,
    });

  test.each(table)('$rule, $stage, $sum, with a reward: $hasReward', ({ rule, stage, sum, hasReward }) => {
    const said = words(rule, stage, sum, hasReward);
    const outcome = outcomeOf(rule, stage, sum);
    expect(said.outcome).toBe(outcome);
    const all = [said.charge, said.atEnd, said.receipt, said.missed?.('45 €'), i18n.t(said.terms)]
      .filter(Boolean)
      .join(' ');
    const claim = claims[language];
    if (outcome === 'open') {
      for (const text of [said.charge, said.receipt, said.missed?.('45 €')])
        expect(text).toMatch(claim.comesBack);
    } else {
      expect(said.missed).toBeUndefined();
    }
    if (outcome === 'kept' || outcome === 'reached' || outcome === 'closed')
      expect(all).not.toMatch(claim.comesBack);
    if (outcome === 'open' || outcome === 'kept') expect(all).not.toMatch(claim.isThere);
    if (!hasReward) expect(all).not.toMatch(claim.reward);
    else expect(all).toMatch(claim.reward);
    expect(all).not.toMatch(claim.all);
    // The team is promised no money that may go back to the backers, and is not told that it does where it does not.
    expect(claim.comesBack.test(said.creator())).toBe(['open', 'returned', 'closed'].includes(outcome));
  });

  // The test of the receipt's mail has the same table.
  test.each(receipts)('the receipt: $case', ({ receipt, ...funding }) => {
    const campaign = aCampaign({ last_day_of_funding: undefined, ...(funding as Partial<Campaign>) });
    for (const hasReward of [true, false]) {
      const said = moneyTexts(campaign, { t: i18n.t, language, hasReward }).receipt;
      expect(said.replaceAll('\u00a0', ' ')).toBe(receipt[language]);
    }
  });

  test('an ended campaign says what became of the money, and that the goal was reached only if it was', () => {
    const claim = claims[language];
    const ended = (rule: Campaign['funding_rule'], stage: Stage, sum: Raised) =>
      words(rule, stage, sum, true).ended;
    expect(ended('all_or_nothing', 'succeeded', 'target reached')).toMatch(claim.isThere);
    expect(ended('all_or_nothing', 'notReached', 'goal not reached')).toMatch(claim.comesBack);
    expect(ended('keep_what_is_raised', 'succeeded', 'goal not reached')).not.toMatch(claim.isThere);
    expect(ended('keep_what_is_raised', 'succeeded', 'hidden sum')).not.toMatch(claim.isThere);
    expect(ended('keep_what_is_raised', 'succeeded', 'target reached')).toMatch(claim.isThere);
    expect(ended('keep_what_is_raised', 'closed', 'goal not reached')).toBe(
      ended('all_or_nothing', 'closed', 'goal not reached'),
    );
    expect(ended('keep_what_is_raised', 'notReached', 'goal not reached')).not.toMatch(claim.comesBack);
  });
});

test('the texts name the goal that decides whether the money is returned', async () => {
  const i18n = makeI18n();
  await loadAllTexts(i18n, 'en');
  const say = (min_goal: number) =>
    moneyTexts(aCampaign({ min_goal, funding_reached: 1 }), { t: i18n.t, language: 'en', hasReward: false });
  expect(say(12_000).receipt).toBe(
    'If €12,000 is not reached by 26 Nov 2026, you get it all back on the same card within 3–5 working days.',
  );
  expect(say(0).charge).toBe('You are charged now. If €24,000 is not reached, you get it all back.');
});
