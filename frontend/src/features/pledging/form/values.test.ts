import { draftOf } from './draft';
import { initialValues, type PledgeValues } from './values';

test('a draft keeps what is typed and the answers, no passwords or account numbers, and no field that nobody has decided about', () => {
  const typed = {
    ...initialValues([], null, undefined),
    email: 'aino@example.fi',
    password: 'salasana',
    password_again: 'salasana',
    question_7_size: 'M',
    method: 'bank' as const,
    bank_owner: 'Aino Aalto',
    bank_iban: 'FI21 1234 5600 0007 85',
    bank_account: 'acc_1',
    kept_card: 'card_1',
    iban: 'FI21 1234 5600 0007 85',
  } satisfies PledgeValues & { iban: string };
  const draft = draftOf(typed, undefined);
  expect(draft).toMatchObject({
    email: 'aino@example.fi',
    question_7_size: 'M',
    method: 'bank',
    bank_owner: 'Aino Aalto',
  });
  expect(Object.keys(draft)).not.toEqual(expect.arrayContaining(['password']));
  expect(JSON.stringify(draft)).not.toMatch(/salasana|FI21|acc_1|card_1/);
});
