import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { Picture } from '../../../ui/Picture';
import { ShareButton } from '../../../ui/ShareButton';
import { namedOf } from '../named';
import { ownState } from './groups';
import classes from './MyCampaignsPage.module.css';
import { CopyAndDiscard } from './CopyAndDiscard';
import { CampaignStatus } from './CampaignStatus';
import { StateChip } from './StateChip';
import { WritePost } from './WritePost';

export interface OwnRowProps {
  campaign: CampaignPreview;
  /** It is the first of its group that needs the team's attention: its button is filled. */
  isUrgent: boolean;
}

/** A campaign in a row: cover, state and title, status, and one button. */
export function OwnRow({ campaign, isUrgent }: OwnRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { work } = campaign;
  return (
    <li className={classes.row}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[132, 264, 400]}
        sizes="8.25rem"
        shape="thumb"
      />
      <div>
        <StateChip campaign={campaign} />
        <h3 className={classes.title} lang={foreignLang(campaign.language, language)}>
          {campaign.title || t('begin.untitled')}
        </h3>
        {ownState(campaign) === 'changes' && work?.note && (
          <p className={classes.note}>{t('mine.quote', { note: work.note, by: work.note_by ?? '' })}</p>
        )}
      </div>
      <div className={classes.standing}>
        <CampaignStatus campaign={campaign} />
      </div>
      <div className={classes.act}>
        <ActionButton campaign={campaign} isUrgent={isUrgent} />
        <CopyAndDiscard campaign={campaign} />
      </div>
    </li>
  );
}

function ActionButton({ campaign, isUrgent }: OwnRowProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const named = namedOf(campaign);
  const edit = paths.editCampaign(language, named);
  const page = paths.campaign(language, named);
  const of = <span className="tk-visually-hidden">{t('mine.of', { title: campaign.title })}</span>;
  const to = (path: string, words: ReactNode) => (
    <Button component={Link} variant={isUrgent ? 'filled' : 'outline'} to={path}>
      {words}
      {of}
    </Button>
  );
  const post = (words: string) => (
    <WritePost campaign={named}>
      {(write, isBusy) => (
        <Button variant="outline" loading={isBusy} onClick={write}>
          {words}
          {of}
        </Button>
      )}
    </WritePost>
  );
  switch (ownState(campaign)) {
    case 'changes':
      return to(edit, t('mine.acts.fix'));
    case 'draft':
      return to(edit, t(campaign.work?.next ? 'mine.acts.write' : 'mine.acts.ask'));
    case 'opening':
      return (
        <ShareButton variant="outline" title={campaign.title} path={page}>
          {t('mine.acts.share')}
        </ShareButton>
      );
    case 'funding':
      return isUrgent ? to(`${edit}#account`, t('mine.account.act')) : post(t('mine.acts.post'));
    case 'monthly':
      return isUrgent ? to(`${edit}#account`, t('mine.account.act')) : post(t('mine.acts.postMonthly'));
    default:
      return to(page, t('mine.acts.look'));
  }
}
