import type { ReviewPart } from '../../../api/editing';
import { PartNotes } from '../review/PartNotes';
import { useWriting } from './context';

export interface NotesHereProps {
  /** The parts that are written here, by the names that reviewers know them by. */
  parts: readonly ReviewPart[];
}

/** What the reviewer has noted on the parts that are written here. */
export function NotesHere({ parts }: NotesHereProps) {
  const { admin, campaignId, refresh } = useWriting();
  return (
    <PartNotes campaignId={campaignId} review={admin.review} parts={parts} onChanged={() => void refresh()} />
  );
}
