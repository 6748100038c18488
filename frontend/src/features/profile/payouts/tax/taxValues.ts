import type { TaxDataChange, TaxDataValues, TaxKind, TaxNumberEnd } from '../../../../api/taxData';
import { homeCountry } from '../../../../domain/countries';
import { all, deliveryPostcode, maxLength, required, type Fault } from '../../../../domain/rules';
import type { Faults } from '../../../../ui/useAppForm';
import { isRegisterNumber, isTaxNumber, isVatNumber } from './taxNumbers';

/** The values of the form, with the names of the contract. */
export interface TaxValues {
  kind: TaxKind;
  first_name: string;
  last_name: string;
  /** YYYY-MM-DD */
  birth_date: string;
  legal_name: string;
  registration_number: string;
  street: string;
  postal_code: string;
  city: string;
  /** ISO 3166-1 alpha-2, as the other countries */
  country: string;
  issued_by: string;
  /** Of the tax number; empty while the one that is kept stays. */
  number: string;
  has_none: boolean;
  birth_city: string;
  birth_country: string;
  vat_id: string;
}

/** What the form begins with: what was given before, but for the tax number, of which only the end comes back. */
export const taxValuesOf = (
  given: TaxDataValues | undefined,
  name: Pick<TaxValues, 'first_name' | 'last_name'>,
): TaxValues => ({
  kind: given?.kind ?? 'person',
  first_name: given?.first_name ?? name.first_name,
  last_name: given?.last_name ?? name.last_name,
  birth_date: given?.birth_date ?? '',
  legal_name: given?.legal_name ?? '',
  registration_number: given?.registration_number ?? '',
  street: given?.address.street ?? '',
  postal_code: given?.address.postal_code ?? '',
  city: given?.address.city ?? '',
  country: given?.address.country ?? homeCountry,
  issued_by: given?.tin?.issued_by ?? homeCountry,
  number: '',
  has_none: given !== undefined && given.tin === undefined,
  birth_city: given?.birth_place?.birth_city ?? '',
  birth_country: given?.birth_place?.birth_country ?? homeCountry,
  vat_id: given?.vat_id ?? '',
});

/** Whether an association or a foundation is named, which need not have a business id. */
export const isInRegister = ({ kind, country, registration_number: registration }: TaxValues): boolean =>
  kind === 'business' && country === 'FI' && isRegisterNumber(registration);

/** Whether the one who is paid has said that they have no tax number, and may. */
export const isWithoutNumber = (values: TaxValues): boolean =>
  values.has_none && (values.kind === 'person' || isInRegister(values));

/** The number that stays when no other one is typed: of the same country and kind. */
export const keptNumber = (values: TaxValues, given: TaxDataValues | undefined): TaxNumberEnd | undefined =>
  given?.kind === values.kind && given.tin?.issued_by === values.issued_by ? given.tin : undefined;

const needed = (value: string, max: number) =>
  all<string, unknown>(required, maxLength(max))(value, undefined);

const unless = (isRight: boolean, key: Fault['key']): Fault | undefined => (isRight ? undefined : { key });

/** What is wrong with the values, by field. What needs the calendar or another country's rules, the server says. */
export function taxFaults(values: TaxValues, given: TaxDataValues | undefined): Faults {
  const isPerson = values.kind === 'person';
  const { number, registration_number: registration, country } = values;
  const numberFault =
    number.trim() === ''
      ? unless(keptNumber(values, given) !== undefined, 'required')
      : unless(isTaxNumber(values.issued_by, isPerson, number), 'taxNumber');
  const isChecked = country === 'FI' || country === 'SE';
  return {
    street: needed(values.street, 255),
    postal_code:
      maxLength(20)(values.postal_code, values) ?? deliveryPostcode(country)(values.postal_code, values),
    city: needed(values.city, 255),
    vat_id: unless(values.vat_id.trim() === '' || isVatNumber(values.vat_id), 'vatNumber'),
    ...(isPerson
      ? {
          first_name: needed(values.first_name, 100),
          last_name: needed(values.last_name, 100),
          birth_date: required(values.birth_date, values),
          ...(values.has_none ? { birth_city: needed(values.birth_city, 255) } : { number: numberFault }),
        }
      : {
          legal_name: needed(values.legal_name, 255),
          registration_number:
            needed(registration, 60) ??
            unless(
              !isChecked || isInRegister(values) || isTaxNumber(country, false, registration),
              'taxNumber',
            ),
          ...(isWithoutNumber(values) ? {} : { number: numberFault }),
        }),
  };
}

/** What is sent, made from a version. */
export function taxChange(values: TaxValues, version: number): TaxDataChange {
  const isPerson = values.kind === 'person';
  const said = (value: string) => (value.trim() === '' ? undefined : value.trim());
  return {
    version,
    kind: values.kind,
    ...(isPerson
      ? {
          first_name: said(values.first_name),
          last_name: said(values.last_name),
          birth_date: said(values.birth_date),
        }
      : { legal_name: said(values.legal_name), registration_number: said(values.registration_number) }),
    address: {
      street: values.street.trim(),
      postal_code: said(values.postal_code),
      city: values.city.trim(),
      country: values.country,
    },
    ...(isWithoutNumber(values)
      ? isPerson && {
          birth_place: { birth_city: values.birth_city.trim(), birth_country: values.birth_country },
        }
      : { tin: { issued_by: values.issued_by, number: said(values.number) } }),
    vat_id: said(values.vat_id),
  };
}
