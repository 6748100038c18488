import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import { selectUser } from '../../api/session';
import { useAppDispatch } from '../../api/useAppDispatch';
import { mayAdminister } from '../../domain/access';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { AppMantineProvider } from '../../ui/AppMantineProvider';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { askToSignIn } from '../../ui/signInPrompt';
import { usePageTitle } from '../../ui/usePageTitle';
import { adminSections, type AdminSection } from './sections';
import classes from './AdminFrame.module.css';

export interface AdminFrameProps {
  section: AdminSection | 'money';
  children: ReactNode;
}

/** A page of admins: its title, the way to the other one, and its content for admins alone. */
export function AdminFrame({ section, children }: AdminFrameProps) {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const user = useSelector(selectUser);
  usePageTitle(t(`people.staff.${section}`));
  return (
    <AppMantineProvider>
      <div className={`tk-container ${classes.root}`}>
        <nav aria-label={t('people.staff.admin')} className={classes.sections}>
          <Link to={paths.money(language)} aria-current={section === 'money' ? 'page' : undefined}>
            {t('people.staff.money')}
          </Link>
          {adminSections.map((one) => (
            <Link
              key={one}
              to={paths.admin(language, one)}
              aria-current={one === section ? 'page' : undefined}
            >
              {t(`people.staff.${one}`)}
            </Link>
          ))}
          <Link to={paths.admin(language, 'experiments')}>{t('people.staff.experiments')}</Link>
        </nav>
        <h1 className="tk-admin-title">{t(`people.staff.${section}`)}</h1>
        <p className={classes.lead}>{t(`people.staff.${section}Lead`)}</p>
        {mayAdminister(user?.scope ?? []) ? (
          children
        ) : user ? (
          <EmptyState title={t('people.staff.onlyAdmins')} />
        ) : (
          <EmptyState
            title={t('people.staff.signIn')}
            action={
              <Button variant="light" onClick={() => dispatch(askToSignIn())}>
                {t('nav.signIn')}
              </Button>
            }
          />
        )}
      </div>
    </AppMantineProvider>
  );
}
