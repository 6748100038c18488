// The walk through the stand-in, in the official client's words.
const eur = (Amount) => ({ Currency: 'EUR', Amount });
const address = {
  AddressLine1: 'Katu 1',
  AddressLine2: 'A 2',
  City: 'Oulu',
  Region: 'Oulu',
  PostalCode: '90100',
  Country: 'FI',
};
const person = {
  FirstName: 'Olli',
  LastName: 'Omistaja',
  Birthday: 315532800,
  Nationality: 'FI',
  CountryOfResidence: 'FI',
};
const browser = {
  AcceptHeader: 'text/html',
  JavaEnabled: false,
  Language: 'fi-FI',
  ColorDepth: 24,
  ScreenHeight: 900,
  ScreenWidth: 1440,
  TimeZoneOffset: '-120',
  UserAgent: 'Check',
  JavascriptEnabled: true,
};
const frictionless = '4970107111111119';
const challenged = '4970105181818183';
const aPNG = Buffer.concat([Buffer.from('iVBORw0KGgo=', 'base64'), Buffer.alloc(1024)]).toString('base64');
const noUser = { parameters: { ScaContext: 'USER_NOT_PRESENT' } };

export async function steps(t) {
  const w = { ...t };
  await users(w);
  await proofs(w);
  await cards(w);
  await payIns(w);
  await recurring(w);
  await debits(w);
  await moneyBack(w);
  await disputes(w);
  await payOuts(w);
  await platform(w);
  await errors(w);
}

async function users(w) {
  const { api, does, control, assert } = w;
  w.payer = await does('make a payer', 'user.UserNaturalData', () =>
    api.Users.create({
      PersonType: 'NATURAL',
      UserCategory: 'PAYER',
      FirstName: 'Maija',
      LastName: 'M',
      Email: 'm@example.com',
      Address: address,
      TermsAndConditionsAccepted: true,
      Tag: 'payer',
    }),
  );
  assert.equal(w.payer.KYCLevel, 'LIGHT');
  await does('make a payer who is a company', 'user.UserLegalData', () =>
    api.Users.create({
      PersonType: 'LEGAL',
      UserCategory: 'PAYER',
      Name: 'Oy',
      Email: 'oy@example.com',
      LegalPersonType: 'BUSINESS',
      LegalRepresentativeFirstName: 'Liisa',
      LegalRepresentativeLastName: 'L',
      TermsAndConditionsAccepted: true,
    }),
  );
  w.classic = await does('make an owner the classic way', 'user.UserNaturalData', () =>
    api.Users.create({
      PersonType: 'NATURAL',
      UserCategory: 'OWNER',
      ...person,
      Email: 'o@example.com',
      Address: address,
      Occupation: 'Puuseppä',
      IncomeRange: 3,
      TermsAndConditionsAccepted: true,
    }),
  );
  w.firm = await does('make a company that owns, the classic way', 'user.UserLegalData', () =>
    api.Users.create({
      PersonType: 'LEGAL',
      UserCategory: 'OWNER',
      Name: 'Oy',
      Email: 'oy@example.com',
      LegalPersonType: 'BUSINESS',
      CompanyNumber: '1234567-8',
      HeadquartersAddress: address,
      LegalRepresentativeAddress: address,
      LegalRepresentativeFirstName: 'Liisa',
      LegalRepresentativeLastName: 'L',
      LegalRepresentativeEmail: 'l@example.com',
      LegalRepresentativeBirthday: 315532800,
      LegalRepresentativeNationality: 'FI',
      LegalRepresentativeCountryOfResidence: 'FI',
      TermsAndConditionsAccepted: true,
    }),
  );
  w.owner = await does('make an owner', 'user.UserNaturalScaData', () =>
    api.Users.create({
      NaturalSca: true,
      PersonType: 'NATURAL',
      UserCategory: 'OWNER',
      ...person,
      Email: 'olli@example.com',
      PhoneNumber: '+358401234567',
      PhoneNumberCountry: 'FI',
      Address: address,
      TermsAndConditionsAccepted: true,
    }),
  );
  assert.equal(w.owner.UserStatus, 'PENDING_USER_ACTION');
  assert.ok(w.owner.PendingUserAction.RedirectUrl);
  w.company = await does('make a company that owns', 'user.UserLegalScaData', () =>
    api.Users.create({
      LegalSca: true,
      PersonType: 'LEGAL',
      UserCategory: 'OWNER',
      Name: 'Oy',
      Email: 'oy@example.com',
      LegalPersonType: 'BUSINESS',
      CompanyNumber: '1234567-8',
      HeadquartersAddress: address,
      LegalRepresentative: {
        ...person,
        Email: 'l@example.com',
        PhoneNumber: '0401234567',
        PhoneNumberCountry: 'FI',
      },
      TermsAndConditionsAccepted: true,
    }),
  );
  w.later = await does('make a payer who will own', 'user.UserNaturalScaData', () =>
    api.Users.create({
      NaturalSca: true,
      PersonType: 'NATURAL',
      UserCategory: 'PAYER',
      FirstName: 'Maija',
      LastName: 'M',
      Email: 'maija+accept@example.com',
      TermsAndConditionsAccepted: true,
    }),
  );
  w.later = await does('a payer becomes an owner', 'user.UserNaturalScaData', () =>
    api.Users.categorize({
      NaturalSca: true,
      Id: w.later.Id,
      UserCategory: 'OWNER',
      TermsAndConditionsAccepted: true,
      Birthday: person.Birthday,
      Nationality: 'FI',
      CountryOfResidence: 'FI',
      PhoneNumber: '+358401234567',
    }),
  );
  assert.equal(w.later.UserCategory, 'OWNER');

  const before = await does('how an owner is enrolled, before', 'user.ScaStatus', () => api.Users.getScaStatus(w.owner.Id));
  assert.equal(before.IsEnrolled, false);
  await does('enrol again', 'user.UserEnrollmentResult', () => api.Users.enroll(w.owner.Id));
  for (const user of [w.owner, w.company, w.classic]) {
    await control('/users/enrol', { user: user.Id, pass: true });
  }
  const after = await does('how an owner is enrolled', 'user.ScaStatus', () => api.Users.getScaStatus(w.owner.Id));
  assert.equal(after.IsEnrolled, true);
  assert.equal(after.ConsentScope.Transfer, 'ACTIVE');
  await does('ask for consent', 'user.UserConsent', () => api.Users.manageConsent(w.owner.Id));
  const now = await does('read an owner', 'user.UserNaturalScaData', () => api.Users.getSca(w.owner.Id));
  assert.equal(now.UserStatus, 'ACTIVE');
  await does('read an owner by their kind', 'user.UserNaturalScaData', () => api.Users.getNaturalSca(w.owner.Id));
  await does('read a company by its kind', 'user.UserLegalScaData', () => api.Users.getLegalSca(w.company.Id));
  await does('read a payer', 'user.UserNaturalData', () => api.Users.get(w.payer.Id));
  await does('read a payer by their kind', 'user.UserNaturalData', () => api.Users.getNatural(w.payer.Id));
  await does('read a company the classic way', 'user.UserLegalData', () => api.Users.getLegal(w.firm.Id));
  await does('change a payer', 'user.UserNaturalData', () =>
    api.Users.update(
      new api.models.UserNatural({
        Id: w.payer.Id,
        FirstName: 'Maija',
        LastName: 'Muu',
        Email: 'm@example.com',
        UserCategory: 'PAYER',
        TermsAndConditionsAccepted: true,
      }),
    ),
  );
  await does('change an owner', 'user.UserNaturalScaData', () =>
    api.Users.updateSca({
      NaturalSca: true,
      PersonType: 'NATURAL',
      Id: w.owner.Id,
      FirstName: 'Olli',
      LastName: 'Uusi',
      TermsAndConditionsAccepted: true,
    }),
  );
  await does('list users', 'user.UserNaturalData[]', () =>
    api.Users.getAll({ parameters: { Per_Page: 1, Sort: 'CreationDate:ASC' } }),
  );
  assert.equal(w.exchange().headers['x-number-of-pages'], String(w.exchange().headers['x-number-of-items']));
  await does('what is kept from an owner', 'user.RegulatoryData', () => api.Users.getRegulatory(w.owner.Id));
}

async function proofs(w) {
  const { api, does, control, assert } = w;
  w.session = await does('verify an owner', 'identityVerification.IdentityVerificationData', () =>
    api.IdentityVerifications.create(w.owner.Id, { ReturnUrl: 'https://example.com/back', Tag: 'session' }),
  );
  assert.equal(w.session.Status, 'PENDING');
  await control('/verifications/end', { verification: w.session.Id, pass: true });
  const seen = await does('read a verification', 'identityVerification.IdentityVerificationData', () =>
    api.IdentityVerifications.get(w.session.Id),
  );
  assert.equal(seen.Status, 'VALIDATED');
  assert.equal(seen.Checks.length, 1);
  const failed = await does('verify a company', 'identityVerification.IdentityVerificationData', () =>
    api.IdentityVerifications.create(w.company.Id, { ReturnUrl: 'https://example.com/back' }),
  );
  await control('/verifications/end', { verification: failed.Id, pass: false });
  const refusal = await does('read one that failed', 'identityVerification.IdentityVerificationData', () =>
    api.IdentityVerifications.get(failed.Id),
  );
  assert.equal(refusal.Status, 'REFUSED');
  await does('list verifications', 'identityVerification.IdentityVerificationData[]', () =>
    api.IdentityVerifications.getAll(w.owner.Id),
  );
  assert.equal((await api.Users.getSca(w.owner.Id)).KYCLevel, 'REGULAR');

  const doc = await does('begin a document', 'kycDocument.KycDocumentData', () =>
    api.Users.createKycDocument(w.company.Id, { Type: 'IDENTITY_PROOF', Tag: 'refuse_unreadable' }),
  );
  await does('add a page', null, () => api.Users.createKycPage(w.company.Id, doc.Id, { File: aPNG }));
  await does('hand a document in', 'kycDocument.KycDocumentData', () =>
    api.Users.updateKycDocument(w.company.Id, {
      Id: doc.Id,
      Status: 'VALIDATION_ASKED',
      Tag: 'refuse_unreadable',
    }),
  );
  await control('/clock', { advance_seconds: 120 });
  const looked = await until(
    () => does('read a document', 'kycDocument.KycDocumentData', () => api.Users.getKycDocument(w.company.Id, doc.Id)),
    (d) => d.Status === 'REFUSED',
  );
  assert.equal(looked.RefusedReasonType, 'DOCUMENT_UNREADABLE');
  await does('read a document by itself', 'kycDocument.KycDocumentData', () => api.KycDocuments.get(doc.Id));
  await does('list documents of a user', 'kycDocument.KycDocumentData[]', () => api.Users.getKycDocuments(w.company.Id));
  await does('list documents', 'kycDocument.KycDocumentData[]', () => api.KycDocuments.getAll());
}

// until looks again for what happens by itself.
async function until(look, is) {
  for (let tries = 0; ; tries++) {
    const found = await look();
    if (is(found)) return found;
    if (tries > 50) throw new Error(`it does not happen: ${JSON.stringify(found)}`);
    await new Promise((done) => setTimeout(done, 20));
  }
}

async function cards(w) {
  const { api, does, assert } = w;
  w.wallet = await does('make a wallet', 'wallet.WalletData', () =>
    api.Wallets.create({ Owners: [w.owner.Id], Currency: 'EUR', Description: 'Campaign', Tag: 'wallet' }),
  );
  w.main = await does('make another', 'wallet.WalletData', () =>
    api.Wallets.create({ Owners: [w.owner.Id], Currency: 'EUR', Description: 'Main' }),
  );
  await does('read a wallet', 'wallet.WalletData', () => api.Wallets.get(w.wallet.Id, null, noUser));
  await does('change a wallet', 'wallet.WalletData', () =>
    api.Wallets.update(new api.models.Wallet({ Id: w.main.Id, Description: 'Main wallet', Tag: 'main' })),
  );
  await does('list wallets', 'wallet.WalletData[]', () => api.Users.getWallets(w.owner.Id, null, noUser));

  w.card = async (number) => {
    const registration = await does('begin a registration', 'cardRegistration.CardRegistrationData', () =>
      api.CardRegistrations.create({
        UserId: w.payer.Id,
        Currency: 'EUR',
        CardType: 'CB_VISA_MASTERCARD',
        Tag: 'card',
      }),
    );
    const data = await w.tokenise(registration, number);
    assert.match(data, /^data=/);
    const done = await does('finish a registration', 'cardRegistration.CardRegistrationData', () =>
      api.CardRegistrations.update({
        Id: registration.Id,
        RegistrationData: data,
        CardHolderName: 'Maija M',
      }),
    );
    assert.equal(done.Status, 'VALIDATED');
    await does('read a registration', 'cardRegistration.CardRegistrationData', () => api.CardRegistrations.get(registration.Id));
    return done.CardId;
  };
  w.cardId = await w.card(frictionless);
  w.askedId = await w.card(challenged);
  const bad = await api.CardRegistrations.create({ UserId: w.payer.Id, Currency: 'EUR' });
  const refusal = await does('finish a wrong registration', 'cardRegistration.CardRegistrationData', () =>
    api.CardRegistrations.update({ Id: bad.Id, RegistrationData: 'errorCode=02625' }),
  );
  assert.equal(refusal.Status, 'ERROR');
  assert.equal(refusal.ResultCode, '105202');
  const read = await does('read a card', 'card.CardData', () => api.Cards.get(w.cardId));
  assert.equal(read.Validity, 'UNKNOWN');
  await does('list cards', 'card.CardData[]', () => api.Users.getCards(w.payer.Id));
  const gone = await w.card(frictionless);
  const ended = await does('end a card', 'card.CardData', () => api.Cards.update({ Id: gone, Active: false }));
  assert.equal(ended.Active, false);
}

function direct(w, CardId, amount, more = {}) {
  return {
    PaymentType: 'CARD',
    ExecutionType: 'DIRECT',
    AuthorId: w.payer.Id,
    CreditedWalletId: w.wallet.Id,
    DebitedFunds: eur(amount),
    Fees: eur(0),
    CardId,
    SecureModeReturnURL: 'https://example.com/back',
    SecureMode: 'DEFAULT',
    BrowserInfo: browser,
    IpAddress: '192.0.2.1',
    Culture: 'FI',
    Tag: 'pay-in',
    ...more,
  };
}

async function payIns(w) {
  const { api, does, control, assert } = w;
  w.paid = await does('pay with a card', 'payIn.CardDirectPayInData', () =>
    api.PayIns.create(
      direct(w, w.cardId, 4200, {
        Billing: { FirstName: 'Maija', LastName: 'M', Address: address },
        Shipping: { FirstName: 'Maija', LastName: 'M', Address: address },
        StatementDescriptor: 'Talkoot',
      }),
    ),
  );
  assert.equal(w.paid.Status, 'SUCCEEDED');
  assert.equal(w.paid.ResultCode, '000000');
  assert.equal((await api.Cards.get(w.cardId)).Validity, 'VALID');
  const asked = await does('pay, and the bank asks', 'payIn.CardDirectPayInData', () =>
    api.PayIns.create(direct(w, w.askedId, 5000)),
  );
  assert.equal(asked.Status, 'CREATED');
  assert.equal(asked.SecureModeNeeded, true);
  await control('/challenges/answer', { pay_in: asked.Id, pass: true });
  w.second = await does('read a pay-in', 'payIn.CardDirectPayInData', () => api.PayIns.get(asked.Id));
  assert.equal(w.second.Status, 'SUCCEEDED');
  const declined = await does('pay, and the bank refuses', 'payIn.CardDirectPayInData', () =>
    api.PayIns.create(direct(w, w.cardId, 33305)),
  );
  assert.equal(declined.Status, 'FAILED');
  assert.equal(declined.ResultCode, '101101');
  const page = await does('pay on a page', 'payIn.CardWebPayInData', () =>
    api.PayIns.create({
      PaymentType: 'CARD',
      ExecutionType: 'WEB',
      AuthorId: w.payer.Id,
      CreditedWalletId: w.wallet.Id,
      DebitedFunds: eur(3000),
      Fees: eur(0),
      ReturnURL: 'https://example.com/back',
      CardType: 'CB_VISA_MASTERCARD',
      SecureMode: 'DEFAULT',
      Culture: 'FI',
      Tag: 'page',
    }),
  );
  assert.ok(page.RedirectURL);
  await control('/pay-ins/settle', { pay_in: page.Id, code: '101002' });
  const left = await does('read one that was left', 'payIn.CardWebPayInData', () => api.PayIns.get(page.Id));
  assert.equal(left.Status, 'FAILED');
  await does('list transactions of a wallet', 'transaction.TransactionData[]', () =>
    api.Wallets.getTransactions(w.wallet.Id, null, noUser),
  );
  await does('list transactions of a user', 'transaction.TransactionData[]', () => api.Users.getTransactions(w.payer.Id));
}

async function recurring(w) {
  const { api, does, control, assert } = w;
  const plan = await does('begin a recurring payment', 'payIn.PayInRecurringRegistrationData', () =>
    api.PayIns.createRecurringPayment({
      AuthorId: w.payer.Id,
      CardId: w.cardId,
      CreditedUserId: w.owner.Id,
      CreditedWalletId: w.wallet.Id,
      FirstTransactionDebitedFunds: eur(1000),
      FirstTransactionFees: eur(0),
      NextTransactionDebitedFunds: eur(1000),
      NextTransactionFees: eur(0),
      Frequency: 'Monthly',
      FixedNextAmount: true,
      FractionedPayment: false,
      Migration: false,
      Billing: { FirstName: 'Maija', LastName: 'M', Address: address },
      Shipping: { FirstName: 'Maija', LastName: 'M', Address: address },
    }),
  );
  const first = await does('its first pay-in', 'payIn.RecurringPayInData', () =>
    api.PayIns.createRecurringPayInRegistrationCIT({
      RecurringPayinRegistrationId: plan.Id,
      BrowserInfo: browser,
      IpAddress: '192.0.2.1',
      SecureModeReturnURL: 'https://example.com/back',
      StatementDescriptor: 'Talkoot',
      Tag: 'first',
      DebitedFunds: eur(1000),
      Fees: eur(0),
    }),
  );
  await control('/challenges/answer', { pay_in: first.Id, pass: true });
  const next = await does('its next', 'payIn.RecurringPayInData', () =>
    api.PayIns.createRecurringPayInRegistrationMIT({
      RecurringPayinRegistrationId: plan.Id,
      DebitedFunds: eur(1000),
      Fees: eur(0),
      StatementDescriptor: 'Talkoot',
      Tag: 'next',
    }),
  );
  assert.equal(next.Status, 'SUCCEEDED');
  const read = await does('read a recurring payment', 'payIn.PayInRecurringRegistrationData', () =>
    api.PayIns.getRecurringPayin(plan.Id),
  );
  assert.equal(read.CurrentState.PayinsLinked, 2);
  const ended = await does('end it', 'payIn.PayInRecurringRegistrationData', () =>
    api.PayIns.updateRecurringPayin(plan.Id, { Status: 'ENDED' }),
  );
  assert.equal(ended.Status, 'ENDED');
}

async function debits(w) {
  const { api, does, control, assert } = w;
  w.account = await does('add a bank account', 'bankAccount.IBANData', () =>
    api.Users.createBankAccount(w.payer.Id, {
      Type: 'IBAN',
      OwnerName: 'Maija M',
      OwnerAddress: address,
      IBAN: 'FI2112345600000785',
      BIC: 'NDEAFIHH',
    }),
  );
  await does('read a bank account', 'bankAccount.IBANData', () => api.Users.getBankAccount(w.payer.Id, w.account.Id));
  await does('list bank accounts', 'bankAccount.IBANData[]', () => api.Users.getBankAccounts(w.payer.Id));
  const mandate = await does('make a mandate', 'mandate.MandateData', () =>
    api.Mandates.create({
      BankAccountId: w.account.Id,
      Culture: 'EN',
      ReturnURL: 'https://example.com/back',
      ExecutionType: 'WEB',
      MandateType: 'DIRECT_DEBIT',
      Tag: 'mandate',
    }),
  );
  await control('/mandates/answer', { mandate: mandate.Id, confirm: true });
  const read = await does('read a mandate', 'mandate.MandateData', () => api.Mandates.get(mandate.Id));
  assert.equal(read.Status, 'SUBMITTED');
  const debit = await does('debit', 'payIn.DirectDebitDirectPayInData', () =>
    api.PayIns.create({
      PaymentType: 'DIRECT_DEBIT',
      ExecutionType: 'DIRECT',
      AuthorId: w.payer.Id,
      CreditedWalletId: w.wallet.Id,
      DebitedFunds: eur(2000),
      Fees: eur(0),
      MandateId: mandate.Id,
      StatementDescriptor: 'Talkoot',
      Tag: 'debit',
    }),
  );
  assert.equal(debit.Status, 'CREATED');
  await control('/pay-ins/settle', { pay_in: debit.Id, code: '000000' });
  w.debit = await does('read a debit', 'payIn.DirectDebitDirectPayInData', () => api.PayIns.get(debit.Id));
  assert.equal(w.debit.Status, 'SUCCEEDED');
  await does('what a mandate debited', 'transaction.TransactionData[]', () => api.Mandates.getTransactions(mandate.Id));
  await does('list mandates', 'mandate.MandateData[]', () => api.Mandates.getAll());
  await does('list mandates of a user', 'mandate.MandateData[]', () => api.Mandates.getMandatesForUser(w.payer.Id));
  await does('list mandates of an account', 'mandate.MandateData[]', () =>
    api.Mandates.getMandatesForBankAccount(w.payer.Id, w.account.Id),
  );
  const ended = await does('cancel a mandate', 'mandate.MandateData', () => api.Mandates.cancel(mandate.Id));
  assert.equal(ended.Status, 'FAILED');
  const gone = await does('end a bank account', 'bankAccount.IBANData', () =>
    api.Users.deactivateBankAccount(w.payer.Id, w.account.Id),
  );
  assert.equal(gone.Active, false);
}

async function moneyBack(w) {
  const { api, does, control, assert } = w;
  const part = await does('give a part back', 'refund.RefundData', () =>
    api.PayIns.createRefund(w.paid.Id, {
      AuthorId: w.payer.Id,
      DebitedFunds: eur(1200),
      Fees: eur(0),
      Tag: 'refund',
    }),
  );
  assert.equal(part.Status, 'SUCCEEDED');
  const more = await does('give more back than there is', 'refund.RefundData', () =>
    api.PayIns.createRefund(w.paid.Id, { AuthorId: w.payer.Id, DebitedFunds: eur(4000), Fees: eur(0) }),
  );
  assert.equal(more.ResultCode, '005403');
  await does('read a refund', 'refund.RefundData', () => api.Refunds.get(part.Id));
  await does('list refunds', 'refund.RefundData[]', () => api.PayIns.getRefunds(w.paid.Id));

  const moved = await does('move money', 'transfer.TransferData', () =>
    api.Transfers.create({
      AuthorId: w.owner.Id,
      CreditedUserId: w.owner.Id,
      DebitedFunds: eur(3000),
      Fees: eur(100),
      DebitedWalletId: w.wallet.Id,
      CreditedWalletId: w.main.Id,
      ScaContext: 'USER_NOT_PRESENT',
      Tag: 'transfer',
    }),
  );
  assert.equal(moved.Status, 'SUCCEEDED');
  await does('read a transfer', 'transfer.TransferData', () => api.Transfers.get(moved.Id));
  const undone = await does('undo a part of it', 'refund.RefundData', () =>
    api.Transfers.createRefund(moved.Id, { AuthorId: w.owner.Id, DebitedFunds: eur(500), Fees: eur(0) }),
  );
  assert.equal(undone.Type, 'TRANSFER');
  await does('list what was undone', 'refund.RefundData[]', () => api.Transfers.getRefunds(moved.Id));
  const theirs = await api.Wallets.create({ Owners: [w.later.Id], Currency: 'EUR', Description: 'Theirs' });
  await control('/users/kyc', { user: w.later.Id, level: 'REGULAR' });
  const asked = await does('move money to another owner', 'transfer.TransferData', () =>
    api.Transfers.create({
      AuthorId: w.owner.Id,
      DebitedFunds: eur(100),
      Fees: eur(0),
      DebitedWalletId: w.main.Id,
      CreditedWalletId: theirs.Id,
      ScaContext: 'USER_PRESENT',
    }),
  );
  assert.equal(asked.Status, 'CREATED');
  assert.ok(asked.PendingUserAction.RedirectUrl);
  await control('/transfers/answer', { transfer: asked.Id, pass: true });
  const passed = await does('read it', 'transfer.TransferData', () => api.Transfers.get(asked.Id));
  assert.equal(passed.Status, 'SUCCEEDED');
}

async function disputes(w) {
  const { api, does, control, assert } = w;
  await control('/disputes', { pay_in: w.second.Id, type: 'CONTESTABLE', amount: 0, reason: 'FRAUD' });
  const [open] = await does('list disputes of a pay-in', 'dispute.DisputeData[]', () =>
    api.Disputes.getDisputesForPayIn(w.second.Id),
  );
  assert.equal(open.Status, 'PENDING_CLIENT_ACTION');
  await does('list disputes', 'dispute.DisputeData[]', () => api.Disputes.getAll());
  await does('list disputes of a wallet', 'dispute.DisputeData[]', () => api.Disputes.getDisputesForWallet(w.wallet.Id));
  await does('list disputes of a user', 'dispute.DisputeData[]', () => api.Disputes.getDisputesForUser(w.payer.Id));
  await does('tag a dispute', 'dispute.DisputeData', () => api.Disputes.update({ Id: open.Id, Tag: 'ours' }));
  const doc = await does('begin a proof', 'disputeDocument.DisputeDocumentData', () =>
    api.Disputes.createDisputeDocument(open.Id, { Type: 'DELIVERY_PROOF', Tag: 'accept' }),
  );
  await does('add a page to it', null, () => api.Disputes.createDisputeDocumentPage(open.Id, doc.Id, { File: aPNG }));
  await does('look at its pages', 'disputeDocument.DocumentPageConsult[]', () =>
    api.DisputeDocuments.createDisputeDocumentConsult(doc.Id),
  );
  await does('hand it in', 'disputeDocument.DisputeDocumentData', () =>
    api.Disputes.updateDisputeDocument(open.Id, { Id: doc.Id, Status: 'VALIDATION_ASKED' }),
  );
  await does('read a proof', 'disputeDocument.DisputeDocumentData', () => api.DisputeDocuments.get(doc.Id));
  await does('list proofs of a dispute', 'disputeDocument.DisputeDocumentData[]', () =>
    api.Disputes.getDocumentsForDispute(open.Id),
  );
  await does('list proofs', 'disputeDocument.DisputeDocumentData[]', () => api.DisputeDocuments.getAll());
  const contested = await does('contest', 'dispute.DisputeData', () => api.Disputes.contestDispute(open.Id, eur(5000)));
  assert.equal(contested.Status, 'SUBMITTED');
  await control('/disputes/reopen', { dispute: open.Id, message: 'More is needed' });
  await does('contest once more', 'dispute.DisputeData', () => api.Disputes.resubmitDispute(open.Id));
  await control('/disputes/decide', { dispute: open.Id, result: 'LOST' });
  const lost = await does('read a dispute', 'dispute.DisputeData', () => api.Disputes.get(open.Id));
  assert.equal(lost.Status, 'CLOSED');
  const took = await does('read a repudiation', 'repudiation.RepudiationData', () =>
    api.Disputes.getRepudiation(lost.RepudiationId),
  );
  assert.equal(took.Nature, 'REPUDIATION');
  await does('what is to be settled', 'dispute.DisputeData[]', () => api.Disputes.getPendingSettlement());
  const made = await does('settle', 'settlementTransfer.SettlementTransferData', () =>
    api.Disputes.createSettlementTransfer(
      { AuthorId: w.owner.Id, DebitedFunds: eur(1000), Fees: eur(0), Tag: 'settlement' },
      lost.RepudiationId,
    ),
  );
  await does('read a settlement', 'settlementTransfer.SettlementTransferData', () => api.Disputes.getSettlementTransfer(made.Id));
  await does('what a dispute moved', 'transaction.TransactionData[]', () => api.Disputes.getTransactions(open.Id));
  await control('/disputes', {
    pay_in: w.debit.Id,
    type: 'CONTESTABLE',
    amount: 0,
    reason: 'AUTHORISATION_DISPUTED',
  });
  const [other] = await api.Disputes.getDisputesForPayIn(w.debit.Id);
  await control('/disputes/decide', { dispute: other.Id, result: 'WON' });
  const won = await does('read one that was won', 'dispute.DisputeData', () => api.Disputes.get(other.Id));
  const [back] = await does('what came back', 'refund.RefundData[]', () => api.Repudiations.getRefunds(won.RepudiationId));
  assert.equal(back.Status, 'SUCCEEDED');
  const question = await api.PayIns.create(direct(w, w.cardId, 2500));
  await control('/disputes', { pay_in: question.Id, type: 'RETRIEVAL', amount: 0, reason: '' });
  const [asked] = await api.Disputes.getDisputesForPayIn(question.Id);
  const given = await does('give in', 'dispute.DisputeData', () => api.Disputes.closeDispute(asked.Id));
  assert.equal(given.Status, 'CLOSED');
}

function recipient(more) {
  return {
    DisplayName: 'My account',
    PayoutMethodType: 'LocalBankTransfer',
    RecipientType: 'Individual',
    Currency: 'EUR',
    Country: 'FI',
    RecipientScope: 'PAYOUT',
    IndividualRecipient: { FirstName: 'Olli', LastName: 'Omistaja', Address: address },
    LocalBankTransfer: { EUR: { IBAN: 'FI2112345600000785' } },
    ...more,
  };
}

async function payOuts(w) {
  const { api, does, refused, control, assert } = w;
  await does('how can be paid out', 'recipient.PayoutMethodData', () => api.Recipients.getPayoutMethods('FI', 'EUR'));
  const schema = await does('what a recipient has', 'recipient.RecipientSchemaData', () =>
    api.Recipients.getSchema('LocalBankTransfer', 'Individual', 'EUR', 'FI'),
  );
  assert.equal(schema.LocalBankTransfer.EUR.IBAN.Required, true);
  await does('check a recipient', null, () => api.Recipients.validate(recipient(), w.owner.Id));
  await refused('check a wrong recipient', 400, () =>
    api.Recipients.validate(recipient({ LocalBankTransfer: { EUR: { IBAN: 'FI00' } } }), w.owner.Id),
  );
  const made = await does('make a recipient', 'recipient.RecipientData', () =>
    api.Recipients.create(recipient({ Tag: 'account' }), w.owner.Id),
  );
  assert.equal(made.Status, 'PENDING');
  assert.ok(made.PendingUserAction.RedirectUrl);
  await control('/recipients/answer', { recipient: made.Id, pass: true });
  const read = await does('read a recipient', 'recipient.RecipientData', () => api.Recipients.get(made.Id));
  assert.equal(read.Status, 'ACTIVE');
  await does('list recipients', 'recipient.RecipientData[]', () =>
    api.Recipients.getUserRecipients(w.owner.Id, null, { RecipientScope: 'PAYOUT' }),
  );
  const order = (amount, more = {}) => ({
    PaymentType: 'BANK_WIRE',
    AuthorId: w.owner.Id,
    DebitedWalletId: w.main.Id,
    DebitedFunds: eur(amount),
    Fees: eur(0),
    RecipientId: made.Id,
    BankWireRef: 'Talkoot',
    PayoutModeRequested: 'STANDARD',
    ...more,
  });
  const reach = await does('can it be instant', 'payOut.CheckPayOutEligibilityData', () =>
    api.PayOuts.checkEligibility({
      ...order(500),
      RecipientId: undefined,
      BankAccountId: made.Id,
      PayoutModeRequested: 'INSTANT_PAYMENT',
    }),
  );
  assert.equal(reach.InstantPayout.IsReachable, true);
  const out = await does('pay out', 'payOut.PayOutData', () => api.PayOuts.create(order(500, { Tag: 'payout' })));
  assert.equal(out.Status, 'CREATED');
  await control('/payouts/settle', { payout: out.Id, code: '000000' });
  const arrived = await does('read a payout', 'payOut.PayOutData', () => api.PayOuts.get(out.Id));
  assert.equal(arrived.Status, 'SUCCEEDED');
  await does('read a payout with its mode', 'payOut.PayOutData', () => api.PayOuts.getBankwire(out.Id));
  await control('/payouts/return', { payout: out.Id, reason: 'AC06_BLOCKED_BANKACCOUNT' });
  const [back] = await does('what came back of it', 'refund.RefundData[]', () => api.PayOuts.getRefunds(out.Id));
  assert.equal(back.RefundReason.RefundReasonType, 'AC06_BLOCKED_BANKACCOUNT');
  const ended = await does('end a recipient', 'recipient.RecipientData', () => api.Recipients.deactivate(made.Id));
  assert.equal(ended.Status, 'DEACTIVATED');
}

async function platform(w) {
  const { api, does, control, assert, refused } = w;
  await does('the platform’s wallets', 'wallet.ClientWalletData[]', () => api.Clients.getClientWallets());
  await does('those of a kind', 'wallet.ClientWalletData[]', () => api.Clients.getClientWalletsByFundsType('FEES'));
  const fees = await does('one of them', 'wallet.ClientWalletData', () => api.Clients.getClientWallet('FEES', 'EUR'));
  assert.equal(fees.Balance.Amount, 100);
  await does('what moved it', 'transaction.TransactionData[]', () => api.Clients.getClientWalletTransactions('FEES', 'EUR'));

  const hook = await does('make a hook', 'hook.HookData', () =>
    api.Hooks.create({ EventType: 'PAYIN_NORMAL_CREATED', Url: 'https://example.com/hook', Tag: 'hook' }),
  );
  await does('read a hook', 'hook.HookData', () => api.Hooks.get(hook.Id));
  const off = await does('change a hook', 'hook.HookData', () =>
    api.Hooks.update({
      Id: hook.Id,
      Status: 'DISABLED',
      Url: 'https://example.com/other',
      EventType: 'PAYIN_NORMAL_CREATED',
    }),
  );
  assert.equal(off.Status, 'DISABLED');
  await does('list hooks', 'hook.HookData[]', () => api.Hooks.getAll());
  const twice = await refused('make a hook twice', 400, () =>
    api.Hooks.create({ EventType: 'PAYIN_NORMAL_CREATED', Url: 'https://example.com/hook' }),
  );
  assert.ok(twice.errors.EventType);
  const events = await does('list events', 'event.EventData[]', () =>
    api.Events.getAll({
      parameters: { EventType: 'PAYIN_NORMAL_SUCCEEDED', Sort: 'Date:DESC', Per_Page: 5 },
    }),
  );
  assert.ok(events.length > 1 && events[0].ResourceId);
  await does('list all events', 'event.EventData[]', () => api.Events.getAll({ parameters: { Per_Page: 100 } }));

  const now = Math.floor(Date.now() / 1000);
  const report = await does('ask for a report', 'reportV2.ReportDataV2', () =>
    api.ReportsV2.create({
      DownloadFormat: 'CSV',
      ReportType: 'USER_WALLET_TRANSACTIONS',
      AfterDate: now - 86400,
      BeforeDate: now + 86400,
      Sort: 'CreationDate:DESC',
      Filters: { WalletId: w.wallet.Id },
      Tag: 'report',
    }),
  );
  assert.equal(report.Status, 'PENDING');
  await control('/clock', { advance_seconds: 10 });
  const ready = await until(
    () => does('read a report', 'reportV2.ReportDataV2', () => api.ReportsV2.get(report.Id)),
    (r) => r.DownloadURL,
  );
  const file = await (await fetch(ready.DownloadURL)).text();
  assert.ok(file.startsWith('ClientId,TransactionId,'), file.slice(0, 80));
  await does('list reports', 'reportV2.ReportDataV2[]', () => api.ReportsV2.getAll());
}

async function errors(w) {
  const { api, does, refused, assert, control } = w;
  const headers = { 'Idempotency-Key': `check-${Date.now()}-0123` };
  const made = await does('pay with a key', 'payIn.CardDirectPayInData', () =>
    api.PayIns.create(direct(w, w.cardId, 1500), null, { headers }),
  );
  const conflict = await refused('pay with it again', 409, () => api.PayIns.create(direct(w, w.cardId, 1500), null, { headers }));
  assert.equal(conflict.Type, 'idempotent_creation_conflict');
  delete api.requestOptions.headers['Idempotency-Key']; // the client keeps it for its next calls
  const kept = await does('what the key was answered', 'idempotency.IdempotencyData', () =>
    api.Idempotency.get(headers['Idempotency-Key']),
  );
  assert.equal(kept.StatusCode, '200');
  assert.equal(kept.Resource.Id, made.Id);
  assert.equal(api.rateLimits.length, 4);
  assert.deepEqual(
    api.rateLimits.map((limit) => limit.minutesInterval),
    [15, 30, 60, 1440],
  );

  const unknown = await refused('read a user who is not there', 404, () => api.Users.get('user_m_x'));
  for (const [name, type] of Object.entries({
    Message: 'string',
    Type: 'string',
    Id: 'string',
    Date: 'number',
    errors: 'object',
  })) {
    assert.equal(typeof unknown[name], type, name);
  }
  const missing = await refused('make a wallet of nobody', 400, () => api.Wallets.create({ Currency: 'EUR', Description: 'x' }));
  assert.ok(missing.errors.Owners);
  await control('/clock', { advance_seconds: 181 * 86400 });
  delete api.requestOptions.headers.Authorization; // which is over on that clock alone
  await refused('read a wallet without its owner', 401, () => api.Wallets.get(w.wallet.Id));
  assert.match(w.exchange().headers['www-authenticate'], /^PendingUserAction RedirectUrl=http/);
  delete api.requestOptions.headers.Authorization;
  api.config.clientApiKey = 'wrong';
  const denied = await refused('a wrong key', 401, () => api.Users.getAll());
  assert.equal(denied.error, 'invalid_client');
}
