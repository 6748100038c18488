import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useMyCampaignsQuery } from '../../../api/editing';
import type { CampaignPreview } from '../../../api/content';
import { selectIsSignedIn, selectUser } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { keepFocus } from '../../../ui/page';
import { askToSignIn } from '../../../ui/signInPrompt';
import { ToggleButton } from '../../../ui/ToggleButton';
import { Unread } from '../../../ui/Unread';
import { usePageTitle } from '../../../ui/usePageTitle';
import { countsOf, filters, groupsOf, needsAttention, readFilter, type Filter, type Group } from './groups';
import { LargeCampaign } from './LargeCampaign';
import classes from './MyCampaignsPage.module.css';
import { MyExperiments } from './MyExperiments';
import { OwnRow } from './OwnRow';

// The API's maximum page size. The page has no paging, because hardly anybody has more campaigns.
const limit = 100;

/** The campaigns whose teams the signed-in user is in, in groups, each with its state and next action. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const userId = useSelector(selectUser)?.user_id;
  const filter = readFilter(new URLSearchParams(useLocation().search));
  const call = useMyCampaignsQuery({ language, limit }, { skip: !isSignedIn });
  const { currentData } = call;
  usePageTitle(t('mine.title'));
  const campaigns = currentData?.previews ?? [];

  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.top}>
        <div>
          <h1 className="tk-form-title">{t('mine.title')}</h1>
          {isSignedIn && campaigns.length > 0 && <Lead campaigns={campaigns} />}
          {isSignedIn && (
            <p className={classes.lead}>
              <Link to={paths.profile(language, 'me')}>{t('mine.profile')}</Link>
            </p>
          )}
        </div>
        {isSignedIn && campaigns.length > 0 && <Filters campaigns={campaigns} filter={filter} />}
      </div>
      {!isSignedIn ? (
        <EmptyState
          title={t('mine.signIn')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      ) : currentData ? (
        <Groups groups={groupsOf(campaigns, filter)} isEmpty={campaigns.length === 0} />
      ) : (
        <Unread of={call} where="MyCampaignsPage" lines={8} />
      )}
      {isSignedIn && userId !== undefined && filter === 'all' && <MyExperiments userId={userId} />}
    </div>
  );
}

function Lead({ campaigns }: { campaigns: readonly CampaignPreview[] }) {
  const { t } = useTranslation();
  const open = countsOf(campaigns).open;
  const waiting = campaigns.filter(needsAttention).length;
  return (
    <p className={`tk-lead ${classes.lead}`}>
      {t('mine.lead', {
        open: open ? t('mine.open', { count: open }) : t('mine.openNone'),
        waits: waiting ? t('mine.waits', { count: waiting }) : t('mine.waitsNone'),
      })}
    </p>
  );
}

function Filters({ campaigns, filter }: { campaigns: readonly CampaignPreview[]; filter: Filter }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const counts = countsOf(campaigns);
  const choose = (one: Filter) =>
    void navigate(paths.myCampaigns(language, one === 'all' ? {} : { show: one }), {
      state: keepFocus,
      preventScrollReset: true,
    });
  return (
    <ul aria-label={t('mine.filter')} className={classes.filters}>
      {filters
        .filter((one) => one === 'all' || one === filter || counts[one] > 0)
        .map((one) => (
          <li key={one}>
            <ToggleButton look="chip" isPressed={one === filter} onPress={() => choose(one)}>
              {t(`mine.filters.${one}`)} {counts[one]}
            </ToggleButton>
          </li>
        ))}
    </ul>
  );
}

function Groups({ groups, isEmpty }: { groups: readonly Group[]; isEmpty: boolean }) {
  const { t } = useTranslation();
  const language = useLanguage();
  if (isEmpty)
    return (
      <EmptyState
        title={t('mine.none')}
        action={
          <Button component={Link} variant="light" to={paths.createCampaign(language)}>
            {t('nav.start')}
          </Button>
        }
      >
        {t('mine.noneText')}
      </EmptyState>
    );
  if (groups.length === 0) return <EmptyState title={t('mine.noneOfThese')} />;
  return groups.map(({ name, campaigns }) => {
    const [first, ...others] = campaigns;
    const large = name === 'open' ? first : undefined;
    const rows = large ? others : campaigns;
    // At most one button of a group is filled: that of the first campaign that needs attention.
    const urgent = campaigns.find(needsAttention);
    return (
      <section key={name} aria-label={t(`mine.groups.${name}`)} className={classes.group}>
        {large && <LargeCampaign campaign={large} isUrgent={large === urgent} />}
        {rows.length > 0 && (
          <>
            <h2 className={classes.groupTitle}>
              {t(`mine.groups.${name}`)} <span>{rows.length}</span>
            </h2>
            <ul className={classes.rows}>
              {rows.map((one) => (
                <OwnRow key={one.campaign_id} campaign={one} isUrgent={one === urgent} />
              ))}
            </ul>
          </>
        )}
      </section>
    );
  });
}
