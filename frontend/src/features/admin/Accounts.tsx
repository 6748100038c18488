import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { usePeopleAdminQuery, type PersonAdmin } from '../../api/people';
import { selectUser } from '../../api/session';
import { paths } from '../../domain/paths';
import { useLanguage } from '../../i18n';
import { formatDate } from '../../i18n/format';
import { Button } from '../../ui/Button';
import { Chip } from '../../ui/Chip';
import { EmptyState } from '../../ui/EmptyState';
import { keepFocus } from '../../ui/page';
import { Picture } from '../../ui/Picture';
import { SearchField } from '../../ui/SearchField';
import { ToggleButton } from '../../ui/ToggleButton';
import { Unread } from '../../ui/Unread';
import { Paging } from './Paging';
import { readOffset } from './paging';
import classes from './Accounts.module.css';
import { PersonDialog } from './PersonDialog';

const states = ['staff', 'verified', 'blocked'] as const;
type State = (typeof states)[number];
const pageSize = 24;

/** All accounts, for admins: searched, verified, given rights and blocked. */
export function Accounts() {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const search = new URLSearchParams(useLocation().search);
  const keyword = (search.get('keyword') ?? '').trim().slice(0, 100);
  const state = states.find((one) => one === search.get('state'));
  const offset = readOffset(search.get('offset'));
  const [chosen, setChosen] = useState<PersonAdmin>();
  const call = usePeopleAdminQuery({
    keyword: keyword || undefined,
    state,
    limit: pageSize,
    offset,
  });
  const { currentData } = call;
  const at = (next: { keyword?: string; state?: State; offset?: number }) =>
    paths.admin(language, 'people', { keyword, state, ...next });
  const go = (to: string) => void navigate(to, { state: keepFocus, preventScrollReset: true });

  return (
    <>
      <div className={classes.tools}>
        <SearchField
          look="box"
          label={t('people.staff.search')}
          keyword={keyword}
          onSearch={(next) => go(at({ keyword: next }))}
        />
        <ul aria-label={t('people.staff.state')} className={classes.states}>
          {([undefined, ...states] as const).map((one) => (
            <li key={one ?? 'all'}>
              <ToggleButton look="chip" isPressed={state === one} onPress={() => go(at({ state: one }))}>
                {t(`people.staff.states.${one ?? 'all'}`)}
              </ToggleButton>
            </li>
          ))}
        </ul>
      </div>
      {currentData ? (
        <>
          <p role="status" className={classes.count}>
            {t(currentData.total_is_more ? 'people.staff.countOver' : 'people.staff.count', {
              count: currentData.total,
            })}
          </p>
          {currentData.people.length === 0 && <EmptyState title={t('people.staff.none')} />}
          <ul className={classes.rows}>
            {currentData.people.map((person) => (
              <Account key={person.user_id} person={person} onOpen={() => setChosen(person)} />
            ))}
          </ul>
          <Paging
            offset={offset}
            shown={currentData.people.length}
            size={pageSize}
            total={currentData.total}
            to={(next) => at({ offset: next || undefined })}
          />
        </>
      ) : (
        <Unread of={call} where="AdminPeople" lines={12} />
      )}
      <PersonDialog
        // With the version there is now, as after somebody else has changed the account.
        person={currentData?.people.find(({ user_id: id }) => id === chosen?.user_id) ?? chosen}
        onClose={() => setChosen(undefined)}
      />
    </>
  );
}

function Account({ person, onOpen }: { person: PersonAdmin; onOpen: () => void }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const isOwn = useSelector(selectUser)?.user_id === person.user_id;
  const name = `${person.first_name} ${person.last_name}`;
  const { user_id: id, scope, settings, blocked } = person;
  return (
    <li className={classes.row}>
      <Picture
        name={person.image_filename}
        alt=""
        ratio={1}
        widths={[48, 96]}
        sizes="3rem"
        shape="round"
        className={classes.picture}
      />
      <div className={classes.who}>
        <h2 className={classes.name}>{name}</h2>
        <p className={classes.facts}>{person.email}</p>
        <p className={classes.facts}>
          {[
            t('people.staff.joined', { day: formatDate(language, person.joined_at) }),
            person.campaigns > 0 && t('people.campaigns', { count: person.campaigns }),
            person.experiments > 0 && t('people.experiments', { count: person.experiments }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <p className={classes.chips}>
        {isOwn && <Chip>{t('people.staff.you')}</Chip>}
        {scope.includes('admin') ? (
          <Chip tone="info">{t('people.staff.admin')}</Chip>
        ) : (
          scope.includes('edit') && <Chip tone="info">{t('people.staff.editor')}</Chip>
        )}
        {settings.verified && <Chip tone="spruce">{t('people.staff.verified')}</Chip>}
        {!settings.email_confirmed && <Chip tone="cloud">{t('people.staff.unconfirmed')}</Chip>}
        {blocked && <Chip tone="danger">{t('people.staff.blocked')}</Chip>}
      </p>
      <p className={classes.links}>
        <Link to={paths.admin(language, 'audit', { entity: 'user', entity_id: id })}>
          {t('people.staff.history')}
        </Link>
        <Link to={paths.admin(language, 'audit', { actor: id })}>{t('people.staff.did')}</Link>
        {!blocked && <Link to={paths.profile(language, id)}>{t('people.staff.page')}</Link>}
      </p>
      <Button variant="outline" size="sm" aria-label={t('people.staff.openOf', { name })} onClick={onOpen}>
        {t('people.staff.open')}
      </Button>
    </li>
  );
}
