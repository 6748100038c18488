import type { TFunction } from 'i18next';
import type { ErrorText } from '../../i18n/errorText';
import { stillClosing, type Failure } from './flow/failures';

/** The text that says why a submission stopped. */
export function failureText({ error }: Failure, t: TFunction, errorText: ErrorText): string {
  return error.status === stillClosing ? t('pledge.stillClosing') : errorText(error, 'PledgePage');
}
