import { icon } from '../../../ui/icons';

export const KeyIcon = icon(
  'KeyIcon',
  <path d="M16.6 3.6a2 2 0 0 1 2.8 0l1 1a2 2 0 0 1 0 2.8l-5.5 5.5a5 5 0 1 1-3.8-3.8zM8 16h.01" />,
);
export const CodeAppIcon = icon(
  'CodeAppIcon',
  <path d="M4 4h6v6H4zm0 10h6v6H4zm10 0h6v6h-6zm3-11v6m-3-3h6" />,
);
export const CodesIcon = icon(
  'CodesIcon',
  <path d="M11 6h9m-9 6h9m-9 6h9M4 16a2 2 0 1 1 4 0c0 .6-.5 1-1 1.5L4 20h4M6 10V4L4 6" />,
);
export const PhoneIcon = icon(
  'PhoneIcon',
  <path d="M8 3h8a1 1 0 0 1 1 1v16a1 1 0 0 1-1 1H8a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1m3 15h2" />,
);
export const ComputerIcon = icon(
  'ComputerIcon',
  <path d="M3 19h18M5 6a1 1 0 0 1 1-1h12a1 1 0 0 1 1 1v9H5z" />,
);
export const DownloadIcon = icon('DownloadIcon', <path d="M12 4v11m-4.5-4 4.5 4.5 4.5-4.5M5 20h14" />);
