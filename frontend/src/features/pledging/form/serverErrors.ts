import type { FieldError } from '../../../api/apiError';
import type { Reward } from '../../../api/content';
import { questionField, type FieldName } from './values';

/** Renames the fields of the server's validation errors to those of this form. */
export function asFormErrors(errors: readonly FieldError[], reward: Reward | undefined): FieldError[] {
  return errors.map((error) => ({ ...error, path: formPath(error.path, reward) }));
}

/** The fields of a new account, by their names in the API. */
const accountFields: Readonly<Record<string, FieldName | undefined>> = {
  IBAN: 'bank_iban',
  OwnerName: 'bank_owner',
  'OwnerAddress.AddressLine1': 'bank_street',
  'OwnerAddress.PostalCode': 'bank_postcode',
  'OwnerAddress.City': 'bank_city',
  'OwnerAddress.Country': 'bank_country',
};

function formPath(path: string, reward: Reward | undefined): string {
  if (path === 'amount' && reward) return 'extra';
  const ofAccount = accountFields[path];
  if (ofAccount) return ofAccount;
  const question = /^pledge_meta\.custom_questions\.(\w+)$/.exec(path)?.[1];
  return question && reward ? questionField(reward.reward_id, question) : path;
}
