import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useCampaignTagsQuery } from '../../api/content';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { Chips } from '../../ui/Chips';
import { TextField } from '../../ui/fields';
import { TagField } from '../../ui/TagField';
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
      <Chips
        label={t('people.me.skills')}
        chosen={skills.map((skill) => ({ key: skill, name: skill }))}
        remove={(name) => t('people.me.removeOne', { name })}
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

/** The platform's tags that one chooses for oneself. */
export function Topics({ tags, onChange }: TopicsProps) {
  const { t } = useTranslation();
  const { data } = useCampaignTagsQuery({ language: useLanguage() });
  return (
    <div>
      <h3 className={classes.label}>{t('people.me.tags')}</h3>
      <TagField
        tags={tags.map((id) => ({ id, label: '…' }))}
        all={data?.tags}
        most={most.tags}
        onChange={(next) => onChange(next.map(({ id }) => id))}
        label={t('people.me.addTag')}
        help={t('people.me.tagsHelp', { max: most.tags })}
        listLabel={t('people.me.tags')}
        unknown={(tag) => t('people.me.unknownTag', { tag })}
        remove={(name) => t('people.me.removeOne', { name })}
      />
    </div>
  );
}
