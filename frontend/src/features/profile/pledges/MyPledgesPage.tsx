import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useSelector } from 'react-redux';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { useOwnPledgesQuery, type OwnPledge, type OwnPledgesAnswer } from '../../../api/own';
import { selectIsSignedIn } from '../../../api/session';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { useLanguage } from '../../../i18n';
import { Button } from '../../../ui/Button';
import { EmptyState } from '../../../ui/EmptyState';
import { keepFocus } from '../../../ui/page';
import { askToSignIn } from '../../../ui/signInPrompt';
import { useOwnActs } from './acts';
import { PledgeBlock, type PledgeBlockProps } from './PledgeBlock';
import { ToggleButton } from '../../../ui/ToggleButton';
import { usePageTitle } from '../../../ui/usePageTitle';
import { MoreButton } from '../../../ui/MoreButton';
import { useNow } from '../../../ui/useNow';
import { usePolling } from '../../../ui/usePolling';
import { OwnPage } from '../../../ui/own/OwnPage';
import { Unread } from '../../../ui/Unread';
import classes from './MyPledgesPage.module.css';
import { Sums } from './Sums';
import { UnderWayBoxes } from './UnderWayBoxes';
import { PrintedReceipts, YearReceipts } from './YearReceipts';

const pageSize = 24;
// The API's maximum.
const most = 300;

const filters = ['all', 'going_on', 'over'] as const;
type Filter = (typeof filters)[number];

const readFilter = (search: string): Filter =>
  filters.find((one) => one === new URLSearchParams(search).get('show')) ?? 'all';

/** Whether the payment may be confirmed at any moment: nobody waits longer than the reward is held. */
const isBeingPaid = ({ status, reserved_until }: OwnPledge, now: number) =>
  (status === 'created' || status === 'awaiting_payment' || status === 'processing') &&
  now < Date.parse(reserved_until);

/** What the signed-in person has backed, and where the money of each pledge is. */
export function Component() {
  const { t } = useTranslation();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const isSignedIn = useSelector(selectIsSignedIn);
  const filter = readFilter(useLocation().search);
  const [limit, setLimit] = useState(pageSize);
  const [printed, setPrinted] = useState<readonly OwnPledge[]>();
  const call = useOwnPledgesQuery(
    { language, limit, show: filter === 'all' ? undefined : filter },
    { skip: !isSignedIn },
  );
  const { data, error, refetch } = call;
  const now = useNow();
  // Who comes from the payment is faster than its confirmation.
  usePolling(data?.pledges.some((pledge) => isBeingPaid(pledge, now)) ?? false, () => void refetch());
  usePageTitle(t('myPledges.title'));
  const count = data ? data.going_on + data.over : 0;

  return (
    <OwnPage
      title={t('myPledges.title')}
      lead={`${count > 0 ? `${t('myPledges.count', { count })} ` : ''}${t('myPledges.lead')}`}
    >
      {(!isSignedIn || data !== undefined || error !== undefined) && (
        <UnderWayBoxes listed={data?.pledges ?? []} />
      )}
      {!isSignedIn ? (
        <EmptyState
          title={t('myPledges.signIn')}
          action={
            <Button variant="light" onClick={() => dispatch(askToSignIn())}>
              {t('nav.signIn')}
            </Button>
          }
        />
      ) : data && count === 0 ? (
        <EmptyState
          title={t('myPledges.none')}
          action={
            <Button component={Link} variant="light" to={paths.campaigns(language)}>
              {t('myPledges.noneAct')}
            </Button>
          }
        >
          {t('myPledges.noneText')}
        </EmptyState>
      ) : data ? (
        <div className={classes.list}>
          <div className={classes.screen}>
            <Sums sums={data.sums} />
            <div className={classes.choices}>
              <Filters answer={data} filter={filter} />
              <YearReceipts pledges={data.pledges} onPrint={setPrinted} />
            </div>
          </div>
          <Pledges answer={data} />
          {printed && <PrintedReceipts pledges={printed} onPrinted={() => setPrinted(undefined)} />}
          <div className={classes.screen}>
            <MoreButton
              shown={data.pledges.length}
              total={Math.min(data.total, most)}
              isLoading={call.isFetching}
              onMore={() => setLimit(Math.min(limit + pageSize, most))}
            />
          </div>
        </div>
      ) : (
        <Unread of={call} where="MyPledgesPage" lines={8} />
      )}
    </OwnPage>
  );
}

function Filters({ answer, filter }: { answer: OwnPledgesAnswer; filter: Filter }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const navigate = useNavigate();
  const counts = { all: answer.going_on + answer.over, going_on: answer.going_on, over: answer.over };
  const choose = (one: Filter) =>
    void navigate(paths.myPledges(language, one === 'all' ? {} : { show: one }), {
      state: keepFocus,
      preventScrollReset: true,
    });
  return (
    <ul aria-label={t('myPledges.filter')} className={classes.filters}>
      {filters.map((one) => (
        <li key={one}>
          <ToggleButton look="chip" isPressed={one === filter} onPress={() => choose(one)}>
            {t(`myPledges.filters.${one}`)} {counts[one]}
          </ToggleButton>
        </li>
      ))}
    </ul>
  );
}

function OwnBlock(props: Omit<PledgeBlockProps, 'acts' | 'claimOf'>) {
  const { pledge_id: pledgeId } = props.pledge;
  return <PledgeBlock {...props} acts={useOwnActs(pledgeId)} claimOf={{ pledgeId }} />;
}

function Pledges({ answer }: { answer: OwnPledgesAnswer }) {
  const { t } = useTranslation();
  const now = useNow();
  // One receipt at a time, so that printing prints that one.
  const [receipt, setReceipt] = useState<string>();
  if (answer.pledges.length === 0) return <EmptyState title={t('myPledges.noneOfThese')} />;
  return answer.pledges.map((pledge) => (
    <OwnBlock
      key={pledge.pledge_id}
      pledge={pledge}
      now={now}
      hasReceipt={receipt === pledge.pledge_id}
      onReceipt={(isOpen) => setReceipt(isOpen ? pledge.pledge_id : undefined)}
    />
  ));
}
