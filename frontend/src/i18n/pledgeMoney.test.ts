import { anOwnPledge, aPreview } from '../../test/builders';
import { now } from '../../test/clock';
import { loadAllTexts } from '../../test/texts';
import type { OwnPledge } from '../api/own';
import { languages, type Language } from '../domain/languages';
import { makeI18n } from '.';
import { formatMoney } from './format';
import { moneyTexts } from './moneyTexts';
import { pledgeMoney } from './pledgeMoney';

const day = '2026-11-20T11:04:00Z';

interface Case {
  name: string;
  pledge: Partial<OwnPledge>;
  /** The states of the stops, by their first letters. */
  line: string;
  /** The texts say that the money is held. */
  isHeld: boolean;
  isWithUs: boolean;
}

const unpaid = { paid_at: undefined, charged_at: undefined, receipt_number: undefined };
const cases: Case[] = [
  {
    name: 'promised',
    pledge: { ...unpaid, status: 'created' },
    line: 'naaaa',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'a payment has begun',
    pledge: { ...unpaid, status: 'awaiting_payment' },
    line: 'naaaa',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'the bank confirms',
    pledge: { ...unpaid, charged_at: day, status: 'processing' },
    line: 'ppnaa',
    isHeld: false,
    isWithUs: true,
  },
  { name: 'held', pledge: { status: 'paid' }, line: 'pppna', isHeld: true, isWithUs: true },
  {
    name: 'a part returned',
    pledge: { status: 'partly_refunded', amount_refunded: 10, refunded_at: day },
    line: 'pppna',
    isHeld: true,
    isWithUs: true,
  },
  {
    name: 'the creator’s',
    pledge: { status: 'paid', campaign: aPreview({ stage: 3 }) },
    line: 'ppppn',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'the creator’s though the goal was missed',
    pledge: { status: 'paid', campaign: aPreview({ stage: 4 }), funding_rule: 'keep_what_is_raised' },
    line: 'ppppn',
    isHeld: false,
    isWithUs: false,
  },
  { name: 'contested', pledge: { status: 'disputed' }, line: 'pppna', isHeld: false, isWithUs: false },
  {
    name: 'a bank has all of it',
    pledge: { status: 'disputed', amount_contested: 45 },
    line: 'pppna',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'a bank has some of it',
    pledge: { status: 'disputed', amount_contested: 20 },
    line: 'pppna',
    isHeld: true,
    isWithUs: false,
  },
  {
    name: 'a bank has some of what is the creator’s',
    pledge: { status: 'disputed', amount_contested: 20, campaign: aPreview({ stage: 3 }) },
    line: 'pppna',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'a bank has all that did not go back',
    pledge: { status: 'disputed', amount_contested: 20, amount_refunded: 25 },
    line: 'pppna',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'returned',
    pledge: { status: 'refunded', amount_refunded: 45, refunded_at: day },
    line: 'ppppr',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'returned without having been accepted',
    pledge: {
      ...unpaid,
      status: 'refunded',
      amount_refunded: 45,
      refunded_at: day,
      refund_reason: 'reward_gone',
    },
    line: 'ppr',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'taken back',
    pledge: { status: 'withdrawn', withdrawal: { state: 'done', at: day } },
    line: 'pppra',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'taken back while the bank confirmed it',
    pledge: { ...unpaid, charged_at: day, status: 'withdrawn', withdrawal: { state: 'done', at: day } },
    line: 'ppra',
    isHeld: false,
    isWithUs: false,
  },
  {
    name: 'refused by the bank',
    pledge: { ...unpaid, charged_at: day, status: 'failed', failed_at: day },
    line: 'pf',
    isHeld: false,
    isWithUs: false,
  },
];

const held: Record<Language, RegExp> = { fi: /tallessa/i, en: /\bheld\b/i, sv: /i förvar/i };
const paidOut: Record<Language, RegExp> = {
  fi: /tekijällä|siirretty|tilitetty/i,
  en: /paid out|was sent to the creator/i,
  sv: /utbetalt|hos skaparen/i,
};

describe.each(languages)('in %s', (language) => {
  const i18n = makeI18n();
  beforeAll(() => loadAllTexts(i18n, language));
  const say = (pledge: OwnPledge) => pledgeMoney(pledge, { t: i18n.t, language, now });

  test.each(cases)('$name', ({ pledge, line, isHeld, isWithUs }) => {
    const said = say(anOwnPledge(pledge));
    expect(said.stops.map(({ state }) => state[0]).join('')).toBe(line);
    expect(said.isWithUs).toBe(isWithUs);
    // "Held" is said of money that is confirmed and here, and is not the creator's yet; when that is paid out is told to
    // the creator alone.
    const words = `${said.sentence} ${said.next}`;
    if (isHeld) expect(words).toMatch(held[language]);
    else expect(words).not.toMatch(held[language]);
    expect(words).not.toMatch(paidOut[language]);
    expect(said.next).not.toBe('');
  });

  test.each([
    ['disputed', 0, [20, 25]],
    ['disputed', 25, [20, 25]],
    ['withdrawn', 0, [20, 25]],
    ['withdrawn', 25, [20]],
  ] as const)('%s with %d back: what a bank has is told apart', (status, refunded, sums) => {
    const said = say(
      anOwnPledge({
        status,
        amount_contested: 20,
        amount_refunded: refunded,
        withdrawal: { state: 'done', at: day },
      }),
    );
    const words = `${said.sentence} ${said.next}`;
    const sum = (of: number) => formatMoney(language, of, { cents: true, currency: 'EUR' });
    for (const one of sums) expect(words.split(sum(one))).toHaveLength(2);
    expect(words).not.toContain(sum(45));
    expect(words).not.toMatch(/(^|\D)0[.,]00/);
  });

  test.each(['disputed', 'withdrawn'] as const)(
    '%s: what a bank has and what is back are all, to the cent',
    (status) => {
      const back = { amount: 10.74, amount_refunded: 8.61, amount_contested: 2.13 }; // in euros they leave a remainder
      const said = say(anOwnPledge({ status, ...back, withdrawal: { state: 'done', at: day } }));
      expect(`${said.sentence} ${said.next}`).not.toMatch(/(^|\D)0[.,]00/);
      expect(said.stops.at(-1)?.when).toBe('');
    },
  );

  test.each([2, 3, 4, 5])('paid money in stage %d has the rule of the receipt', (stage) => {
    for (const rule of ['all_or_nothing', 'keep_what_is_raised'] as const) {
      const pledge = anOwnPledge({ campaign: aPreview({ stage }), funding_rule: rule });
      const { receipt, outcome } = moneyTexts(
        { ...pledge.campaign, funding_rule: rule },
        { t: i18n.t, language, hasReward: true },
      );
      const said = say(pledge);
      expect(said.next).toBe(receipt);
      expect(said.stops.at(-1)?.name).toBe(
        i18n.t(outcome === 'returned' ? 'myPledges.stop.returns' : 'myPledges.stop.paidOut'),
      );
      const isCreators = stage === 3 || (stage === 4 && rule === 'keep_what_is_raised');
      expect(said.stops.at(-1)?.state).toBe(isCreators ? 'now' : 'ahead');
    }
  });

  test('past stops keep their days after a return, and an ended campaign has no day ahead', () => {
    const said = say(anOwnPledge({ status: 'refunded', refunded_at: '2026-11-21T10:00:00Z' }));
    expect(said.stops.filter(({ when }) => when)).toHaveLength(4);
    const ended = say(anOwnPledge({ campaign: aPreview({ stage: 3 }) }));
    expect(ended.stops.slice(3).map(({ when }) => when)).toEqual(['', '']);
  });
});
