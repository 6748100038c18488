import { campaignStages } from '../../../domain/stages';
import { CreatorReview } from '../review/CreatorReview';
import { useWriting } from './context';
import { NotesHere } from './NotesHere';
import { useGoToPart } from './useGoToPart';

/** The review of a campaign that is not open yet, and what the reviewer has noted on the page as a whole. */
export function ReviewSteps() {
  const { admin, saver, refresh } = useWriting();
  const goTo = useGoToPart();
  if (admin.stage !== campaignStages.draft && admin.stage !== campaignStages.preparing) return null;
  return (
    <div>
      <CreatorReview
        admin={admin}
        onBefore={() => saver.flush()}
        onMoved={() => void refresh()}
        onMissing={(key) =>
          goTo(admin.review.checklist.find((item) => item.key === key && !item.done) ?? { key })
        }
      />
      <NotesHere parts={['whole']} />
    </div>
  );
}
