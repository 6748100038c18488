import type { TFunction } from 'i18next';
import type { ErrorText } from '../../i18n/errorText';
import type { Refusal } from './flow/answer';
import type { Failure } from './flow/failures';

/** The text that says why a submission stopped. */
export function failureText({ error }: Failure, t: TFunction, errorText: ErrorText): string {
  return refusalText(error, t, errorText, 'PledgePage');
}

/** The text of a refusal: the catalogue's, or the app's own. `where`: the component, for errors without a text. */
export function refusalText(error: Refusal, t: TFunction, errorText: ErrorText, where: string): string {
  switch (error.status) {
    case 'still_closing':
      return t('pledge.stillClosing');
    case 'choose_account':
      return t('pledge.bank.chooseAccount');
    case 'no_account':
      return t('pledge.bank.noAccount');
    case 'not_charged':
      return t('pledge.notCharged');
    default:
      return errorText(error, where);
  }
}
