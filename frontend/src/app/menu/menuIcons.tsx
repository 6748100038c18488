import { icon } from '../../ui/icons';

export const PledgesIcon = icon(
  'PledgesIcon',
  <path d="M19.5 12.6 12 20l-7.5-7.4A5 5 0 1 1 12 6.006 5 5 0 1 1 19.5 12.6M12 6 8.7 9.3a1 1 0 0 0 0 1.4l.5.6c.7.7 1.9.7 2.6 0l1-1a3.2 3.2 0 0 1 4.4 0l2.3 2.3m-7 2.9 2 2m.5-4.5 2 2" />,
);
export const CampaignsIcon = icon(
  'CampaignsIcon',
  <path d="M6 4h12a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2m0 9h12a2 2 0 0 1 2 2v3a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-3a2 2 0 0 1 2-2" />,
);
export const PersonIcon = icon(
  'PersonIcon',
  <path d="M8 7a4 4 0 1 0 8 0 4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2" />,
);
export const SignOutIcon = icon(
  'SignOutIcon',
  <path d="M14 8V6a2 2 0 0 0-2-2H5a2 2 0 0 0-2 2v12a2 2 0 0 0 2 2h7a2 2 0 0 0 2-2v-2M9 12h12l-3-3m0 6 3-3" />,
);
export const DeskIcon = icon(
  'DeskIcon',
  <path d="M12 3a12 12 0 0 0 8.5 3A12 12 0 0 1 12 21 12 12 0 0 1 3.5 6 12 12 0 0 0 12 3" />,
);
export const ReviewIcon = icon(
  'ReviewIcon',
  <path d="M10 12a2 2 0 1 0 4 0 2 2 0 0 0-4 0m2 6c-3.6 0-6.6-2-9-6 2.4-4 5.4-6 9-6s6.6 2 9 6M15 19l2 2 4-4" />,
);
