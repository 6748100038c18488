import type { ComponentType } from 'react';
import { linkKind, type LinkKind } from '../domain/links';
import { icon, MailIcon, WorldIcon, type IconProps } from './icons';

// Apart from icons.tsx, so that a first visit does not fetch them.

const icons: Readonly<Record<LinkKind, ComponentType<IconProps>>> = {
  facebook: icon(
    'FacebookIcon',
    <path d="M7 10v4h3v7h4v-7h3l1-4h-4V8a1 1 0 0 1 1-1h3V3h-3a5 5 0 0 0-5 5v2z" />,
  ),
  twitter: icon('TwitterIcon', <path d="m4 4 11.733 16H20L8.267 4zm0 16 6.768-6.768M13.228 10.772 20 4" />),
  linkedin: icon(
    'LinkedinIcon',
    <path d="M8 11v5m0-8v.01M12 16v-5m4 5v-3a2 2 0 1 0-4 0M3 7a4 4 0 0 1 4-4h10a4 4 0 0 1 4 4v10a4 4 0 0 1-4 4H7a4 4 0 0 1-4-4z" />,
  ),
  instagram: icon(
    'InstagramIcon',
    <path d="M4 8a4 4 0 0 1 4-4h8a4 4 0 0 1 4 4v8a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4zm5 4a3 3 0 1 0 6 0 3 3 0 0 0-6 0m7.5-4.5v.01" />,
  ),
  email: MailIcon,
  www: WorldIcon,
};

export interface LinkKindIconProps extends IconProps {
  address: string;
}

/** The icon of a link's kind: facebook, twitter, linkedin, instagram, email or www. */
export function LinkKindIcon({ address, ...rest }: LinkKindIconProps) {
  const Icon = icons[linkKind(address)];
  return <Icon {...rest} />;
}
