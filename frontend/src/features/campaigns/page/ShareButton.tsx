import { Button } from '../../../ui/Button';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router-dom';
import { ShareIcon } from '../../../ui/icons';
import { useNotify } from '../../../ui/notify';

export interface ShareButtonProps {
  title: string;
}

/** Opens the device's own sharing where there is one; else the address goes to the clipboard. */
export function ShareButton({ title }: ShareButtonProps) {
  const { t } = useTranslation();
  const notify = useNotify();
  const { pathname } = useLocation();

  const share = async () => {
    const url = window.location.origin + pathname;
    if ('share' in navigator) {
      // Closing the device's sheet is a choice, not a failure.
      await navigator.share({ title, url }).catch(() => undefined);
      return;
    }
    try {
      await (navigator as Navigator).clipboard.writeText(url);
      notify({ tone: 'success', title: t('campaign.copied') });
    } catch {
      // Without leave for the clipboard the address can still be read and copied by hand.
      notify({ tone: 'info', title: t('campaign.copyByHand'), text: url });
    }
  };

  return (
    <Button variant="outline" size="sm" leftSection={<ShareIcon size={16} />} onClick={() => void share()}>
      {t('campaign.share')}
    </Button>
  );
}
