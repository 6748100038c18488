import { paymentsBase as api } from "./paymentsBase";
const injectedRtkApi = api.injectEndpoints({
  endpoints: (build) => ({
    taxData: build.query<TaxDataApiResponse, TaxDataApiArg>({
      query: () => ({ url: `/api/users/me/tax-data` }),
    }),
    setTaxData: build.mutation<SetTaxDataApiResponse, SetTaxDataApiArg>({
      query: (queryArg) => ({
        url: `/api/users/me/tax-data`,
        method: "PUT",
        body: queryArg.taxDataChange,
      }),
    }),
    taxDataValues: build.query<TaxDataValuesApiResponse, TaxDataValuesApiArg>({
      query: () => ({ url: `/api/users/me/tax-data/values` }),
    }),
    taxReports: build.query<TaxReportsApiResponse, TaxReportsApiArg>({
      query: () => ({ url: `/api/users/me/tax-reports` }),
    }),
    taxReport: build.query<TaxReportApiResponse, TaxReportApiArg>({
      query: (queryArg) => ({
        url: `/api/users/me/tax-reports/${encodeURIComponent(String(queryArg.year))}`,
        params: {
          language: queryArg.language,
        },
      }),
    }),
  }),
  overrideExisting: false,
});
export { injectedRtkApi as generatedTaxData };
export type TaxDataApiResponse =
  /** status 200 How it stands; of what was given no more than its end */ TaxStanding;
export type TaxDataApiArg = void;
export type SetTaxDataApiResponse =
  /** status 200 How it stands; of what was given no more than its end */ TaxStanding;
export type SetTaxDataApiArg = {
  taxDataChange: TaxDataChange;
};
export type TaxDataValuesApiResponse = /** status 200 The data */ TaxDataValues;
export type TaxDataValuesApiArg = void;
export type TaxReportsApiResponse = /** status 200 The years */ TaxReports;
export type TaxReportsApiArg = void;
export type TaxReportApiResponse = /** status 200 The report */ Blob;
export type TaxReportApiArg = {
  year: number;
  /** Of its head */
  language: "fi" | "en" | "sv";
};
export type TaxPart =
  "name" | "birth_date" | "address" | "tin" | "registration_number";
export type TaxKind = "person" | "business";
export type TaxNumberEnd = {
  /** The country that has given it */
  issued_by: string;
  /** The last signs of the tax number */
  end: string;
};
export type TaxGiven = {
  kind: TaxKind;
  name: string;
  /** Of the address */
  country: string;
  tin?: TaxNumberEnd;
  given_at: string;
};
export type TaxStanding = {
  /** False of who has no payout account and has said nothing */
  is_asked: boolean;
  /** Of what was said; 0 of nothing */
  version: number;
  missing: TaxPart[];
  /** From when payouts wait, while something is missing */
  by?: string;
  /** Whether they do */
  is_held: boolean;
  /** The last reminder */
  reminded_at?: string;
  given?: TaxGiven;
};
export type ApiError = {
  status: string;
  code?: string;
  message: string;
  fields?: {
    path: string;
    rule: string;
    message: string;
  }[];
  /** Of status spending_limit_exceeded: currency, limit_minor, total_minor (what the month would come to) and month (YYYY-MM, the first that would cross the limit). Of payment_open_at_bank: until (a time), when it ends at the latest */
  params?: {
    [key: string]: any;
  };
  request_id: string;
};
export type TaxBirthPlace = {
  birth_city: string;
  birth_country: string;
};
export type TaxAddress = {
  street: string;
  postal_code?: string;
  city: string;
  country: string;
};
export type TaxNumberChange = {
  /** The country that has given it */
  issued_by: string;
  /** Without it the number stays that was said before, of the same country and kind */
  number?: string;
};
export type TaxDataChange = {
  /** Of what was read */
  version: number;
  kind: TaxKind;
  /** Of a person */
  first_name?: string;
  last_name?: string;
  /** yyyy-mm-dd */
  birth_date?: string;
  birth_place?: TaxBirthPlace;
  /** Of a business */
  legal_name?: string;
  registration_number?: string;
  address: TaxAddress;
  tin?: TaxNumberChange;
  /** With the letters of its country */
  vat_id?: string;
};
export type TaxDataValues = {
  version: number;
  kind: TaxKind;
  first_name?: string;
  last_name?: string;
  birth_date?: string;
  birth_place?: TaxBirthPlace;
  legal_name?: string;
  registration_number?: string;
  address: TaxAddress;
  tin?: TaxNumberEnd;
  vat_id?: string;
};
export type TaxQuarter = {
  /** Credited to the creator, less what went back to backers; our fee is not in it */
  consideration_minor: number;
  /** What we kept, with its tax */
  fee_minor: number;
  /** Payments of backers */
  activities: number;
};
export type TaxYear = {
  year: number;
  currency: string;
  /** Four */
  quarters: TaxQuarter[];
};
export type TaxReports = {
  years: TaxYear[];
};
export const {
  useTaxDataQuery,
  useLazyTaxDataQuery,
  useSetTaxDataMutation,
  useTaxDataValuesQuery,
  useLazyTaxDataValuesQuery,
  useTaxReportsQuery,
  useLazyTaxReportsQuery,
  useTaxReportQuery,
  useLazyTaxReportQuery,
} = injectedRtkApi;
