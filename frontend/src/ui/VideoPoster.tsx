import { useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { videoSource } from '../domain/video';
import { Button } from './Button';
import { PlayIcon } from './icons';
import classes from './VideoPoster.module.css';

export interface VideoPosterProps {
  url: string;
  /** What the video is about; names the player for screen readers. */
  title: string;
  /** Shown until the video plays, usually a <Picture>. */
  poster: ReactNode;
  /** Such as '2 min 10 s'. */
  length?: string;
  /** A link elsewhere led to the video: it plays without another click. */
  startsPlaying?: boolean;
}

const serviceNames = { youtube: 'YouTube', vimeo: 'Vimeo' } as const;

/** A cover with a play button. Nothing is requested from the video service before the click. */
export function VideoPoster({ url, title, poster, length, startsPlaying = false }: VideoPosterProps) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(startsPlaying);
  const [hasFailed, setFailed] = useState(false);
  const stop = (failed: boolean) => {
    setPlaying(false);
    setFailed(failed);
  };
  const source = videoSource(url);

  if (!source) return <div className={classes.root}>{poster}</div>;
  if (isPlaying && source.platform === 'file') {
    return (
      <Player onClose={() => stop(false)}>
        {/* Creators upload no caption tracks; the story beside the video tells the same. */}
        {/* eslint-disable-next-line jsx-a11y/media-has-caption */}
        <video
          className={classes.player}
          controls
          autoPlay
          onError={() => stop(true)}
          preload="auto"
          aria-label={t('video.frame', { title })}
        >
          <source src={source.embed} type={source.type} onError={() => stop(true)} />
        </video>
      </Player>
    );
  }
  if (isPlaying) {
    return (
      <Player onClose={() => stop(false)}>
        <iframe
          className={classes.player}
          src={source.embed}
          title={t('video.frame', { title })}
          allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
          referrerPolicy="strict-origin-when-cross-origin"
          allowFullScreen
        />
      </Player>
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
          <span className={classes.opens} role={hasFailed ? 'status' : undefined}>
            {hasFailed ? t('list.failed') : [length, opens].filter(Boolean).join(' · ')}
          </span>
        </span>
      </button>
    </div>
  );
}

/** The video with a button back to the cover: an iframe of another service does not report when it fails. */
function Player({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <div className={classes.root}>
      {children}
      <Button variant="transparent" size="sm" onClick={onClose}>
        {t('video.close')}
      </Button>
    </div>
  );
}
