import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { FrontPagePick } from '../../../api/staff';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { DayField } from '../../../ui/DayField';
import { ChevronUpIcon, TrashIcon } from '../../../ui/editIcons';
import { EmptyState } from '../../../ui/EmptyState';
import { IconButton } from '../../../ui/IconButton';
import { ChevronDownIcon } from '../../../ui/icons';
import classes from './HomePicks.module.css';

const tones: Readonly<Record<FrontPagePick['shown'], NonNullable<ChipProps['tone']>>> = {
  now: 'spruce',
  later: 'info',
  over: 'plain',
  not_open: 'cloud',
};

export interface PickListProps {
  kind: 'campaigns' | 'experiments';
  picks: readonly FrontPagePick[];
  onChange: (picks: readonly FrontPagePick[]) => void;
}

/** What is chosen, in its order: moved up and down, given days, taken away. */
export function PickList({ kind, picks, onChange }: PickListProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const move = (from: number, to: number) => {
    const next = [...picks];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  const change = (place: number, days: Partial<FrontPagePick>) =>
    onChange(picks.map((pick, other) => (other === place ? { ...pick, ...days } : pick)));

  if (picks.length === 0) return <EmptyState title={t('staff.home.none')} />;
  return (
    <ol className={classes.picks}>
      {picks.map((pick, place) => {
        const { id, slug, title } = pick;
        const isFirst = place === 0;
        const isLast = place === picks.length - 1;
        return (
          <li key={id} className={classes.pick}>
            <div className={classes.what}>
              <Link
                to={paths[kind === 'campaigns' ? 'campaign' : 'experiment'](language, { id, slug, title })}
                lang={foreignLang(pick.language, language)}
                className={classes.title}
              >
                {title}
              </Link>
              <Chip tone={tones[pick.shown]}>{t(`staff.home.shown.${pick.shown}`)}</Chip>
            </div>
            <DayField
              label={t('staff.home.from')}
              isOptional
              value={pick.first_day ?? ''}
              onChange={({ currentTarget }) => change(place, { first_day: currentTarget.value || undefined })}
            />
            <DayField
              label={t('staff.home.to')}
              isOptional
              value={pick.last_day ?? ''}
              min={pick.first_day}
              onChange={({ currentTarget }) => change(place, { last_day: currentTarget.value || undefined })}
            />
            <div className={classes.buttons}>
              <IconButton
                label={t('staff.labels.up', { name: title })}
                icon={<ChevronUpIcon size={16} />}
                aria-disabled={isFirst || undefined}
                onClick={isFirst ? undefined : () => move(place, place - 1)}
              />
              <IconButton
                label={t('staff.labels.down', { name: title })}
                icon={<ChevronDownIcon size={16} />}
                aria-disabled={isLast || undefined}
                onClick={isLast ? undefined : () => move(place, place + 1)}
              />
              <IconButton
                label={t('staff.home.remove', { name: title })}
                icon={<TrashIcon size={16} />}
                onClick={() => onChange(picks.filter((one) => one !== pick))}
              />
            </div>
          </li>
        );
      })}
    </ol>
  );
}
