import type { ApiError } from '../../../api/apiError';
import { useErrorText } from '../../../i18n/errorText';
import { ServerFaultText } from '../../../ui/FaultText';
import { AlertCircleIcon } from '../../../ui/icons';
import classes from './FieldTrouble.module.css';

/** Why the server does not take a field's text, under the field. */
export function FieldTrouble({ error }: { error?: ApiError }) {
  if (!error) return null;
  return (
    <p className={classes.root}>
      <AlertCircleIcon size={16} />
      <span>
        <FaultOf error={error} />
      </span>
    </p>
  );
}

/** The text of a refusal that is about one field: the field's own, if the server named it. */
export function FaultOf({ error }: { error: ApiError }) {
  const errorText = useErrorText();
  const [fault] = error.fields ?? [];
  return fault ? <ServerFaultText fault={fault} /> : errorText(error, 'CampaignEditor');
}
