import type { ReactNode } from 'react';

export interface IconProps {
  /** Side in pixels: 20 alone, 16 in a line of text. */
  size?: 16 | 20 | 24;
  className?: string;
}

/** Makes an icon component. Icons are outlines in the style of Tabler: a 24 px grid, one stroke width, round caps. */
export function icon(name: string, shapes: ReactNode) {
  function Icon({ size = 20, className }: IconProps) {
    return (
      <svg
        width={size}
        height={size}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={1.6}
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
        className={className}
      >
        {shapes}
      </svg>
    );
  }
  Icon.displayName = name;
  return Icon;
}

const circle = <circle cx="12" cy="12" r="9" />;

export const SearchIcon = icon('SearchIcon', <path d="M17 10a7 7 0 1 1-14 0 7 7 0 0 1 14 0m4 11-6-6" />);
export const MenuIcon = icon('MenuIcon', <path d="M4 6h16M4 12h16M4 18h16" />);
export const MoonIcon = icon(
  'MoonIcon',
  <path d="M12 3h.393a7.5 7.5 0 0 0 7.92 12.446A9 9 0 1 1 12 2.992z" />,
);
export const SunIcon = icon(
  'SunIcon',
  <>
    <circle cx="12" cy="12" r="4" />
    <path d="M3 12h1m8-9v1m8 8h1m-9 8v1M5.6 5.6l.7.7m12.1-.7-.7.7m0 11.4.7.7m-12.1-.7-.7.7" />
  </>,
);
export const CloseIcon = icon('CloseIcon', <path d="M18 6 6 18M6 6l12 12" />);
export const CheckIcon = icon('CheckIcon', <path d="m5 12 5 5L20 7" />);
export const CircleCheckIcon = icon(
  'CircleCheckIcon',
  <>
    {circle}
    <path d="m9 12 2 2 4-4" />
  </>,
);
export const InfoIcon = icon(
  'InfoIcon',
  <>
    {circle}
    <path d="M12 8h.01M11 12h1v4h1" />
  </>,
);
export const ClockIcon = icon(
  'ClockIcon',
  <>
    {circle}
    <path d="M12 7v5l3 3" />
  </>,
);
export const AlertCircleIcon = icon(
  'AlertCircleIcon',
  <>
    {circle}
    <path d="M12 8v4m0 4h.01" />
  </>,
);
export const AlertTriangleIcon = icon(
  'AlertTriangleIcon',
  <path d="M12 9v4m0 3h.01M10.363 3.591 2.257 17.125a1.914 1.914 0 0 0 1.636 2.871h16.214a1.914 1.914 0 0 0 1.636-2.87L13.637 3.59a1.914 1.914 0 0 0-3.274 0z" />,
);
export const UnpluggedIcon = icon(
  'UnpluggedIcon',
  <path d="m20 16-4 4m-9-8 5 5-1.5 1.5a3.536 3.536 0 1 1-5-5zm10 0-5-5 1.5-1.5a3.536 3.536 0 1 1 5 5zM3 21l2.5-2.5m13-13L21 3M10 11l-2 2m5 1-2 2m5 0 4 4" />,
);
export const RefreshIcon = icon(
  'RefreshIcon',
  <path d="M20 11A8.1 8.1 0 0 0 4.5 9M4 5v4h4m-4 4a8.1 8.1 0 0 0 15.5 2m.5 4v-4h-4" />,
);
export const PlayIcon = icon('PlayIcon', <path d="M7 4v16l13-8z" />);
export const HeartIcon = icon(
  'HeartIcon',
  <path d="M19.5 12.572 12 20l-7.5-7.428A5 5 0 1 1 12 6.006a5 5 0 1 1 7.5 6.572" />,
);
export const HeartFilledIcon = icon(
  'HeartFilledIcon',
  <path fill="currentColor" d="M19.5 12.572 12 20l-7.5-7.428A5 5 0 1 1 12 6.006a5 5 0 1 1 7.5 6.572z" />,
);
export const ShareIcon = icon(
  'ShareIcon',
  <>
    <circle cx="6" cy="12" r="3" />
    <circle cx="18" cy="6" r="3" />
    <circle cx="18" cy="18" r="3" />
    <path d="m8.7 10.7 6.6-3.4m-6.6 6 6.6 3.4" />
  </>,
);
export const ArrowLeftIcon = icon('ArrowLeftIcon', <path d="M19 12H5m6 6-6-6 6-6" />);
export const ChevronDownIcon = icon('ChevronDownIcon', <path d="m6 9 6 6 6-6" />);
export const PlusIcon = icon('PlusIcon', <path d="M12 5v14M5 12h14" />);
export const MinusIcon = icon('MinusIcon', <path d="M5 12h14" />);
export const CalendarIcon = icon(
  'CalendarIcon',
  <path d="M6 5h12a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2m2-2v4m8-4v4M4 11h16" />,
);
export const LockIcon = icon(
  'LockIcon',
  <>
    <rect x="5" y="11" width="14" height="10" rx="2" />
    <path d="M11 16a1 1 0 1 0 2 0 1 1 0 0 0-2 0M8 11V7a4 4 0 1 1 8 0v4" />
  </>,
);
export const EyeIcon = icon(
  'EyeIcon',
  <path d="M10 12a2 2 0 1 0 4 0 2 2 0 0 0-4 0m11 0c-2.4 4-5.4 6-9 6s-6.6-2-9-6c2.4-4 5.4-6 9-6s6.6 2 9 6" />,
);
export const EyeOffIcon = icon(
  'EyeOffIcon',
  <path d="M10.585 10.587a2 2 0 0 0 2.829 2.828m3.267 3.258A8.717 8.717 0 0 1 12 18c-3.6 0-6.6-2-9-6 1.272-2.12 2.712-3.678 4.32-4.674m2.86-1.146A9.055 9.055 0 0 1 12 6c3.6 0 6.6 2 9 6-.666 1.11-1.379 2.067-2.138 2.87M3 3l18 18" />,
);
export const CardIcon = icon(
  'CardIcon',
  <path d="M3 8a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v8a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zm0 2h18M7 15h.01M11 15h2" />,
);
export const ExternalLinkIcon = icon(
  'ExternalLinkIcon',
  <path d="M12 6H6a2 2 0 0 0-2 2v10a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2v-6m-7 1 9-9m-5 0h5v5" />,
);
export const WorldIcon = icon(
  'WorldIcon',
  <>
    {circle}
    <path d="M3.6 9h16.8M3.6 15h16.8M11.5 3a17 17 0 0 0 0 18m1-18a17 17 0 0 1 0 18" />
  </>,
);
export const MailIcon = icon(
  'MailIcon',
  <path d="M3 7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2zm0 0 9 6 9-6" />,
);
export const MapPinIcon = icon(
  'MapPinIcon',
  <path d="M9 11a3 3 0 1 0 6 0 3 3 0 0 0-6 0m8.7 5.7-4.3 4.2a2 2 0 0 1-2.8 0l-4.3-4.2a8 8 0 1 1 11.4 0" />,
);
export const PrinterIcon = icon(
  'PrinterIcon',
  <path d="M17 17h2a2 2 0 0 0 2-2v-4a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v4a2 2 0 0 0 2 2h2M17 9V5a2 2 0 0 0-2-2H9a2 2 0 0 0-2 2v4M7 15a2 2 0 0 1 2-2h6a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2z" />,
);
