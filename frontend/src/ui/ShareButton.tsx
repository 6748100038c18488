import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, type ButtonProps } from './Button';
import { ShareIcon } from './icons';
import { lazyComponent } from './lazyComponent';

const ShareDialog = lazyComponent(() => import(/* webpackChunkName: "share" */ './ShareDialog'));

export interface ShareButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'children'> {
  title: string;
  /** The path of the page to share, with its language prefix. */
  path: string;
  /** The person has pledged, and the shared text says so. */
  isBacker?: boolean;
}

/** Opens the dialog to share a campaign. */
export function ShareButton({ title, path, isBacker = false, ...button }: ShareButtonProps) {
  const { t } = useTranslation();
  const [dialog, setDialog] = useState<'never' | 'open' | 'closed'>('never');
  const words = t(isBacker ? 'share.words.joined' : 'share.words.look', { title });
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
