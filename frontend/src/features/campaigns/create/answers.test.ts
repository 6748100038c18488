import { fieldOfPath, partOfField } from './answers';

test.each([
  ['title', 'title', 'idea'],
  ['fi.tagline', 'tagline', 'idea'],
  ['min_goal', 'target_goal', 'money'],
  ['last_day_of_funding', 'last_day_of_funding', 'money'],
  ['subscriptions_goals[1].target', 'goals.1.target', 'goals'],
  ['rewards[0].title', 'reward_title', 'reward'],
  ['legal_creator', 'legal_creator', 'who'],
])('a validation error of %s is shown at the field %s of the part %s', (path, field, part) => {
  expect(fieldOfPath(path)).toBe(field);
  expect(partOfField(field)).toBe(part);
});
