import { Button } from '../../../ui/Button';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import type { Campaign } from '../../../api/content';
import { isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { formatCount, formatMoney, formatPercent } from '../../../i18n/format';
import { keepFocus } from '../../../ui/page';
import { percentOf, isWithoutSupporters, supportersOf, type CampaignState } from '../rules';
import classes from './CampaignTabs.module.css';
import type { SupportLink } from './pledgePath';

export interface CampaignTabsProps {
  campaign: Campaign;
  state: CampaignState;
  /** Undefined if the campaign cannot be supported now. */
  support: SupportLink | undefined;
}

interface Tab {
  id: string;
  name: string;
  count?: number;
}

/** Links to the sections of the page, and the campaign's progress. Sticks to the top of the screen. */
export function CampaignTabs({ campaign, state, support }: CampaignTabsProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { search } = useLocation();
  const isMonthly = isRecurring(campaign.stage);
  const { counts, subscriptions, currency } = campaign;
  const tabs: Tab[] = [
    { id: 'story', name: t('campaignPage.story') },
    isMonthly
      ? { id: 'goals', name: t('campaignPage.goals'), count: subscriptions?.subscriptions_goals.length }
      : { id: 'rewards', name: t('campaignPage.rewards'), count: counts.rewards },
    { id: 'updates', name: t('campaignPage.updates'), count: counts.posts },
  ];
  if (!campaign.hide_member_count) {
    tabs.push({
      id: 'backers',
      name: isMonthly ? t('campaignPage.supportersTitle') : t('campaignPage.backers'),
      count: isMonthly ? supportersOf(campaign) : counts.backers,
    });
  }
  const hasNone = isMonthly && isWithoutSupporters(campaign);
  const hasSum = state !== 'preparing' && !campaign.hide_funding_amount && !hasNone;
  const current = useCurrentSection(tabs.map(({ id }) => id).join(' '));
  const money = (amount: number) => formatMoney(language, amount, { cents: false, currency });
  const summary = isMonthly
    ? t('campaignPage.aMonthLong', { amount: money(subscriptions?.subscriptions_amount_total ?? 0) })
    : [money(campaign.funding_reached), formatPercent(language, percentOf(campaign))].join(' · ');

  return (
    <div className={classes.root}>
      <div className={`tk-container ${classes.bar}`}>
        <nav aria-label={t('campaignPage.parts')} className={classes.scroller}>
          <ul className={classes.list}>
            {tabs.map(({ id, name, count }) => (
              <li key={id}>
                <Link
                  to={{ search, hash: id }}
                  replace
                  state={keepFocus}
                  aria-current={id === current ? 'location' : undefined}
                  className={classes.tab}
                >
                  {name}
                  {count !== undefined && (
                    <span className={classes.count}> {formatCount(language, count)}</span>
                  )}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        {hasSum && <p className={classes.sum}>{summary}</p>}
        {support && (
          <Button component={Link} to={support.path} size="sm" className={classes.act}>
            {support.label}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The id of the section on the screen: the last one that starts less than 180 px below the top of the screen. */
function useCurrentSection(ids: string): string | undefined {
  const [current, setCurrent] = useState('story');
  useEffect(() => {
    const look = () => {
      const passed = ids.split(' ').filter((id) => {
        const part = document.getElementById(id);
        // Sections in the side column are not in the scroll order.
        return part && part.dataset.aside === undefined && part.getBoundingClientRect().top < 180;
      });
      setCurrent(passed.at(-1) ?? 'story');
    };
    look();
    window.addEventListener('scroll', look, { passive: true });
    return () => window.removeEventListener('scroll', look);
  }, [ids]);
  return current;
}
