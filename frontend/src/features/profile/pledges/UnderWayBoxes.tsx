import { useState } from 'react';
import { useSelector } from 'react-redux';
import { useCampaignQuery, type Campaign } from '../../../api/content';
import { readNow } from '../../../api/extra';
import type { OwnPledge } from '../../../api/own';
import { selectUser } from '../../../api/session';
import { paymentsUnderWay } from '../../../api/underWay';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { paths } from '../../../domain/paths';
import { isRecurring } from '../../../domain/stages';
import { useLanguage } from '../../../i18n';
import { UnderWayBox } from '../../../ui/underWay/UnderWayBox';
import { useUnderWay } from '../../../ui/underWay/useUnderWay';
import classes from './UnderWayBoxes.module.css';

/** Payments from this browser of which no answer was seen, of who is signed in or of a guest; not those that are listed. */
export function UnderWayBoxes({ listed }: { listed: readonly OwnPledge[] }) {
  const userId = useSelector(selectUser)?.user_id;
  return <BoxesOf key={userId} userId={userId} listed={listed} />;
}

function BoxesOf({ userId, listed }: { userId: number | undefined; listed: readonly OwnPledge[] }) {
  const dispatch = useAppDispatch();
  const [payments] = useState(() => paymentsUnderWay(userId, () => dispatch(readNow())));
  return payments
    .filter(({ pledgeId }) => !listed.some(({ pledge_id }) => pledge_id === pledgeId))
    .map(({ campaignId }) => <BoxOf key={campaignId} campaignId={campaignId} />);
}

function BoxOf({ campaignId }: { campaignId: number }) {
  const language = useLanguage();
  const { campaign } = useCampaignQuery({ campaignId, language }).data ?? {};
  return campaign && <Asked campaign={campaign} />;
}

function Asked({ campaign }: { campaign: Campaign }) {
  const language = useLanguage();
  const { campaign_id: id, slug, stage, title, currency } = campaign;
  const payment = useUnderWay(id, isRecurring(stage));
  if (!payment) return null;
  return (
    <section className={classes.root}>
      <p>{title}</p>
      <UnderWayBox payment={payment} currency={currency} path={paths.pledge(language, { id, slug })} />
    </section>
  );
}
