import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { Campaign } from '../../api/content';
import type { CampaignOverview, OverviewNext } from '../../api/editing';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { Button } from '../../ui/Button';
import { useWritePost } from '../../ui/modes/useWritePost';
import { ShareButton } from '../../ui/ShareButton';
import classes from './NextTasks.module.css';

export interface NextTasksProps {
  campaign: Campaign;
  overview: CampaignOverview;
}

/** The next task of the team, and at most three after it. Renders nothing when there is none. */
export function NextTasks({ campaign, overview }: NextTasksProps) {
  const { t } = useTranslation();
  const [first, ...more] = overview.next;
  if (!first) return null;
  return (
    <section className={classes.root} aria-labelledby="overview-next">
      <div className={classes.box}>
        <h2 id="overview-next" className={classes.head}>
          {t('overview.next')}
        </h2>
        <Task task={first} campaign={campaign} isFirst />
      </div>
      <ul className={classes.list}>
        {more.slice(0, 3).map((task) => (
          <li key={`${task.kind}-${task.language ?? ''}-${task.title ?? ''}`} className={classes.row}>
            <Task task={task} campaign={campaign} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Task({ task, campaign, isFirst }: { task: OverviewNext; campaign: Campaign; isFirst?: boolean }) {
  const { t } = useTranslation();
  const { kind } = task;
  return (
    <>
      <div>
        <h3 className={isFirst ? classes.title : classes.rowTitle}>{useTaskTitle(task)}</h3>
        <p className={isFirst ? undefined : 'tk-small'}>{t(`overview.do.${kind}.text`)}</p>
      </div>
      <TaskButton kind={kind} campaign={campaign} variant={isFirst ? 'filled' : 'transparent'}>
        {t(`overview.do.${kind}.act`)}
      </TaskButton>
    </>
  );
}

function useTaskTitle({ kind, count, days, title, language }: OverviewNext): string {
  const { t } = useTranslation();
  switch (kind) {
    case 'post_due':
      return t('overview.do.post_due.title', { count: days ?? 0 });
    case 'reward_running_out':
      return count
        ? t('overview.do.reward_running_out.title', { title, count })
        : t('overview.do.reward_running_out.gone', { title });
    case 'translation_missing':
      return t(`overview.do.translation_missing.${language === 'en' || language === 'sv' ? language : 'fi'}`);
    default:
      return t(`overview.do.${kind}.title`);
  }
}

interface TaskButtonProps {
  kind: OverviewNext['kind'];
  campaign: Campaign;
  variant: 'filled' | 'transparent';
  children: string;
}

function TaskButton({ kind, campaign, variant, children }: TaskButtonProps) {
  const language = useLanguage();
  const named = { ...campaign, id: campaign.campaign_id };
  const { write, isBusy } = useWritePost(named);
  if (kind === 'share')
    return (
      <ShareButton title={campaign.title} path={paths.campaign(language, named)} variant={variant} size="md">
        {children}
      </ShareButton>
    );
  if (kind === 'first_post' || kind === 'post_due')
    return (
      <Button variant={variant} loading={isBusy} onClick={write}>
        {children}
      </Button>
    );
  return (
    <Button
      component={Link}
      to={{
        pathname: paths.editCampaign(language, named),
        hash: kind === 'payment_account' ? 'account' : '',
      }}
      variant={variant}
    >
      {children}
    </Button>
  );
}
