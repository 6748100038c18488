import { asText } from './asText';
import { generatedTaxData, type TaxReportApiArg } from './taxData.generated';

export type * from './taxData.generated';

/** Who a creator is to the tax office. Nothing of it is kept once its part of the page has gone. */
const taxData = generatedTaxData.enhanceEndpoints({
  endpoints: {
    taxData: { keepUnusedDataFor: 0 },
    taxDataValues: { keepUnusedDataFor: 0 },
    taxReports: { keepUnusedDataFor: 0 },
    taxReport: (definition) => {
      definition.keepUnusedDataFor = 0;
      definition.query = ({ year, language }: TaxReportApiArg) => ({
        url: `/api/users/me/tax-reports/${year}`,
        params: { language },
        responseHandler: asText,
      });
    },
  },
});

export const {
  useLazyTaxDataValuesQuery,
  useLazyTaxReportQuery,
  useSetTaxDataMutation,
  useTaxDataQuery,
  useTaxReportsQuery,
} = taxData;
