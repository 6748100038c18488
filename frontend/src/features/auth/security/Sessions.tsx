import { useState } from 'react';
import { isApiError } from '../../../api/apiError';
import { readNow } from '../../../api/extra';
import {
  useEndOtherSessionsMutation,
  useEndSessionMutation,
  useOwnSessionsQuery,
  type OwnSession,
} from '../../../api/security';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { formatDateTime } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { useNotify } from '../../../ui/notify';
import { Unread } from '../../../ui/Unread';
import { ComputerIcon, PhoneIcon } from './icons';
import { Row } from './Row';
import classes from './security.module.css';
import { fill, useTexts } from './texts';

/** Where somebody is signed in, and the ways to end it. */
export function Sessions() {
  const texts = useTexts();
  const notify = useNotify();
  const errorText = useErrorText();
  const call = useOwnSessionsQuery();
  const { data } = call;
  const [endSession] = useEndSessionMutation();
  const [endOthers, { isLoading }] = useEndOtherSessionsMutation();
  const [ending, setEnding] = useState<string>();
  const tell = (failure: unknown, done: string) =>
    isApiError(failure)
      ? notify({ tone: 'error', title: errorText(failure, 'Sessions') })
      : notify({ tone: 'success', title: done });

  const end = async (sessionId: string) => {
    setEnding(sessionId);
    tell((await endSession({ sessionId })).error, texts.sessions.ended);
    setEnding(undefined);
  };
  return (
    <section className={classes.section} aria-labelledby="sessions">
      <h2 id="sessions" className={classes.title}>
        {texts.sessions.title}
      </h2>
      <p className={classes.text}>{texts.sessions.text}</p>
      {data ? (
        <ul className={classes.rows}>
          {data.sessions.map((one) => (
            <SessionRow
              key={one.session_id}
              session={one}
              isEnding={ending === one.session_id}
              onEnd={() => void end(one.session_id)}
            />
          ))}
        </ul>
      ) : (
        <Unread of={call} where="Sessions" lines={4} />
      )}
      {data && data.sessions.length > 1 && (
        <div className={classes.acts}>
          <Button
            variant="outline"
            loading={isLoading}
            onClick={() => void (async () => tell((await endOthers()).error, texts.sessions.othersEnded))()}
          >
            {texts.sessions.others}
          </Button>
        </div>
      )}
    </section>
  );
}

interface SessionRowProps {
  session: OwnSession;
  isEnding: boolean;
  onEnd: () => void;
}

function SessionRow({ session, isEnding, onEnd }: SessionRowProps) {
  const texts = useTexts();
  const language = useLanguage();
  const dispatch = useAppDispatch();
  const { kind, browser, system, seen_at, is_current } = session;
  const kindText = texts.sessions[kind];
  const name = system && kind !== 'unknown' ? `${kindText}, ${system}` : kindText;
  const isNow = is_current || dispatch(readNow()) - Date.parse(seen_at) < 10 * 60_000;
  const seen = isNow
    ? texts.sessions.now
    : fill(texts.sessions.last, { time: formatDateTime(language, seen_at) });
  return (
    <Row
      icon={kind === 'computer' ? <ComputerIcon /> : <PhoneIcon />}
      title={
        <>
          {name} {is_current && <span className={classes.badge}>{texts.sessions.this}</span>}
        </>
      }
      text={[browser, seen].filter(Boolean).join(', ')}
    >
      {!is_current && (
        <Button
          variant="outline"
          size="sm"
          loading={isEnding}
          aria-label={fill(texts.sessions.endOf, { name: [name, browser].filter(Boolean).join(', ') })}
          onClick={onEnd}
        >
          {texts.sessions.end}
        </Button>
      )}
    </Row>
  );
}
