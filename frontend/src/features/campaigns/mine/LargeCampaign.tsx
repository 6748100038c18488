import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import type { CampaignPreview } from '../../../api/content';
import { foreignLang } from '../../../domain/languages';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { ChartIcon, PencilIcon } from '../../../ui/editIcons';
import { EyeIcon } from '../../../ui/icons';
import { Picture } from '../../../ui/Picture';
import { Progress } from '../../../ui/Progress';
import { TextButton } from '../../../ui/TextButton';
import { namedOf } from '../named';
import { CopyAndDiscard } from './CopyAndDiscard';
import { needsAttention } from './groups';
import classes from './MyCampaignsPage.module.css';
import { StateChip } from './StateChip';
import { WritePost } from './WritePost';

export interface LargeCampaignProps {
  campaign: CampaignPreview;
  /** It is the first of its group that needs the team's attention: its button is filled. */
  isUrgent: boolean;
}

/** The open campaign that ends first, shown large: its cover, its money, and what needs the team's attention. */
export function LargeCampaign({ campaign, isUrgent }: LargeCampaignProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const named = namedOf(campaign);
  const edit = paths.editCampaign(language, named);
  const { funding_reached: reached, target_goal: goal, currency } = campaign;
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  return (
    <article className={classes.large}>
      <Picture
        name={campaign.project_pic}
        alt=""
        ratio={1.6}
        widths={[400, 640, 1184]}
        sizes="(min-width: 56.25em) 37rem, 100vw"
        isFirst
      />
      <div>
        <StateChip campaign={campaign} />
        <h2 className={classes.largeTitle} lang={foreignLang(campaign.language, language)}>
          {campaign.title}
        </h2>
        <p className={classes.sum}>
          <b className={classes.money}>{money(reached)}</b> / {money(goal)}
        </p>
        <Progress
          size="lg"
          confirmed={reached}
          settling={campaign.funding_settling}
          goal={goal}
          minGoal={campaign.min_goal}
          currency={currency}
          hasLegend
        />
        {needsAttention(campaign) && (
          <div className={classes.waiting}>
            <p>
              <b>{t('mine.account.title')}</b>
              <br />
              <span className="tk-small">{t('mine.account.text')}</span>
            </p>
            <Button component={Link} to={`${edit}#account`} variant={isUrgent ? 'filled' : 'outline'}>
              {t('mine.account.act')}
            </Button>
          </div>
        )}
        <ul className={classes.links}>
          <li>
            <Link to={paths.campaignMode(language, named, 'overview')}>
              <ChartIcon size={16} />
              {t('mode.overview')}
            </Link>
          </li>
          <li>
            <WritePost campaign={named}>
              {(write, isBusy) => (
                <TextButton look="aside" isDisabled={isBusy} onPress={write}>
                  <PencilIcon size={16} />
                  {t('mine.acts.post')}
                </TextButton>
              )}
            </WritePost>
          </li>
          <li>
            <Link to={paths.campaign(language, named)}>
              <EyeIcon size={16} />
              {t('mine.acts.show')}
            </Link>
          </li>
        </ul>
        <CopyAndDiscard campaign={campaign} />
      </div>
    </article>
  );
}
