import { useLayoutEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation } from 'react-router-dom';
import { useOwnProfileQuery } from '../../api/people';
import { selectUser } from '../../api/session';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { Picture } from '../Picture';
import classes from './OwnMenu.module.css';
import { ownPages } from './ownPages';

/** Beside one's own pages: who one is, and the way to the others. On a phone a row that scrolls sideways. */
export function OwnMenu() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { pathname } = useLocation();
  const user = useSelector(selectUser);
  const { data } = useOwnProfileQuery({ language }, { skip: !user });
  const list = useRef<HTMLUListElement>(null);
  const isShown = user !== null;
  // Not scrollIntoView, which would scroll the page, too.
  useLayoutEffect(() => {
    const row = list.current;
    const current = row?.querySelector<HTMLElement>('[aria-current]');
    if (row && current)
      row.scrollLeft = current.offsetLeft - row.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  }, [pathname, language, isShown]);
  if (!user) return null;
  return (
    <div className={classes.root}>
      <div className={classes.person}>
        {data && (
          <Picture
            name={data.profile.image_collection.profile.filename}
            alt=""
            ratio={1}
            widths={[64, 128]}
            sizes="4rem"
            shape="round"
            isFirst
          />
        )}
        <div>
          <p className={classes.name}>
            {user.first_name} {user.last_name}
          </p>
          <Link to={paths.profile(language, user.user_id)} className={classes.public}>
            {t('people.me.public')}
          </Link>
        </div>
      </div>
      <nav aria-label={t('people.me.menu')}>
        <ul ref={list} className={classes.pages}>
          {ownPages.map(({ label, to }) => (
            <li key={label}>
              <Link
                to={to(language)}
                aria-current={to(language) === pathname ? 'page' : undefined}
                className={classes.page}
              >
                {t(label)}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}
