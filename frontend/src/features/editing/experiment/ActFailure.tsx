import { useTranslation } from 'react-i18next';
import type { ApiError } from '../../../api/apiError';
import { useErrorText } from '../../../i18n/errorText';
import classes from './ExperimentEditor.module.css';
import { useFieldName } from './historyNames';

/** Why a press did nothing. If somebody else has changed the experiment meanwhile, it says what. */
export function ActFailure({ failure, where }: { failure?: ApiError; where: string }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const nameOf = useFieldName();
  const changed =
    failure?.http === 412 ? [...new Set((failure.fields ?? []).map(({ path }) => nameOf(path)))] : [];
  return (
    <p role="alert" className={classes.danger}>
      {failure && errorText(failure, where)}
      {changed.length > 0 && ` ${t('experimentEdit.changed', { what: changed.join(', ') })}`}
    </p>
  );
}
