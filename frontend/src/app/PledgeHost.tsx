import { useState } from 'react';
import { useMatches } from 'react-router-dom';
import { lazyComponent } from '../ui/lazyComponent';
import { useNamedDialog } from '../ui/useNamedDialog';
import { useTexts } from '../ui/useTexts';
import type { RouteHandle } from './routes';

const PledgeDialog = lazyComponent(
  () => import(/* webpackChunkName: "pledge-dialog" */ '../features/pledging/dialog/PledgeDialog'),
);

const names = ['pledge'] as const;
const textParts = ['forms', 'pledge'] as const;

/** The dialog in which a pledge is made on a campaign's page, when the address names it. Its code is loaded the first time. */
export function PledgeHost() {
  const { name, dismiss } = useNamedDialog(names);
  const match = useMatches().at(-1);
  const isCampaign = (match?.handle as RouteHandle | undefined)?.page === 'campaign';
  const isAsked = name !== undefined && isCampaign;
  const [wasAsked, setAsked] = useState(false);
  if (isAsked && !wasAsked) setAsked(true);
  const hasTexts = useTexts(wasAsked ? textParts : undefined);
  if (!wasAsked || !hasTexts) return null;
  const campaignId = Number(match?.params.campaignId);
  return <PledgeDialog campaignId={campaignId} isOpen={isAsked} onClose={dismiss} />;
}
