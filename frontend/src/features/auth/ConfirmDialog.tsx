import { useOwnSecurityQuery } from '../../api/security';
import { useAppDispatch } from '../../api/useAppDispatch';
import { confirmAnswered } from '../../ui/confirmPrompt';
import { Dialog } from '../../ui/Dialog';
import { ErrorState } from '../../ui/ErrorState';
import { LinesSkeleton } from '../../ui/Skeletons';
import { useTexts } from './security/texts';
import { ConfirmIdentity } from './security/useConfirmed';

/** Asks who is signed in to show that it is still them, for an action of any page (askToConfirm). */
export default function ConfirmDialog({ isOpen }: { isOpen: boolean }) {
  const texts = useTexts();
  const dispatch = useAppDispatch();
  const { data, isError, refetch } = useOwnSecurityQuery(undefined, { skip: !isOpen });
  const close = () => void dispatch(confirmAnswered(false));
  if (data)
    return (
      <ConfirmIdentity
        isOpen={isOpen}
        state={data}
        onClose={close}
        onDone={() => void dispatch(confirmAnswered(true))}
      />
    );
  return (
    <Dialog isOpen={isOpen} onClose={close} title={texts.confirm.title}>
      {isError ? <ErrorState onRetry={() => void refetch()} /> : <LinesSkeleton lines={4} />}
    </Dialog>
  );
}
