import './mantineStyles';
import '@mantine/core/styles/CloseButton.layer.css';
import '@mantine/core/styles/Notification.layer.css';
import '@mantine/notifications/styles.layer.css';
import { Button } from './Button';
import { Notifications, notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { AlertTriangleIcon, CircleCheckIcon, ClockIcon, InfoIcon } from './icons';
import { AppMantineProvider } from './AppMantineProvider';
import type { NumberedNotice } from './notify';
import classes from './Notices.module.css';

interface NoticesProps {
  waiting: readonly NumberedNotice[];
  onShown: (shown: readonly NumberedNotice[]) => void;
}

// In milliseconds. Notices about pledges, subscriptions, payouts and payments stay longer.
const noticeTime = 5_000;
const moneyNoticeTime = 10_000;

const icons = {
  success: <CircleCheckIcon />,
  info: <InfoIcon />,
  waiting: <ClockIcon />,
  error: <AlertTriangleIcon />,
};

// In pixels: the height at the bottom of the screen that a notice covers, and the maximum height of a bottom bar; what
// is higher is no bar and may be covered.
const noticeHeight = 140;
const maxBarHeight = 200;

/**
 * How far the notices are raised from the bottom of the screen, in pixels, so that they cover neither the bar that is
 * there nor the button that was just pressed, which has the focus.
 */
function bottomOffset(): number {
  const { innerHeight } = window;
  const tops = [...document.querySelectorAll('[data-bottom-bar]'), document.activeElement ?? document.body]
    .map((element) => element.getBoundingClientRect())
    .filter(
      ({ top, bottom, height }) => top < innerHeight && bottom > innerHeight - noticeHeight && height > 0,
    )
    .filter(({ height }) => height < maxBarHeight)
    .map(({ top }) => innerHeight - top);
  return Math.max(0, ...tops);
}

/** The toasts: at the bottom right, on a phone at the top, over no button. Hover and focus pause their timers. */
export default function Notices({ waiting, onShown }: NoticesProps) {
  const { t } = useTranslation();
  const topics = useRef(new Map<string, string>());
  const isPhone = window.matchMedia('(max-width: 40em)').matches;

  // They are kept outside of React, by numbers that begin anew with each app: another's would not be shown.
  useEffect(() => () => notifications.clean(), []);

  useEffect(() => {
    if (waiting.length === 0) return;
    document.documentElement.style.setProperty('--tk-notices-raised', `${bottomOffset()}px`);
    for (const { id, tone, title, text, action, isAboutMoney, topic } of waiting) {
      const name = `notice-${id}`;
      if (topic !== undefined) {
        const before = topics.current.get(topic);
        if (before !== undefined) notifications.hide(before);
        topics.current.set(topic, name);
      }
      notifications.show({
        id: name,
        title,
        message: (
          <div className={classes.message}>
            {text && <span>{text}</span>}
            {action && (
              <Button
                variant="outline"
                size="sm"
                onClick={() => {
                  notifications.hide(name);
                  action.run();
                }}
              >
                {action.label}
              </Button>
            )}
          </div>
        ),
        icon: icons[tone],
        role: tone === 'error' ? 'alert' : 'status',
        autoClose: isAboutMoney ? moneyNoticeTime : noticeTime,
        classNames: { root: `${classes.root} ${classes[tone]}`, icon: classes.icon, title: classes.title },
        closeButtonProps: { 'aria-label': t('action.close') },
      });
    }
    onShown(waiting);
  }, [waiting, onShown, t]);

  return (
    <AppMantineProvider>
      <Notifications
        position={isPhone ? 'top-center' : 'bottom-right'}
        className={classes.host}
        zIndex="var(--tk-z-toast)"
        pauseResetOnHover="notification"
      />
    </AppMantineProvider>
  );
}
