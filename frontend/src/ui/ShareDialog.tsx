import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { shareLinks, type Shared } from '../domain/share';
import { Button } from './Button';
import { Dialog } from './Dialog';
import { TextField } from './fields';
import { CheckIcon, ExternalLinkIcon, MailIcon, ShareIcon } from './icons';
import classes from './ShareDialog.module.css';
import { useOpenedAfterMount } from './useOpenedAfterMount';

export interface ShareDialogProps extends Shared {
  isOpen: boolean;
  onClose: () => void;
}

/** Ways to share: copy the address, the device's share sheet if it has one, mail, WhatsApp, Facebook. */
export default function ShareDialog({ isOpen, onClose, ...shared }: ShareDialogProps) {
  const { t } = useTranslation();
  const { title, words, url } = shared;
  const { email, whatsapp, facebook } = shareLinks(shared);
  const [copying, setCopying] = useState<'not' | 'done' | 'refused'>('not');
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(url);
      setCopying('done');
    } catch {
      // No permission or no clipboard: the address can still be copied by hand.
      setCopying('refused');
    }
  };
  const elsewhere = {
    component: 'a',
    variant: 'outline',
    target: '_blank',
    rel: 'noopener noreferrer',
  } as const;
  return (
    <Dialog isOpen={useOpenedAfterMount(isOpen)} onClose={onClose} title={t('share.title')}>
      <div className={classes.ways}>
        <div className={classes.address}>
          <TextField
            label={t('share.address')}
            value={url}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <Button leftSection={copying === 'done' && <CheckIcon size={16} />} onClick={() => void copy()}>
            {t('share.copy')}
          </Button>
        </div>
        <p role="status" className={classes.told}>
          {copying === 'done' && t('share.copied')}
          {copying === 'refused' && t('share.copyByHand')}
        </p>
        {'share' in navigator && (
          <Button
            variant="outline"
            leftSection={<ShareIcon size={16} />}
            // Rejects when the user closes the share sheet, which is no error.
            onClick={() => void navigator.share({ title, text: words, url }).catch(() => undefined)}
          >
            {t('share.device')}
          </Button>
        )}
        <Button component="a" variant="outline" leftSection={<MailIcon size={16} />} href={email}>
          {t('share.email')}
        </Button>
        <Button {...elsewhere} leftSection={<ExternalLinkIcon size={16} />} href={whatsapp}>
          WhatsApp
        </Button>
        <Button {...elsewhere} leftSection={<ExternalLinkIcon size={16} />} href={facebook}>
          Facebook
        </Button>
      </div>
    </Dialog>
  );
}
