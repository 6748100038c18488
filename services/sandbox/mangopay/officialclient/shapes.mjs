// Writes shapes.json: what the bodies of calls have, as the official client's typings declare them. node shapes.mjs [--check]
import { readFileSync, writeFileSync } from 'node:fs';
import { shapesOf } from './types.mjs';

// The type of each call's body; of several, a field is required that all require.
const bodies = {
  'POST users/natural': ['user.CreateUserNaturalPayerData', 'user.CreateUserNaturalOwnerData'],
  'PUT users/natural/{id}': ['user.UpdateUserNaturalData'],
  'POST users/legal': ['user.CreateUserLegalPayerData', 'user.CreateUserLegalOwnerData'],
  'PUT users/legal/{id}': ['user.UpdateUserLegalData'],
  'POST sca/users/natural': ['user.CreateUserNaturalScaData'],
  'PUT sca/users/natural/{id}': ['user.UpdateUserNaturalScaData'],
  'PUT sca/users/natural/{id}/category': ['user.CategorizeUserNatural'],
  'POST sca/users/legal': ['user.CreateUserLegalScaData'],
  'PUT sca/users/legal/{id}': ['user.UpdateUserLegalScaData'],
  'PUT sca/users/legal/{id}/category': ['user.CategorizeUserLegal'],
  'POST users/{user}/kyc/documents': ['kycDocument.CreateKycDocument'],
  'PUT users/{user}/kyc/documents/{id}': ['kycDocument.SubmitKycDocument'],
  'POST users/{user}/kyc/documents/{id}/pages': ['kycDocument.CreateKycPage'],
  'POST users/{user}/identity-verifications': ['identityVerification.CreateIdentityVerification'],
  'POST users/{user}/bankaccounts/iban': ['bankAccount.IBANDetails'],
  'POST users/{user}/recipients': ['recipient.CreateRecipientData'],
  'POST users/{user}/recipients/validate': ['recipient.CreateRecipientData'],
  'POST wallets': ['wallet.CreateWallet'],
  'PUT wallets/{id}': ['wallet.UpdateWallet'],
  'POST cardregistrations': ['cardRegistration.CreateCardRegistration'],
  'PUT cardregistrations/{id}': ['cardRegistration.UpdateCardRegistration'],
  'PUT cards/{id}': ['card.UpdateCard'],
  'POST payins/card/direct': ['payIn.CreateCardDirectPayIn'],
  'POST payins/card/web': ['payIn.CreateCardWebPayIn'],
  'POST payins/directdebit/direct': ['payIn.CreateDirectDebitDirectPayIn'],
  'POST recurringpayinregistrations': ['payIn.CreatePayInRecurringRegistration'],
  'PUT recurringpayinregistrations/{id}': ['payIn.UpdatePayInRecurringRegistration'],
  'POST payins/recurring/card/direct': ['payIn.CreateRecurringPayInCIT', 'payIn.CreateRecurringPayInMIT'],
  'POST payins/{id}/refunds': ['refund.CreatePayInRefund'],
  'POST transfers': ['transfer.CreateTransfer'],
  'POST transfers/{id}/refunds': ['refund.CreateTransferRefund'],
  'POST mandates/directdebit/web': ['mandate.CreateMandate'],
  'PUT disputes/{id}': ['dispute.UpdateDispute'],
  'PUT disputes/{id}/submit': ['dispute.SubmitDispute'],
  'POST disputes/{dispute}/documents': ['disputeDocument.CreateDisputeDocument'],
  'PUT disputes/{dispute}/documents/{id}': ['disputeDocument.SubmitDisputeDocument'],
  'POST disputes/{dispute}/documents/{id}/pages': ['disputeDocument.CreateDisputeDocumentPage'],
  'POST repudiations/{id}/settlementtransfer': ['settlementTransfer.CreateSettlementTransfer'],
  'POST payouts/bankwire': ['payOut.CreatePayOut'],
  'POST payouts/reachability': ['payOut.CheckPayOutEligibility'],
  'POST reporting/reports': ['reportV2.CreateReportV2'],
  'POST hooks': ['hook.CreateHook'],
  'PUT hooks/{id}': ['hook.UpdateHook'],
};

const lines = (fields) =>
  Object.entries(fields)
    .map(([name, field]) => `\t${JSON.stringify(name)}: ${JSON.stringify(field)}`)
    .join(',\n');

const shapes = shapesOf(bodies);
const text = `{\n${Object.entries(shapes)
  .map(([call, shape]) => `${JSON.stringify(call)}: {"kind":"object","fields":{\n${lines(shape.fields)}}}`)
  .join(',\n')}\n}\n`;
const file = new URL('./shapes.json', import.meta.url);
if (process.argv[2] === '--check') {
  if (readFileSync(file, 'utf8') !== text) {
    console.log('shapes.json is not what the typings say: node shapes.mjs');
    process.exitCode = 1;
  }
} else {
  writeFileSync(file, text);
}
