import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { useCampaignsInReviewQuery } from '../api/editing';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { formatCount } from '../i18n/format';
import classes from './StaffLinks.module.css';

export interface StaffLinksProps {
  className?: string;
  onClick?: () => void;
}

/** What only staff have in the navigation: the campaigns that wait for them, and how many there are. */
export default function StaffLinks({ className, onClick }: StaffLinksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const { data } = useCampaignsInReviewQuery({ language, limit: 1 });
  const to = paths.reviews(language);
  return (
    <Link to={to} aria-current={pathname === to ? 'page' : undefined} className={className} onClick={onClick}>
      {t('nav.inReview')}
      {data && <b className={classes.count}> {formatCount(language, data.total)}</b>}
    </Link>
  );
}
