// What differs between the client's typings and the stand-in, and why the stand-in is right: patterns of the lines that check.mjs says.
// PHP is Mangopay's PHP client 4.4.0 (2026-08), which is newer than the Node client 1.68.0 (2026-03); "reference" is docs.mangopay.com.
export const known = [
  [/FlowDescriptor: is unknown/, 'PHP 4.2.0: pay-ins name their beneficiaries'],
  [/hook\.HookData Email: is unknown/, 'PHP 4.2.0: failing hooks are told of by mail'],
  [/ReportDataV2 DateRangeBy: is unknown/, 'PHP 4.2.0: reports by execution'],
  [/IdentityVerificationData PSCs: is unknown/, 'PHP 4.4.0: persons of significant control'],
  [/EventType: "RECURRING_REGISTRATION_\w+" is none of/, 'PHP, EventType'],
  [
    /(CardDirect|CardWeb|DirectDebitDirect|Recurring)PayInData (Culture|Shipping|BrowserInfo|IpAddress|Requested3DSVersion|Applied3DSVersion|CardId|CardInfo|TemplateURLOptions|PreferredCardNetwork): is unknown/,
    'PHP, PayInPaymentDetailsCard, PayInExecutionDetailsDirect and PayInExecutionDetailsWeb',
  ],
  [/Billing\.(FirstName|LastName): is unknown/, 'the typings note it as to be done; the CompleteBillingData beside it has them'],
  [/PayOutData FallbackReason: is unknown/, 'PHP, PayOutPaymentDetailsBankWire'],
  [/PayOutData (PendingUserAction|ScaContext): is missing/, 'the typings make a payout of a transfer; PHP does not'],
  [/InitialTransactionNature: is unknown/, 'recorded answers have it'],
  [/RepudiationData DisputeId: is unknown/, 'PHP, Repudiation'],
  [/RepudiationData RefundReason: is missing/, 'PHP, Repudiation has none'],
  [
    /SettlementTransferData (InitialTransactionId|InitialTransactionType|RefundReason): is missing/,
    'PHP, SettlementTransfer has none',
  ],
  [/PayInRecurringRegistrationData Result(Code|Message): is unknown/, 'PHP, RecurringPayInRegistration'],
  [/CurrentState\.LastPayinId: "[^"]*" is no number/, 'PHP: a string, as all ids are'],
  [
    /(RegulatoryData|PayoutMethodData|IdempotencyData) (Id|Tag|CreationDate): is missing/,
    'the typings make an entity of what has no id',
  ],
  [/IdempotencyData Date: "[^"]*" is no number/, 'PHP, Response: a text; the adapter does not read it'],
];
