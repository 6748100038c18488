import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { useCampaignsInReviewQuery } from '../api/editing';
import { useLanguage } from '../i18n';
import { formatCount } from '../i18n/format';
import { ariaCurrentOf, reviewNavigation } from './navigation';
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
  return (
    <Link
      to={reviewNavigation.to(language)}
      aria-current={ariaCurrentOf(reviewNavigation, language, pathname)}
      className={className}
      onClick={onClick}
    >
      {/* One box, so that one line underlines both. */}
      <span>
        {t(reviewNavigation.label)}
        {data && data.total > 0 && <b className={classes.count}> {formatCount(language, data.total)}</b>}
      </span>
    </Link>
  );
}
