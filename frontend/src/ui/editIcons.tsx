import { icon } from './icons';

// The icons of editing, in a module of their own, so that pages for visitors need not load them.

export const BoldIcon = icon(
  'BoldIcon',
  <path d="M7 5h6a3.5 3.5 0 0 1 0 7H7zm6 7h1a3.5 3.5 0 0 1 0 7H7v-7" />,
);
export const ItalicIcon = icon('ItalicIcon', <path d="M11 5h6M7 19h6m1-14-4 14" />);
export const BulletListIcon = icon(
  'BulletListIcon',
  <path d="M9 6h11M9 12h11M9 18h11M5 6h.01M5 12h.01M5 18h.01" />,
);
export const OrderedListIcon = icon(
  'OrderedListIcon',
  <path d="M11 6h9m-9 6h9m-8 6h8M4 16a2 2 0 1 1 4 0c0 .591-.5 1-1 1.5L4 20h4M6 10V4L4 6" />,
);
export const LinkIcon = icon(
  'LinkIcon',
  <path d="m9 15 6-6m-4-3 .463-.536a5 5 0 0 1 7.071 7.072L18 13m-5 5-.397.534a5.068 5.068 0 0 1-7.127 0 4.972 4.972 0 0 1 0-7.071L6 11" />,
);
export const PhotoIcon = icon(
  'PhotoIcon',
  <path d="M15 8h.01M3 6a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v12a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3zm0 10 5-5c.928-.893 2.072-.893 3 0l5 5m-2-2 1-1c.928-.893 2.072-.893 3 0l3 3" />,
);
export const FilmIcon = icon(
  'FilmIcon',
  <path d="m15 10 4.553-2.276A1 1 0 0 1 21 8.618v6.764a1 1 0 0 1-1.447.894L15 14zM3 8a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2z" />,
);
export const UndoIcon = icon('UndoIcon', <path d="m9 14-4-4 4-4m-4 4h11a4 4 0 1 1 0 8h-1" />);
export const RedoIcon = icon('RedoIcon', <path d="m15 14 4-4-4-4m4 4H8a4 4 0 1 0 0 8h1" />);
export const CopyIcon = icon(
  'CopyIcon',
  <path d="M8 10a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2zm8-2V6a2 2 0 0 0-2-2H6a2 2 0 0 0-2 2v8a2 2 0 0 0 2 2h2" />,
);
export const TrashIcon = icon(
  'TrashIcon',
  <path d="M4 7h16m-10 4v6m4-6v6M5 7l1 12a2 2 0 0 0 2 2h8a2 2 0 0 0 2-2l1-12M9 7V4a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v3" />,
);
export const UploadIcon = icon(
  'UploadIcon',
  <path d="M4 17v2a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2v-2M7 9l5-5 5 5m-5-5v12" />,
);
export const PencilIcon = icon(
  'PencilIcon',
  <path d="M4 20h4L18.5 9.5a2.828 2.828 0 1 0-4-4L4 16zm9.5-13.5 4 4" />,
);
export const ChevronUpIcon = icon('ChevronUpIcon', <path d="m6 15 6-6 6 6" />);
export const ReceiptIcon = icon(
  'ReceiptIcon',
  <path d="M5 21V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2v16l-3-2-2 2-2-2-2 2-2-2zM9 7h6m-6 4h6m-2 4h2" />,
);
export const AltTextIcon = icon('AltTextIcon', <path d="M4 5h6v6H4zm0 10h16M4 19h10M14 5h6m-6 4h6" />);
export const ReplaceIcon = icon(
  'ReplaceIcon',
  <path d="M3 4a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1zm12 12a1 1 0 0 1 1-1h4a1 1 0 0 1 1 1v4a1 1 0 0 1-1 1h-4a1 1 0 0 1-1-1zM21 11V8a2 2 0 0 0-2-2h-6l3 3m0-6-3 3M3 13v3a2 2 0 0 0 2 2h6l-3-3m0 6 3-3" />,
);
export const ChartIcon = icon('ChartIcon', <path d="M4 20V10h4v10zm6 0V4h4v16zm6 0v-7h4v7zM3 20h18" />);
export const ShieldIcon = icon(
  'ShieldIcon',
  <path d="M12 3a12 12 0 0 0 8.5 3A12 12 0 0 1 12 21 12 12 0 0 1 3.5 6 12 12 0 0 0 12 3" />,
);
export const HistoryIcon = icon('HistoryIcon', <path d="M12 8v4l2 2M3.05 11a9 9 0 1 1 .5 4m-.5 5v-5h5" />);
export const NoteIcon = icon(
  'NoteIcon',
  <path d="M8 9h8m-8 4h5m-1 6-3 2v-3H6a3 3 0 0 1-3-3V7a3 3 0 0 1 3-3h12a3 3 0 0 1 3 3v5m-2 4v6m-3-3h6" />,
);
export const ChevronLeftIcon = icon('ChevronLeftIcon', <path d="m15 6-6 6 6 6" />);
export const ChevronRightIcon = icon('ChevronRightIcon', <path d="m9 6 6 6-6 6" />);
