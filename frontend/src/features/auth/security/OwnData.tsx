import { useRef, useState } from 'react';
import { isApiError } from '../../../api/apiError';
import { readNow } from '../../../api/extra';
import { useLazyOwnDataQuery, type Security } from '../../../api/security';
import { useAppDispatch } from '../../../api/useAppDispatch';
import { useErrorText } from '../../../i18n/errorText';
import { platformDay } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { TrashIcon } from '../../../ui/editIcons';
import { useNotify } from '../../../ui/notify';
import { saveFile } from '../../../ui/saveFile';
import { EraseAccount } from './EraseAccount';
import { DownloadIcon } from './icons';
import { Row } from './Row';
import classes from './security.module.css';
import { useTexts } from './texts';
import { useConfirmed } from './useConfirmed';

/** A person's data: as a file to take along, and the way to erase them. */
export function OwnData({ state }: { state: Security }) {
  const texts = useTexts().data;
  const dispatch = useAppDispatch();
  const notify = useNotify();
  const errorText = useErrorText();
  const confirmed = useConfirmed(state);
  const [fetchData, { isFetching }] = useLazyOwnDataQuery();
  const [isErasing, setErasing] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  const download = async () => {
    const answer = await confirmed.run(() => fetchData());
    if (!answer) return;
    if (isApiError(answer.error)) notify({ tone: 'error', title: errorText(answer.error, 'OwnData') });
    if (answer.data === undefined) return;
    // The generated type is an object, but api/security.ts reads the response as text.
    const text = answer.data as unknown as string;
    saveFile([text], 'application/json', `${texts.fileName}-${platformDay(dispatch(readNow()))}.json`);
    notify({ tone: 'success', title: texts.downloaded });
  };
  const keep = () => {
    setErasing(false);
    opener.current?.focus();
  };
  return (
    <section className={classes.section} aria-labelledby="own-data">
      <h2 id="own-data" className={classes.title}>
        {texts.title}
      </h2>
      <p className={classes.text}>{texts.text}</p>
      <ul className={classes.rows}>
        <Row icon={<DownloadIcon />} title={texts.download} text={texts.downloadText}>
          <Button variant="outline" size="sm" loading={isFetching} onClick={() => void download()}>
            {texts.downloadDo}
          </Button>
        </Row>
        <Row icon={<TrashIcon />} title={texts.erase} text={texts.eraseText}>
          <Button
            ref={opener}
            variant="outline"
            size="sm"
            color="danger"
            aria-expanded={isErasing}
            onClick={() => setErasing(!isErasing)}
          >
            {texts.eraseOpen}
          </Button>
        </Row>
      </ul>
      {isErasing && <EraseAccount state={state} onKeep={keep} />}
      {confirmed.dialog}
    </section>
  );
}
