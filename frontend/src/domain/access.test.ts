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
] as const)('with %j one chooses among %j', (acl, modes) => {
  expect(modesOf(acl)).toEqual(modes);
});

test.each([
  ['edit', ['view'], false],
  ['edit', ['view', 'edit'], true],
  ['overview', ['view', 'edit', 'admin'], true],
  ['review', ['view', 'edit'], false],
  ['view', [], true],
] as const)('%s with %j: %s', (mode, acl, may) => {
  expect(mayEnter(mode, acl)).toBe(may);
});
