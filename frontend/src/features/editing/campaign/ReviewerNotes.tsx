import type { ReviewPart } from '../../../api/editing';
import { PartNotes } from '../review/PartNotes';
import { useEditor } from './useCampaignEditor';

export interface ReviewerNotesProps {
  /** The parts that are edited here, by their names in a review. */
  parts: readonly ReviewPart[];
}

/** The reviewer's notes on the parts that are edited here. */
export function ReviewerNotes({ parts }: ReviewerNotesProps) {
  const { admin, campaignId, refresh } = useEditor();
  return (
    <PartNotes campaignId={campaignId} review={admin.review} parts={parts} onChanged={() => void refresh()} />
  );
}
