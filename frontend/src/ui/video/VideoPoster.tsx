import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { videoSource, type VideoSource } from '../../domain/video';
import { PlayIcon } from '../icons';
import { lazyComponent } from '../lazyComponent';
import classes from './Video.module.css';

export interface VideoPosterProps {
  /** The address of a video on a known platform or of a video file; '' for none. */
  url: string;
  /** What the video is about; names the player for screen readers. */
  title: string;
  /** Shown until the video plays, usually a <Picture>. */
  poster: ReactNode;
  /** The duration in words, such as '2 min 10 s'. */
  length?: string;
  /** Plays without a click, after a "watch the video" link on another page. */
  startsPlaying?: boolean;
}

/** A cover with a play button. Without a video only the cover. */
export function VideoPoster({ url, poster, ...rest }: VideoPosterProps) {
  const source = videoSource(url);
  if (!source) return <div className={classes.root}>{poster}</div>;
  return <PlayerPoster source={source} poster={poster} {...rest} />;
}

const VideoPlayer = lazyComponent(() => import(/* webpackChunkName: "video-player" */ './VideoPlayer'), {
  skeleton: <div className={classes.player} />,
});

export interface PlayerPosterProps extends Pick<VideoPosterProps, 'title' | 'length' | 'startsPlaying'> {
  source: VideoSource;
  /** By default an empty box of the player's size. */
  poster?: ReactNode;
}

/** A poster with a play button, replaced by the player on click. Nothing is requested from the service before that. */
export function PlayerPoster({ source, title, poster, length, startsPlaying = false }: PlayerPosterProps) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(startsPlaying);
  const [hasFailed, setFailed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [wasPlayed, setPlayed] = useState(false);
  // When the player closes, the focus returns to the play button.
  useEffect(() => {
    if (wasPlayed && !isPlaying) button.current?.focus({ preventScroll: true });
  }, [wasPlayed, isPlaying]);

  if (isPlaying)
    return (
      <VideoPlayer
        source={source}
        title={title}
        takesFocus={wasPlayed}
        onClose={() => {
          setPlayed(true);
          setPlaying(false);
        }}
        onFail={() => {
          setPlayed(true);
          setPlaying(false);
          setFailed(true);
        }}
      />
    );
  const isAudio = source.platform !== 'file' && source.height !== undefined;
  const opens = source.platform === 'file' ? undefined : t(`player.opens.${source.platform}`);
  const play = () => {
    setPlayed(true);
    setFailed(false);
    setPlaying(true);
  };
  const prepare = () => void VideoPlayer.preload();
  return (
    <div className={classes.root} data-blank={poster ? undefined : true}>
      {poster ?? (
        <div
          className={classes.blank}
          style={isAudio ? { height: source.height } : undefined}
          aria-hidden="true"
        />
      )}
      <button
        ref={button}
        type="button"
        className={classes.play}
        onClick={play}
        onPointerEnter={prepare}
        onFocus={prepare}
      >
        <span className={classes.icon}>
          <PlayIcon />
        </span>
        <span className={classes.words}>
          <span className={classes.watch}>{t(isAudio ? 'player.listen' : 'video.watch')}</span>
          <span className={classes.opens}>{[length, opens].filter(Boolean).join(' · ')}</span>
        </span>
      </button>
      <div role="alert" className={classes.failure}>
        {hasFailed && (
          <>
            {t('player.failed')}{' '}
            {source.platform !== 'file' && (
              <a href={source.page} target="_blank" rel="noreferrer">
                {t(`player.elsewhere.${source.platform}`)}
              </a>
            )}
          </>
        )}
      </div>
    </div>
  );
}
