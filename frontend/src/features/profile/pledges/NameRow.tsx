import { useState } from 'react';
import { Trans, useTranslation } from 'react-i18next';
import { isApiError } from '../../../api/apiError';
import { useChangePledgeMutation, type NameShown, type OwnPledge } from '../../../api/own';
import { useLanguage } from '../../../i18n';
import { useErrorText } from '../../../i18n/errorText';
import { Segments } from '../../../ui/Segments';
import classes from './MyPledgesPage.module.css';
import { Row } from './Row';

/** How others see the backer's name. A choice is saved at once. */
export function NameRow({ pledge }: { pledge: OwnPledge }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const errorText = useErrorText();
  const [change, { isLoading, isSuccess, originalArgs }] = useChangePledgeMutation();
  const [failure, setFailure] = useState('');
  const { first_name: first, last_name: last, pledge_id: pledgeId } = pledge;
  const initial = `${first} ${String.fromCodePoint(last.codePointAt(0) ?? 32)}.`;
  const saved = pledge.name_shown;
  const chosen = isLoading ? (originalArgs?.pledgeChange.name_shown ?? saved) : saved;

  const choose = async (name: NameShown) => {
    setFailure('');
    const { error } = await change({ pledgeId, language, pledgeChange: { name_shown: name } });
    if (isApiError(error)) setFailure(`${t('myPledges.failed')}. ${errorText(error, 'NameRow')}`);
  };

  return (
    <Row
      label={t('myPledges.name.label')}
      value={
        <>
          {chosen === 'anonymous' ? (
            t('myPledges.name.shownNot')
          ) : (
            <Trans
              t={t}
              i18nKey="myPledges.name.shown"
              values={{ name: chosen === 'initial' ? initial : `${first} ${last}` }}
              components={{ b: <b /> }}
            />
          )}
          <p className={classes.help}>{t('myPledges.name.creator')}</p>
        </>
      }
      action={
        <Segments<NameShown>
          label={t('myPledges.name.choose')}
          value={chosen}
          onChange={(name) => void choose(name)}
          segments={[
            { value: 'full_name', label: t('myPledges.name.full_name') },
            { value: 'initial', label: initial },
            { value: 'anonymous', label: t('myPledges.name.anonymous') },
          ]}
          isSmall
        />
      }
    >
      <span role="status" className="tk-visually-hidden">
        {isSuccess && !failure && t('myPledges.name.saved')}
      </span>
      <div role="alert">{failure && <p className={classes.failure}>{failure}</p>}</div>
    </Row>
  );
}
