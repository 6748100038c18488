import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { videoSource } from '../domain/video';
import { PlayIcon } from './icons';
import classes from './VideoPoster.module.css';

export interface VideoPosterProps {
  url: string;
  /** The title of what the video is about; names the frame. */
  title: string;
  /** The cover, usually a <Picture>. */
  poster: ReactNode;
  /** Such as '2 min 10 s'. */
  length?: string;
}

const serviceNames = { youtube: 'YouTube', vimeo: 'Vimeo' } as const;

/** A cover with a play button. Nothing is asked from the video's service before the click. */
export function VideoPoster({ url, title, poster, length }: VideoPosterProps) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(false);
  const source = videoSource(url);

  if (!source) return <div className={classes.root}>{poster}</div>;
  if (isPlaying && source.platform === 'file') {
    return (
      // Creators upload no caption tracks; the story beside the video tells the same.
      // eslint-disable-next-line jsx-a11y/media-has-caption
      <video
        className={classes.player}
        controls
        autoPlay
        preload="auto"
        aria-label={t('video.frame', { title })}
      >
        <source src={source.embed} type={source.type} />
      </video>
    );
  }
  if (isPlaying) {
    return (
      <iframe
        className={classes.player}
        src={source.embed}
        title={t('video.frame', { title })}
        allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
        allowFullScreen
      />
    );
  }
  const opens =
    source.platform === 'file' ? undefined : t('video.opens', { service: serviceNames[source.platform] });
  return (
    <div className={classes.root}>
      {poster}
      <button type="button" className={classes.play} onClick={() => setPlaying(true)}>
        <span className={classes.icon}>
          <PlayIcon />
        </span>
        <span className={classes.words}>
          <span className={classes.watch}>{t('video.watch')}</span>
          <span className={classes.opens}>{[length, opens].filter(Boolean).join(' · ')}</span>
        </span>
      </button>
    </div>
  );
}
