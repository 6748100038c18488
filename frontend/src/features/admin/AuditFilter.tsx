import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../../ui/Button';
import { SelectField, TextField } from '../../ui/fields';
import { automaticActors, entities, type Audit } from './audit';
import classes from './Trail.module.css';

export interface AuditFilterProps {
  asked: Audit;
  onSearch: (next: Audit) => void;
}

/** What is looked for: of what, by whom, and when. */
export function AuditFilter({ asked, onSearch }: AuditFilterProps) {
  const { t } = useTranslation();
  const nameOf = (actor: (typeof automaticActors)[number]) => t(`people.staff.actors.${actor}`);
  const known = automaticActors.find((one) => one === asked.actor);
  const [typed, setTyped] = useState({ ...asked, actor: known ? nameOf(known) : asked.actor });
  const change = (part: Partial<Audit>) => setTyped((old) => ({ ...old, ...part }));
  return (
    <form
      role="search"
      aria-label={t('people.staff.audit')}
      className={classes.filter}
      onSubmit={(event) => {
        event.preventDefault();
        const who = typed.actor.trim();
        const actor = automaticActors.find((one) => nameOf(one).toLowerCase() === who.toLowerCase());
        onSearch({ ...typed, actor: actor ?? who, offset: 0 });
      }}
    >
      <SelectField
        label={t('people.staff.entity')}
        value={typed.entity}
        data={[
          { value: '', label: t('people.staff.entities.all') },
          ...entities.map((value) => ({ value, label: t(`people.staff.entities.${value}`) })),
          ...(typed.entity && !entities.some((one) => one === typed.entity)
            ? [{ value: typed.entity, label: t('people.staff.entities.other') }]
            : []),
        ]}
        onChange={({ currentTarget }) => change({ entity: currentTarget.value })}
      />
      <TextField
        label={t('people.staff.entityId')}
        value={typed.entityId}
        maxLength={40}
        onChange={({ currentTarget }) => change({ entityId: currentTarget.value })}
      />
      <TextField
        label={t('people.staff.actor')}
        help={t('people.staff.actorHelp', { list: automaticActors.map(nameOf).join(', ') })}
        value={typed.actor}
        maxLength={254}
        autoCapitalize="none"
        onChange={({ currentTarget }) => change({ actor: currentTarget.value })}
      />
      <TextField
        label={t('people.staff.from')}
        type="date"
        value={typed.from}
        onChange={({ currentTarget }) => change({ from: currentTarget.value })}
      />
      <TextField
        label={t('people.staff.to')}
        type="date"
        value={typed.to}
        onChange={({ currentTarget }) => change({ to: currentTarget.value })}
      />
      <Button type="submit" className={classes.find}>
        {t('people.staff.find')}
      </Button>
    </form>
  );
}
