import errors from '../../../api/errors.generated.json';
import { cardRefusals } from './failures';
import { nextSteps, nextStepOf } from './nextSteps';

const ofTheApp = ['not_charged', 'still_closing'];

test.each(['fi', 'en', 'sv'] as const)('every refusal of paying has a text in %s', (language) => {
  const texts: Readonly<Record<string, Readonly<Record<string, string>>>> = errors;
  for (const status of Object.keys(nextSteps)) {
    if (!ofTheApp.includes(status)) expect(texts[status]?.[language]).toMatch(/./);
  }
});

test('every refusal of a card has a step, and only what another card helps with names one', () => {
  for (const status of cardRefusals) expect(nextSteps).toHaveProperty(status);
  const says = Object.entries(nextSteps).filter(([, step]) => step.says === 'otherCard' || step.ways);
  expect(says.map(([status]) => status)).toEqual(['card_declined', 'insufficient_funds']);
});

test('a refusal that is not about paying adds nothing to what it says', () => {
  expect(nextStepOf('sign_in_failed')).toEqual({});
  expect(nextStepOf('toString')).toEqual({});
});
