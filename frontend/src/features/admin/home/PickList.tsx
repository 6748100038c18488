import type { MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { FieldError } from '../../../api/apiError';
import type { FrontPagePick } from '../../../api/staff';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { campaignStageName, takesPledges } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { Chip, type ChipProps } from '../../../ui/Chip';
import { DayField } from '../../../ui/DayField';
import { ChevronUpIcon, TrashIcon } from '../../../ui/editIcons';
import { EmptyState } from '../../../ui/EmptyState';
import { ServerFaultText } from '../../../ui/FaultText';
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
  /** Why they could not be saved, by paths such as campaigns[0].last_day. */
  faults: readonly FieldError[];
  onChange: (picks: readonly FrontPagePick[]) => void;
}

/** What is chosen, in its order: moved up and down, given days, taken away. */
export function PickList({ kind, picks, faults, onChange }: PickListProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const move = (from: number, to: number) => {
    const next = [...picks];
    next.splice(to, 0, ...next.splice(from, 1));
    onChange(next);
  };
  const change = (place: number, days: Partial<FrontPagePick>) =>
    onChange(picks.map((pick, other) => (other === place ? { ...pick, ...days } : pick)));
  const faultOf = (place: number, name: string) => {
    const fault = faults.find(({ path }) => path === `${kind}[${place}].${name}`);
    return fault && <ServerFaultText fault={fault} />;
  };
  const remove = (place: number, button: HTMLElement) => {
    const others = button.closest('ol')?.querySelectorAll<HTMLElement>('[data-removes]');
    const search = button.closest('section')?.querySelector<HTMLElement>('[type="search"]');
    onChange(picks.filter((_, other) => other !== place));
    (others?.[place + 1] ?? others?.[place - 1] ?? search)?.focus(); // The button that had the focus is gone.
  };

  if (picks.length === 0) return <EmptyState title={t('staff.home.none')} />;
  return (
    <ol className={classes.picks}>
      {picks.map((pick, place) => {
        const { id, slug, stage, shown } = pick;
        const title = pick.title || t('staff.campaigns.untitled');
        const isGone = faultOf(place, 'id') !== undefined;
        const isFirst = place === 0;
        const isLast = place === picks.length - 1;
        return (
          <li key={id} className={classes.pick}>
            <div className={classes.what}>
              <Link
                to={paths[kind === 'campaigns' ? 'campaign' : 'experiment'](language, {
                  id,
                  slug,
                  title: pick.title,
                })}
                lang={pick.title ? foreignLang(pick.language, language) : undefined}
                className={classes.title}
              >
                {title}
              </Link>
              <Chip tone={tones[shown]}>{t(`staff.home.shown.${shown}`)}</Chip>
              {shown === 'not_open' && (
                <span className={classes.help}>
                  {kind === 'experiments'
                    ? t('staff.home.notListed')
                    : t(
                        takesPledges({ stage })
                          ? 'staff.home.ended'
                          : `stage.${campaignStageName(stage) ?? 'draft'}`,
                      )}
                </span>
              )}
            </div>
            <div className={classes.days}>
              <DayField
                label={t('staff.home.from')}
                isOptional
                value={pick.first_day ?? ''}
                error={faultOf(place, 'first_day')}
                onChange={({ currentTarget }) =>
                  change(place, { first_day: currentTarget.value || undefined })
                }
              />
              <DayField
                label={t('staff.home.to')}
                isOptional
                value={pick.last_day ?? ''}
                min={pick.first_day}
                error={faultOf(place, 'last_day')}
                onChange={({ currentTarget }) =>
                  change(place, { last_day: currentTarget.value || undefined })
                }
              />
            </div>
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
                data-removes
                data-is-gone={isGone || undefined}
                onClick={({ currentTarget }: MouseEvent<HTMLElement>) => remove(place, currentTarget)}
              />
            </div>
            {isGone && <p className={classes.fault}>{t('staff.home.gone', { title })}</p>}
          </li>
        );
      })}
    </ol>
  );
}
