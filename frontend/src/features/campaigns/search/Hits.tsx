import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { CampaignPreview } from '../../../api/content';
import { hitsOf, type SearchAnswer, type SearchGroup } from '../../../api/search';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { experimentStageName } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatCount } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { StageDots } from '../../../ui/StageDots';
import { useIsPhone } from '../../../ui/useIsPhone';
import { CampaignCard } from '../CampaignCard';
import grid from '../grid.module.css';
import { CampaignRow, lineOf } from './CampaignRow';
import { HitRow } from './HitRow';
import { Marked } from './Marked';
import classes from './SearchPage.module.css';

export interface HitsProps {
  groups: readonly SearchGroup[];
  marks: SearchAnswer['marks'];
  /** Shows all of a group. */
  onAll: (group: SearchGroup['name']) => void;
}

/** The hits in their groups: open campaigns as cards, the others as rows, people and experiments side by side at the foot. */
export function Hits({ groups, marks, onAll }: HitsProps) {
  const ofPeople = groups.filter(({ name }) => name === 'creators' || name === 'experiments');
  return (
    <>
      {groups.map(
        (group) =>
          group.campaigns && (
            <Group key={group.name} group={group} onAll={onAll}>
              <Campaigns campaigns={group.campaigns} isOpen={group.name === 'open'} marks={marks} />
            </Group>
          ),
      )}
      {ofPeople.length > 0 && (
        <div className={classes.halves}>
          {ofPeople.map((group) => (
            <Group key={group.name} group={group} onAll={onAll}>
              <ul className={classes.rows}>
                <People group={group} marks={marks} />
                <Experiments group={group} marks={marks} />
              </ul>
            </Group>
          ))}
        </div>
      )}
    </>
  );
}

interface OneGroupProps extends Pick<HitsProps, 'onAll'> {
  group: SearchGroup;
  children: ReactNode;
}

function Group({ group, onAll, children }: OneGroupProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <section className={classes.group}>
      <h2>
        {t(`search.groups.${group.name}`)}{' '}
        <span className={classes.count}>
          {formatCount(language, group.total)}
          {group.total_is_more && '+'}
        </span>
      </h2>
      {children}
      {group.total > hitsOf(group).length && (
        <Button variant="transparent" size="sm" onClick={() => onAll(group.name)}>
          {t('search.allOf', { count: group.total })}
        </Button>
      )}
    </section>
  );
}

interface CampaignsProps {
  campaigns: readonly CampaignPreview[];
  isOpen: boolean;
  marks: SearchAnswer['marks'];
}

function Campaigns({ campaigns, isOpen, marks }: CampaignsProps) {
  const isPhone = useIsPhone();
  if (isOpen && !isPhone) {
    return (
      <ul className={grid.cards}>
        {campaigns.map((campaign, place) => (
          <li key={campaign.campaign_id}>
            <CampaignCard
              campaign={{ ...campaign, tagline: lineOf(campaign, marks) }}
              isFirst={place === 0}
              mark={(text) => <Marked text={text} marks={marks} />}
            />
          </li>
        ))}
      </ul>
    );
  }
  return (
    <ul className={classes.rows}>
      {campaigns.map((campaign) => (
        <CampaignRow key={campaign.campaign_id} campaign={campaign} marks={marks} />
      ))}
    </ul>
  );
}

interface GroupProps {
  group: SearchGroup;
  marks: SearchAnswer['marks'];
}

function People({ group, marks }: GroupProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (group.creators ?? []).map((person) => (
    <HitRow
      key={person.user_id}
      to={paths.profile(language, person.user_id)}
      title={`${person.first_name} ${person.last_name}`}
      text={person.short_description}
      picture={person.image_filename}
      isPerson
      lang={person.short_description ? foreignLang(person.language, language) : undefined}
      marks={marks}
      facts={person.counts.campaigns > 0 && t('search.campaigns', { count: person.counts.campaigns })}
      look="half"
    />
  ));
}

function Experiments({ group, marks }: GroupProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (group.experiments ?? []).map((experiment) => {
    const stage = experimentStageName(experiment.stage);
    return (
      <HitRow
        key={experiment.experiment_id}
        to={paths.experiment(language, { id: experiment.experiment_id, slug: experiment.slug })}
        title={experiment.title}
        text={experiment.short_description}
        by={[experiment.owner_name, experiment.place].filter(Boolean).join(', ')}
        picture={experiment.image}
        lang={foreignLang(experiment.language, language)}
        marks={marks}
        facts={
          <>
            <StageDots stage={experiment.stage} />
            {stage && <div>{t(`experimentStage.${stage}`)}</div>}
          </>
        }
        look="half"
      />
    );
  });
}
