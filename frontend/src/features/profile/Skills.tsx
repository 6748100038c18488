import { useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery } from '../../api/content';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { SelectField, TextField } from '../../ui/fields';
import { IconButton } from '../../ui/IconButton';
import { CloseIcon } from '../../ui/icons';
import classes from './Skills.module.css';
import { most } from './values';

interface SkillsProps {
  skills: readonly string[];
  onChange: (skills: readonly string[]) => void;
}

/** What one can do, in one's own words. A repeated skill is ignored. */
export function Skills({ skills, onChange }: SkillsProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState('');
  const field = useRef<HTMLInputElement>(null);
  const isFull = skills.length >= most.skills;
  const add = () => {
    const skill = typed.trim();
    const isKnown = skills.some((one) => one.toLowerCase() === skill.toLowerCase());
    if (skill && !isKnown && !isFull) onChange([...skills, skill]);
    setTyped('');
    field.current?.focus();
  };
  return (
    <div>
      <h3 className={classes.label}>{t('people.me.skills')}</h3>
      <Chosen
        label={t('people.me.skills')}
        chosen={skills.map((skill) => ({ key: skill, name: skill }))}
        onRemove={(key) => {
          onChange(skills.filter((one) => one !== key));
          field.current?.focus();
        }}
      />
      <div className={classes.adding}>
        <TextField
          ref={field}
          label={t('people.me.addSkill')}
          value={typed}
          maxLength={most.skill}
          help={isFull ? t('people.me.skillsMost', { max: most.skills }) : undefined}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return;
            event.preventDefault(); // Enter adds the skill and does not save the form.
            add();
          }}
        />
        <Button variant="outline" onClick={add}>
          {t('people.me.add')}
        </Button>
      </div>
    </div>
  );
}

interface TopicsProps {
  tags: readonly number[];
  onChange: (tags: readonly number[]) => void;
}

/** The platform's topics that one chooses for oneself. */
export function Topics({ tags, onChange }: TopicsProps) {
  const { t } = useTranslation();
  const { data } = useCampaignTagsQuery({ language: useLanguage() });
  const all = data?.tags ?? [];
  const field = useRef<HTMLSelectElement>(null);
  const nameOf = (id: number) => all.find((tag) => tag.id === id)?.label ?? '…';
  return (
    <div>
      <h3 className={classes.label}>{t('people.me.tags')}</h3>
      <Chosen
        label={t('people.me.tags')}
        chosen={tags.map((id) => ({ key: String(id), name: nameOf(id) }))}
        onRemove={(key) => {
          onChange(tags.filter((id) => String(id) !== key));
          field.current?.focus();
        }}
      />
      <SelectField
        ref={field}
        label={t('people.me.addTag')}
        help={t('people.me.tagsHelp', { max: most.tags })}
        value=""
        data={[
          { value: '', label: '' },
          ...all
            .filter(({ id }) => !tags.includes(id))
            .map(({ id, label }) => ({ value: String(id), label })),
        ]}
        onChange={({ currentTarget }) => {
          const id = Number(currentTarget.value);
          if (id > 0 && tags.length < most.tags) onChange([...tags, id]);
        }}
      />
    </div>
  );
}

interface ChosenProps {
  label: ReactNode & string;
  chosen: readonly { key: string; name: string }[];
  onRemove: (key: string) => void;
}

function Chosen({ label, chosen, onRemove }: ChosenProps) {
  const { t } = useTranslation();
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className={classes.chosen}>
      {chosen.map(({ key, name }) => (
        <li key={key} className={classes.one}>
          <span>{name}</span>
          <IconButton
            look="tool"
            icon={<CloseIcon size={16} />}
            label={t('people.me.removeOne', { name })}
            onClick={() => onRemove(key)}
          />
        </li>
      ))}
    </ul>
  );
}
