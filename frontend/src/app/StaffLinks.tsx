import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router-dom';
import { useCampaignsInReviewQuery } from '../api/editing';
import { paths } from '../domain/paths';
import { useLanguage } from '../i18n';
import { formatCount } from '../i18n/format';
import { useTexts } from '../ui/useTexts';
import { ariaCurrentOf, reviewNavigation } from './navigation';
import classes from './StaffLinks.module.css';

// The names of admins' pages come with the texts of these pages.
const parts = ['people'] as const;

export interface StaffLinksProps {
  className?: string;
  onClick?: () => void;
}

/** The navigation links that only staff have: the review queue, with the number of campaigns in it, and admins' pages. */
export default function StaffLinks({ className, onClick }: StaffLinksProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const { data } = useCampaignsInReviewQuery({ language, limit: 1 });
  const hasTexts = useTexts(parts);
  const admin = paths.admin(language, 'campaigns');
  return (
    <>
      <Link
        to={reviewNavigation.to(language)}
        aria-current={ariaCurrentOf(reviewNavigation, language, pathname)}
        className={className}
        onClick={onClick}
      >
        {/* One element, so that the underline of the current link runs under the label and the number. */}
        <span>
          {t(reviewNavigation.label)}
          {data && data.total > 0 && <b className={classes.count}> {formatCount(language, data.total)}</b>}
        </span>
      </Link>
      {hasTexts && (
        <Link
          to={admin}
          aria-current={ariaCurrentOf(
            { label: 'people.staff.admin', to: () => admin, section: /^\/admin\// },
            language,
            pathname,
          )}
          className={className}
          onClick={onClick}
        >
          {t('people.staff.admin')}
        </Link>
      )}
    </>
  );
}
