import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { ShareIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';

export interface ShareButtonProps {
  title: string;
  /** Of the page to share, with its language. */
  path: string;
}

/** The device's own sharing where there is one; elsewhere the address is copied. */
export function ShareButton({ title, path }: ShareButtonProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const share = async () => {
    const url = window.location.origin + path;
    try {
      if ('share' in navigator) {
        await navigator.share({ title, url });
        return;
      }
      await window.navigator.clipboard.writeText(url);
      notify({ tone: 'success', title: t('thanks.copied') });
    } catch (error) {
      // Closing the device's own dialog is a choice, not a failure.
      if (error instanceof DOMException && error.name === 'AbortError') return;
      notify({ tone: 'info', title: t('thanks.copyYourself'), text: url });
    }
  };
  return (
    <Button size="lg" leftSection={<ShareIcon size={16} />} onClick={() => void share()}>
      {t('thanks.share')}
    </Button>
  );
}
