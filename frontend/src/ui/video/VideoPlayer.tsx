import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { FrameSource, VideoSource } from '../../domain/video';
import { Button } from '../Button';
import { usePlayerMessages } from './usePlayerMessages';
import classes from './Video.module.css';

export interface VideoPlayerProps {
  source: VideoSource;
  title: string;
  /** Moves the focus into the player, because the user pressed its play button. */
  takesFocus: boolean;
  onClose: () => void;
  /** Called when the player reports that it cannot play. */
  onFail: () => void;
}

/** A playing video, 360 pixels high, or audio, with a button that closes it and a link to its service. */
export default function VideoPlayer({ source, title, takesFocus, onClose, onFail }: VideoPlayerProps) {
  const { t } = useTranslation();
  const root = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) root.current?.querySelector<HTMLElement>('iframe, video')?.focus({ preventScroll: true });
  }, [takesFocus]);
  return (
    <div ref={root} className={classes.root}>
      {source.platform === 'file' ? (
        // Creators cannot upload captions; the story next to the video has the same content.
        // eslint-disable-next-line jsx-a11y/media-has-caption
        <video
          className={classes.player}
          controls
          autoPlay
          onError={onFail}
          preload="auto"
          aria-label={t('player.frame', { title })}
        >
          <source src={source.embed} type={source.type} onError={onFail} />
        </video>
      ) : (
        <Frame source={source} title={title} onFail={onFail} />
      )}
      <div className={classes.under}>
        <Button variant="transparent" size="sm" onClick={onClose}>
          {t(isAudio(source) ? 'player.closeSound' : 'player.close')}
        </Button>
        {source.platform !== 'file' && (
          <a href={source.page} target="_blank" rel="noreferrer">
            {t(`player.elsewhere.${source.platform}`)}
          </a>
        )}
      </div>
    </div>
  );
}

const isAudio = (source: VideoSource) => source.platform !== 'file' && source.height !== undefined;

function Frame({ source, title, onFail }: { source: FrameSource; title: string; onFail: () => void }) {
  const { t } = useTranslation();
  const frame = useRef<HTMLIFrameElement>(null);
  const isSilent = usePlayerMessages(frame, source, onFail);
  return (
    <>
      <iframe
        ref={frame}
        className={classes.player}
        style={source.height ? { height: source.height } : undefined}
        src={source.embed}
        title={t(isAudio(source) ? 'player.sound' : 'player.frame', { title })}
        allow="autoplay; encrypted-media; picture-in-picture; fullscreen"
        referrerPolicy="strict-origin-when-cross-origin"
        allowFullScreen
      />
      <p role="status" className={classes.silent}>
        {isSilent && t('player.silent')}
      </p>
    </>
  );
}
