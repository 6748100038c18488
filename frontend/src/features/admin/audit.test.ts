import { auditQuery, readAudit, shownValue, writeAudit } from './audit';

test('the search is read from the address; rubbish is ignored', () => {
  const asked = readAudit(
    new URLSearchParams('entity=user&entity_id=12&actor= aino@x.fi &from=2026-11-01&to=nonsense&offset=24'),
  );
  expect(asked).toEqual({
    entity: 'user',
    entityId: '12',
    actor: 'aino@x.fi',
    from: '2026-11-01',
    to: '',
    offset: 24,
  });
  expect(readAudit(new URLSearchParams("entity=A'&entity_id=%27&offset=-1"))).toEqual(
    readAudit(new URLSearchParams()),
  );
  expect(readAudit(new URLSearchParams(writeAudit(asked) as Record<string, string>))).toEqual(asked);
  expect(auditQuery(asked).to).toBeUndefined();
});

test.each([
  ['text', 'text'],
  [undefined, ''],
  [null, ''],
  [false, 'false'],
  [0, '0'],
  [['view', 'edit'], '["view","edit"]'],
])('the value %p is shown as %s', (value, shown) => {
  expect(shownValue(value)).toBe(shown);
});
