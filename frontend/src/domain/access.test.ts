import { mayEnter, modesOf } from './access';

test.each([
  [['view'], ['view']],
  [[], ['view']],
  [
    ['view', 'edit'],
    ['view', 'edit', 'overview'],
  ],
  [
    ['view', 'edit', 'admin'],
    ['view', 'edit', 'overview', 'review'],
  ],
] as const)('with the rights %j one can switch between %j', (acl, modes) => {
  expect(modesOf(acl)).toEqual(modes);
});

test.each([
  ['edit', ['view'], false],
  ['edit', ['view', 'edit'], true],
  ['overview', ['view', 'edit', 'admin'], true],
  ['review', ['view', 'edit'], false],
  ['view', [], true],
] as const)('the mode %s with the rights %j may be opened: %s', (mode, acl, may) => {
  expect(mayEnter(mode, acl)).toBe(may);
});
