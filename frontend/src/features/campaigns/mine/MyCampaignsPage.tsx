import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { isApiError } from '../../../api/apiError';
import { useMyCampaignsQuery } from '../../../api/editing';
import type { CampaignPreview } from '../../../api/content';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { ErrorState } from '../../../ui/ErrorState';
import { keepFocus } from '../../../ui/page';
import { askToSignIn } from '../../../ui/signInPrompt';
import { LinesSkeleton } from '../../../ui/Skeletons';
import { ToggleButton } from '../../../ui/ToggleButton';
import { usePageTitle } from '../../../ui/usePageTitle';
import { countsOf, groupsOf, readShow, shows, waits, type Group, type Show } from './groups';
import { LargeCampaign } from './LargeCampaign';
import classes from './MyCampaignsPage.module.css';
import { OwnRow } from './OwnRow';

// The API's largest page; hardly anybody has more campaigns.
const limit = 100;

/** The campaigns of the signed-in person's teams: what each waits for, in groups. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const errorText = useErrorText();
  const isSignedIn = useSelector(selectIsSignedIn);
  const show = readShow(new URLSearchParams(useLocation().search));
  const { currentData, error, refetch } = useMyCampaignsQuery({ language, limit }, { skip: !isSignedIn });
  usePageTitle(t('mine.title'));
  const campaigns = currentData?.previews ?? [];

  return (
    <div className={`tk-container ${classes.root}`}>
      <div className={classes.top}>
        <div>
          <h1 className="tk-form-title">{t('mine.title')}</h1>
          {isSignedIn && campaigns.length > 0 && <Lead campaigns={campaigns} />}
        </div>
        {isSignedIn && campaigns.length > 0 && <Filters campaigns={campaigns} show={show} />}
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
        <Groups groups={groupsOf(campaigns, show)} isEmpty={campaigns.length === 0} />
      ) : error ? (
        <ErrorState onRetry={refetch}>{isApiError(error) && errorText(error, 'MyCampaignsPage')}</ErrorState>
      ) : (
        <LinesSkeleton lines={8} />
      )}
    </div>
  );
}

function Lead({ campaigns }: { campaigns: readonly CampaignPreview[] }) {
  const { t } = useTranslation();
  const open = countsOf(campaigns).open;
  const waiting = campaigns.filter(waits).length;
  return (
    <p className={`tk-lead ${classes.lead}`}>
      {t('mine.lead', {
        open: open ? t('mine.open', { count: open }) : t('mine.openNone'),
        waits: waiting ? t('mine.waits', { count: waiting }) : t('mine.waitsNone'),
      })}
    </p>
  );
}

function Filters({ campaigns, show }: { campaigns: readonly CampaignPreview[]; show: Show }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const counts = countsOf(campaigns);
  const choose = (one: Show) =>
    void navigate(paths.myCampaigns(language, one === 'all' ? {} : { show: one }), {
      state: keepFocus,
      preventScrollReset: true,
    });
  return (
    <ul aria-label={t('mine.filter')} className={classes.filters}>
      {shows
        .filter((one) => one === 'all' || one === show || counts[one] > 0)
        .map((one) => (
          <li key={one}>
            <ToggleButton look="chip" isPressed={one === show} onPress={() => choose(one)}>
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
    // One filled button in a group at most: that of the first which waits for the team.
    const urgent = campaigns.find(waits);
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
