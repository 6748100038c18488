import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useChangeExperimentFundingMutation } from '../../../api/experiments';
import { useLanguage } from '../../../i18n';
import { formatMoney } from '../../../i18n/format';
import { Button } from '../../../ui/Button';
import { TextField } from '../../../ui/fields';
import { Picture } from '../../../ui/Picture';
import { ApiErrorText } from '../campaign/FieldErrorText';
import { useAct } from '../useAct';
import classes from './ExperimentEditor.module.css';
import { idIn } from './idIn';
import { useEditor } from './useExperimentEditor';

/** The linked campaign, whose money is the crowd's part by itself; without one, the field that links it. */
export function CrowdEditor() {
  const { t } = useTranslation();
  const language = useLanguage();
  const { admin, experimentId, act } = useEditor();
  const [change] = useChangeExperimentFundingMutation();
  const [typed, setTyped] = useState('');
  const [isBad, setBad] = useState(false);
  const { run, failure, isBusy, forget } = useAct(act);
  const { crowd } = admin.funding.sources;

  const link = async (campaign_id: number) => {
    const error = await run((ifMatch) =>
      change({
        experimentId,
        'If-Match': ifMatch,
        experimentFundingChange: { sources: { crowd: { api: 'talkoot', campaign_id } } },
      }),
    );
    if (!error) setTyped('');
  };
  const submit = () => {
    const id = idIn(typed);
    setBad(id === undefined);
    if (id !== undefined) void link(id);
  };
  return (
    <>
      <h3>{t('experimentEdit.funding.crowd')}</h3>
      {crowd.campaign_id !== undefined ? (
        <div className={classes.linked}>
          {crowd.campaign && (
            <Picture
              name={crowd.campaign.image}
              alt=""
              ratio={1.6}
              widths={[160, 320]}
              sizes="6.5rem"
              shape="thumb"
              className={classes.thumb}
            />
          )}
          <div className={classes.wide}>
            {crowd.campaign && <strong>{crowd.campaign.title}</strong>}
            <p className={classes.quiet}>
              {t(crowd.campaign ? 'experimentEdit.funding.linked' : 'experimentEdit.funding.draft', {
                id: crowd.campaign_id,
              })}
            </p>
          </div>
          <span className={classes.money}>
            {crowd.hidden
              ? t('experimentEdit.funding.hidden')
              : formatMoney(language, crowd.raised, { cents: false, currency: admin.funding.currency })}
          </span>
          <Button
            variant="transparent"
            color="danger"
            size="sm"
            loading={isBusy}
            onClick={() => void link(0)}
          >
            {t('experimentEdit.funding.unlink')}
          </Button>
        </div>
      ) : (
        <form
          className={classes.fields}
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <TextField
            label={t('experimentEdit.funding.campaign')}
            help={t('experimentEdit.funding.campaignHelp')}
            className={classes.wide}
            value={typed}
            error={
              isBad ? t('experimentEdit.funding.bad') : failure ? <ApiErrorText error={failure} /> : undefined
            }
            onChange={({ currentTarget }) => {
              setTyped(currentTarget.value);
              setBad(false);
              forget();
            }}
          />
          <Button type="submit" variant="light" loading={isBusy}>
            {t('experimentEdit.funding.link')}
          </Button>
        </form>
      )}
    </>
  );
}
