import errors from '../../../api/errors.generated.json';
import { cardRefusals } from './failures';
import { nextSteps, nextStepOf } from './nextSteps';
import { resultReasons } from './results';

const ofTheApp = ['not_charged', 'still_closing', 'choose_account', 'no_account'];

test.each(['fi', 'en', 'sv'] as const)('every refusal of paying has a text in %s', (language) => {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = errors;
  for (const status of [...Object.keys(nextSteps), ...resultReasons]) {
    if (!ofTheApp.includes(status)) expect(texts[status]?.[language]).toMatch(/./);
  }
});

test('every refusal of a card has a step, and only what another card helps with names one', () => {
  for (const status of cardRefusals) expect(nextSteps).toHaveProperty(status);
  const says = cardRefusals.filter((one) => nextSteps[one].says === 'otherCard' || nextSteps[one].ways);
  expect(says).toEqual(['card_declined', 'insufficient_funds']);
});

test('a refusal that is not about paying adds nothing to what it says', () => {
  expect(nextStepOf({ status: 'sign_in_failed' })).toEqual({});
  expect(nextStepOf({ status: 'toString' })).toEqual({});
});
