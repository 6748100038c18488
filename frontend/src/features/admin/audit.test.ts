import { auditQuery, readAudit, writeAudit } from './audit';

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
