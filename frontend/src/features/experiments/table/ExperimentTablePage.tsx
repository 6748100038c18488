import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths, query } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { keepFocus } from '../../../ui/page';
import { SearchField } from '../../../ui/SearchField';
import { Segments } from '../../../ui/Segments';
import { askToSignIn } from '../../../ui/signInPrompt';
import { usePageTitle } from '../../../ui/usePageTitle';
import { AllRows } from './AllRows';
import classes from '../../../ui/table/Table.module.css';
import { Pages } from './Pages';
import { addressOf, stateOf, type Column, type TableState } from './state';

/** The table of all experiments, with its search, order and page in the address; for the signed-in. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const navigate = useNavigate();
  const user = useSelector(selectUser);
  const state = stateOf(useLocation().search);
  // A reader hears what the order became only when they have changed it.
  const [said, setSaid] = useState('');
  usePageTitle(t('experimentTable.title'));

  const apply = (next: Partial<TableState>) => {
    const address = query(addressOf({ ...state, page: 1, ...next }));
    void navigate(`${paths.admin(language, 'experiments')}${address}`, {
      state: keepFocus,
      preventScrollReset: true,
    });
  };
  const sortBy = (sort: Column) => {
    const direction = state.sort === sort && state.direction === 'asc' ? 'desc' : 'asc';
    setSaid(t(`table.sorted.${direction}`, { column: t(`experimentTable.column.${sort}`) }));
    apply({ sort, direction });
  };
  return (
    <div className={classes.page}>
      <div className={classes.head}>
        <h1>{t('experimentTable.title')}</h1>
        <Button component={Link} to={paths.createExperiment(language)}>
          {t('experimentTable.new')}
        </Button>
      </div>
      {!user && (
        <EmptyState
          title={t('mode.signInFirst')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      )}
      {user && (
        <div className={classes.panel}>
          <div className={classes.tools}>
            <SearchField
              look="box"
              label={t('experimentTable.search')}
              keyword={state.keyword}
              onSearch={(keyword) => apply({ keyword })}
            />
            <Segments
              label={t('experimentTable.which')}
              value={state.isDisabled ? 'disabled' : 'standing'}
              segments={[
                { value: 'standing', label: t('experimentTable.standing') },
                { value: 'disabled', label: t('experimentTable.disabled') },
              ]}
              isSmall
              onChange={(which) => apply({ isDisabled: which === 'disabled' })}
            />
            <div className={classes.rows}>
              <span aria-hidden="true">{t('experimentTable.rows')}</span>
              <Segments
                label={t('experimentTable.rows')}
                value={state.rows}
                segments={[
                  { value: '10', label: '10' },
                  { value: 'all', label: t('experimentTable.all') },
                ]}
                isSmall
                onChange={(rows) => apply({ rows })}
              />
            </div>
          </div>
          <p role="status" className="tk-visually-hidden">
            {said}
          </p>
          {state.rows === 'all' ? (
            <AllRows state={state} onSort={sortBy} />
          ) : (
            <Pages state={state} onSort={sortBy} onPage={(page) => apply({ page })} />
          )}
        </div>
      )}
    </div>
  );
}
