import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { videoSource, type VideoSource } from '../../domain/video';
import { PlayIcon } from '../icons';
import { lazyComponent } from '../lazyComponent';
import classes from './Video.module.css';

export interface VideoPosterProps {
  /** A platform's address of a video, a video's file, or nothing. */
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

/** A cover with a play button; the cover alone without a video. */
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
  /** Without one an empty box of the player's size stands for it. */
  poster?: ReactNode;
}

/** What stands in a player's place until it is asked for. Nothing is requested from its service before the click. */
export function PlayerPoster({ source, title, poster, length, startsPlaying = false }: PlayerPosterProps) {
  const { t } = useTranslation();
  const [isPlaying, setPlaying] = useState(startsPlaying);
  const [hasFailed, setFailed] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const [wasPlayed, setPlayed] = useState(false);
  // Whoever closes the player by keyboard goes on at its button.
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
  const isSound = source.platform !== 'file' && source.height !== undefined;
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
          style={isSound ? { height: source.height } : undefined}
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
          <span className={classes.watch}>{t(isSound ? 'player.listen' : 'video.watch')}</span>
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
