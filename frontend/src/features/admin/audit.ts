import { readOffset } from './paging';

/** Kinds of things that have a name here; the others share one. */
export const entities = [
  'campaign',
  'reward',
  'post',
  'user',
  'experiment',
  'category',
  'tag',
  'front_page',
  'review_note',
] as const;

/** What changes things by itself, as the log calls it. */
export const automaticActors = ['scheduler', 'payments', 'operator', 'seed'] as const;

/** What is looked for in the audit trail, all of which is in the address. */
export interface Audit {
  entity: string;
  entityId: string;
  actor: string;
  /** YYYY-MM-DD, or empty. */
  from: string;
  to: string;
  offset: number;
}

const day = (text: string | null) => (/^\d{4}-\d{2}-\d{2}$/.test(text ?? '') ? (text ?? '') : '');

/** Reads the address. Invalid values are ignored. */
export function readAudit(search: URLSearchParams): Audit {
  const matching = (name: string, form: RegExp) => {
    const text = (search.get(name) ?? '').trim();
    return form.test(text) ? text : '';
  };
  return {
    entity: matching('entity', /^[a-z_]{1,30}$/),
    entityId: matching('entity_id', /^[0-9A-Za-z-]{1,40}$/),
    actor: (search.get('actor') ?? '').trim().slice(0, 254),
    from: day(search.get('from')),
    to: day(search.get('to')),
    offset: readOffset(search.get('offset')),
  };
}

/** The parameters for the address. */
export function writeAudit({ entityId, offset, ...rest }: Audit): Record<string, string | undefined> {
  return { ...rest, entity_id: entityId, offset: offset > 0 ? String(offset) : undefined };
}

/** The same for the call, without empty ones. */
export function auditQuery({ entity, entityId, actor, from, to, offset }: Audit) {
  return {
    entity: entity || undefined,
    // A number says nothing without what it is of.
    entityId: (entity && entityId) || undefined,
    actor: actor || undefined,
    from: from || undefined,
    to: to || undefined,
    offset,
  };
}
