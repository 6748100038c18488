import { useEffect } from 'react';
import { useNotify } from '../notify';
import { useTexts } from './texts';
import { useSendLink } from './useSendLink';

export interface LikePendingNoticeProps {
  onShown: () => void;
}

/** Shows, once, a notice that a like does not count before the email address is confirmed. Renders nothing. */
export default function LikePendingNotice({ onShown }: LikePendingNoticeProps) {
  const texts = useTexts();
  const notify = useNotify();
  const { sendLink } = useSendLink();
  useEffect(() => {
    notify({
      tone: 'info',
      title: texts.likeTitle,
      text: texts.likeText,
      topic: 'like-pending',
      action: { label: texts.again, run: () => void sendLink() },
    });
    onShown();
  });
  return null;
}
