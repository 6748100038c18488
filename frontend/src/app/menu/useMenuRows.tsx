import { useTranslation } from 'react-i18next';
import { useOwnMenuQuery, type OwnMenu } from '../../api/own';
import type { LocalUser } from '../../api/session';
import { mayAdminister } from '../../domain/access';
import type { Language } from '../../domain/languages';
import { paths } from '../../domain/paths';
import { securityPath } from '../../domain/securityPath';
import { useLanguage } from '../../i18n';
import { formatCount, formatDay, formatMoney } from '../../i18n/format';
import { Chip } from '../../ui/Chip';
import { CalendarIcon, LockIcon, PlusIcon, RefreshIcon } from '../../ui/icons';
import { lazyComponent } from '../../ui/lazyComponent';
import type { Row } from '../../ui/menu/MenuRow';
import { CampaignsIcon, DeskIcon, PersonIcon, PledgesIcon, ReviewIcon } from './menuIcons';

const ReviewCount = lazyComponent(() => import(/* webpackChunkName: "review-count" */ './ReviewCount'));

/** The rows of the reader's menu, in groups: staff's, their money, what they make, themselves. Read anew when it opens. */
export function useMenuRows(user: LocalUser): readonly (readonly Row[])[] {
  const { t } = useTranslation();
  const language = useLanguage();
  const { data } = useOwnMenuQuery(undefined, { refetchOnMountOrArgChange: true });
  const makes: Row =
    data?.campaigns === 0
      ? { to: paths.createCampaign(language), label: t('nav.start'), icon: <PlusIcon /> }
      : {
          to: paths.myCampaigns(language),
          label: t('menu.mine'),
          icon: <CampaignsIcon />,
          value:
            data && data.campaigns_waiting > 0 ? (
              <Chip tone="cloud">{t('menu.campaignsWait', { count: data.campaigns_waiting })}</Chip>
            ) : undefined,
        };
  const claims: readonly Row[] =
    data && data.claims > 0
      ? [
          {
            to: paths.claims(language),
            label: t('menu.claims'),
            icon: <RefreshIcon />,
            value:
              data.claims_waiting > 0 ? (
                <Chip tone="cloud">{t('menu.claimsWait', { count: data.claims_waiting })}</Chip>
              ) : undefined,
          },
        ]
      : [];
  return [
    ...(mayAdminister(user.scope)
      ? [
          [
            { to: paths.admin(language, 'campaigns'), label: t('menu.desk'), icon: <DeskIcon /> },
            {
              to: paths.reviews(language),
              label: t('menu.inReview'),
              icon: <ReviewIcon />,
              value: <ReviewCount />,
            },
          ],
        ]
      : []),
    [
      {
        to: paths.myPledges(language),
        label: t('menu.pledges'),
        icon: <PledgesIcon />,
        value: data && data.pledges > 0 ? formatCount(language, data.pledges) : undefined,
      },
      {
        to: paths.mySubscriptions(language),
        label: t('menu.monthly'),
        icon: <RefreshIcon />,
        value: data && (monthlySum(language, data) || t('menu.none')),
      },
      {
        to: paths.moneyCalendar(language),
        label: t('menu.calendar'),
        icon: <CalendarIcon />,
        value: data?.next_charge_on && t('menu.next', { day: formatDay(language, data.next_charge_on) }),
      },
    ],
    [makes, ...claims],
    [
      {
        to: paths.profile(language, 'me'),
        label: t('menu.profile'),
        icon: <PersonIcon />,
        value:
          data && data.invitations > 0 ? (
            <Chip tone="cloud">{t('menu.invitations', { count: data.invitations })}</Chip>
          ) : undefined,
      },
      { to: securityPath(language), label: t('menu.security'), icon: <LockIcon /> },
    ],
  ];
}

const monthlySum = (language: Language, { monthly }: OwnMenu) =>
  monthly.map(({ amount, currency }) => formatMoney(language, amount, { cents: true, currency })).join(' + ');
