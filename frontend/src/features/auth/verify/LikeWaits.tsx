import { useEffect } from 'react';
import { useNotify } from '../../../ui/notify';
import { useTexts } from './texts';
import { useSendLink } from './useSendLink';

export interface LikeWaitsProps {
  onTold: () => void;
}

/** Says why a like does not count yet, once. */
export default function LikeWaits({ onTold }: LikeWaitsProps) {
  const texts = useTexts();
  const notify = useNotify();
  const { sendLink } = useSendLink();
  useEffect(() => {
    notify({
      tone: 'info',
      title: texts.likeTitle,
      text: texts.likeText,
      topic: 'like-waits',
      action: { label: texts.again, run: () => void sendLink() },
    });
    onTold();
  });
  return null;
}
