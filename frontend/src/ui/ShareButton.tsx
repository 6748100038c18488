import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from './Button';
import { ShareIcon } from './icons';
import { lazyPart } from './lazyPart';

const ShareDialog = lazyPart(() => import(/* webpackChunkName: "share" */ './ShareDialog'));

export interface ShareButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'children'> {
  title: string;
  /** Of the page to share, with its language. */
  path: string;
  /** Whoever shares has joined in and may say so. */
  hasJoined?: boolean;
}

/** Opens the ways to share a campaign. */
export function ShareButton({ title, path, hasJoined = false, ...button }: ShareButtonProps) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never');
  const words = t(hasJoined ? 'share.words.joined' : 'share.words.look', { title });
  return (
    <>
      <Button
        {...button}
        leftSection={<ShareIcon size={16} />}
        aria-haspopup="dialog"
        onClick={() => setDialog('open')}
      />
      {dialog !== 'never' && (
        <ShareDialog
          isOpen={dialog === 'open'}
          onClose={() => setDialog('closed')}
          title={title}
          words={words}
          url={window.location.origin + path}
        />
      )}
    </>
  );
}
