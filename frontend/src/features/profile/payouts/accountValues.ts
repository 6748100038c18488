import type { CreatorAccount } from '../../../api/payees';
import { homeCountry } from '../../../domain/countries';
import { all, maxLength, required } from '../../../domain/rules';
import type { Faults } from '../../../ui/useAppForm';

/** Who an account may be of, as the form asks it. */
export const holders = ['person', 'association', 'company'] as const;
/** One of holders. */
export type Holder = (typeof holders)[number];

/** The values of the form, with the names of the contract. Those of the entity are sent for an entity alone. */
export interface AccountValues {
  paid_as: Holder;
  first_name: string;
  last_name: string;
  /** YYYY-MM-DD */
  birthdate: string;
  /** ISO 3166-1 alpha-2, as the other countries */
  nationality: string;
  residence_country: string;
  legal_name: string;
  company_number: string;
  AddressLine1: string;
  PostalCode: string;
  City: string;
  Country: string;
  terms_accepted: boolean;
}

/** What the form begins with. */
export const newAccount = (name: Pick<AccountValues, 'first_name' | 'last_name'>): AccountValues => ({
  paid_as: 'person',
  first_name: name.first_name,
  last_name: name.last_name,
  birthdate: '',
  nationality: homeCountry,
  residence_country: homeCountry,
  legal_name: '',
  company_number: '',
  AddressLine1: '',
  PostalCode: '',
  City: '',
  Country: homeCountry,
  terms_accepted: false,
});

const needed = (value: string, max: number) =>
  all<string, unknown>(required, maxLength(max))(value, undefined);

/** What is wrong with the values, by field. How old somebody has to be, the server says. */
export function accountFaults(values: AccountValues): Faults {
  return {
    first_name: needed(values.first_name, 100),
    last_name: needed(values.last_name, 100),
    birthdate: required(values.birthdate, values),
    terms_accepted: required(values.terms_accepted, values),
    ...(values.paid_as === 'company' && { company_number: needed(values.company_number, 50) }),
    ...(values.paid_as !== 'person' && {
      legal_name: needed(values.legal_name, 100),
      AddressLine1: needed(values.AddressLine1, 255),
      PostalCode: needed(values.PostalCode, 20),
      City: needed(values.City, 255),
    }),
  };
}

/** The order of an account. */
export function accountOrder(values: AccountValues, userId: number, returnUrl: string): CreatorAccount {
  const isPerson = values.paid_as === 'person';
  const isCompany = values.paid_as === 'company';
  return {
    type: isPerson ? 'natural' : 'legal',
    userId,
    owner: {
      first_name: values.first_name.trim(),
      last_name: values.last_name.trim(),
      birthdate: values.birthdate,
      nationality: values.nationality,
      residence_country: values.residence_country,
      terms_accepted: values.terms_accepted,
      return_url: returnUrl,
      ...(!isPerson && {
        legal_name: values.legal_name.trim(),
        legal_type: isCompany ? 'BUSINESS' : 'ORGANIZATION',
        ...(isCompany && { company_number: values.company_number.trim() }),
        headquarters: {
          AddressLine1: values.AddressLine1.trim(),
          PostalCode: values.PostalCode.trim(),
          City: values.City.trim(),
          Country: values.Country,
        },
      }),
    },
  };
}
