import type { ApiError } from '../../../api/apiError';
import { useErrorText } from '../../../i18n/errorText';
import { ServerFaultText } from '../../../ui/FaultText';
import { AlertCircleIcon } from '../../../ui/icons';
import classes from './FieldErrorText.module.css';

/** The server's error about a field, shown below the field. */
export function FieldErrorText({ error }: { error?: ApiError }) {
  if (!error) return null;
  return (
    <p className={classes.root}>
      <AlertCircleIcon size={16} />
      <span>
        <ApiErrorText error={error} />
      </span>
    </p>
  );
}

/** The text of an error about one field: the field's validation error if the server sent one, else the error's own. */
export function ApiErrorText({ error }: { error: ApiError }) {
  const errorText = useErrorText();
  const [fault] = error.fields ?? [];
  return fault ? <ServerFaultText fault={fault} /> : errorText(error, 'CampaignEditor');
}
