import { useState } from 'react';
import { useReviewChangesQuery, type CampaignAdmin, type ReviewedPart } from '../../../api/editing';
import { campaignStages } from '../../../domain/stages';
import { localDraft } from '../../../ui/saving/localDraft';
import { isSame } from '../partNames';
import { partsOf, partWith, type CampaignParts, type PartName } from './parts';

/**
 * Values that were typed over what staff have approved. They are not saved before their writer has agreed that they take
 * the campaign back into the queue; until then they are on the device.
 */
export function useHeld(admin: CampaignAdmin, userId: number) {
  const campaignId = admin.campaign_id;
  const [kept] = useState(() => localDraft<Partial<CampaignParts>>(userId, `campaign-held-${campaignId}`));
  const [held, setHeld] = useState<Partial<CampaignParts>>(() => kept.read() ?? {});
  const isApproved = admin.stage === campaignStages.preparing;
  const { currentData, refetch } = useReviewChangesQuery({ campaignId }, { skip: !isApproved });
  const waiting = (currentData?.parts ?? []).filter(
    ({ changed, kind }) => changed && kind === 'back_to_queue',
  );

  const keep = (next: Partial<CampaignParts>) => {
    setHeld(next);
    kept.write(Object.keys(next).length > 0 ? next : undefined);
  };
  const release = (part: PartName) =>
    keep(Object.fromEntries(Object.entries(held).filter(([name]) => name !== part)));
  return {
    held: isApproved ? held : {},
    /** The parts that staff look at again, with what was approved of them. */
    waiting: isApproved ? waiting : none,
    /** Takes a typed value; false if it may be saved without asking. */
    hold: <Name extends PartName>(part: Name, value: CampaignParts[Name]): boolean => {
      const now = partsOf(admin);
      if (!isApproved || isSame(value, now[part]) || !asks(admin, waiting, part, value)) {
        if (part in held) release(part);
        return false;
      }
      keep({ ...held, [part]: value });
      return true;
    },
    release,
    /** Reads again what waits, after a save. */
    reread: () => {
      if (isApproved) void refetch();
    },
  };
}

const none: readonly ReviewedPart[] = [];

/** Whether a change would take the campaign back into the queue: not if it waits for staff because of that part already. */
function asks(
  admin: CampaignAdmin,
  waiting: readonly ReviewedPart[],
  part: PartName,
  value: unknown,
): boolean {
  const row = partWith(admin, part);
  if (row?.kind !== 'back_to_queue' || waiting.some((one) => one.part === row.part)) return false;
  // Opening later promises nobody more.
  const firstDay = admin.settings.first_day_of_funding ?? '';
  return part !== 'first_day_of_funding' || typeof value !== 'string' || value < firstDay;
}
