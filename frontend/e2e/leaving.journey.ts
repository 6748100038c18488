import { readFile } from 'node:fs/promises';
import { expect, type Locator, type Page } from '@playwright/test';
import enTexts from '../src/features/auth/security/en.json';
import fiTexts from '../src/features/auth/security/fi.json';
import enVerify from '../src/ui/verify/en.json';
import fiVerify from '../src/ui/verify/fi.json';
import enCatalogue from '../src/i18n/en.json';
import fiCatalogue from '../src/i18n/fi.json';
import { addAuthenticator } from './authenticator';
import { disappears, eventually, expectAccessible, expectNoSidewaysScroll, isAt, sees } from './checks';
import { freshCode } from './codes';
import { demoCampaign } from './demo';
import { desktop, phone } from './journey';
import { focused } from './keys';
import { theMailTo } from './mailbox';
import type { PageErrors } from './pageErrors';
import { cards, en, fi, fillCard, fillContact, fillSum, pressPay, seesThanks } from './paying';
import { platform } from './platform';
import { newAccount, type NewAccount } from './signing';

/** How a person acts on a page: with a finger or with the keys alone. */
interface Hand {
  press: (target: Locator) => Promise<void>;
  type: (field: Locator, text: string) => Promise<void>;
}

const finger: Hand = {
  press: (target) => target.tap(),
  type: (field, text) => field.fill(text),
};

const keys: Hand = {
  press: async (target) => {
    await reach(target);
    // A switch is a checkbox, which Enter does not change.
    await target.press((await target.getAttribute('role')) === 'switch' ? 'Space' : 'Enter');
  },
  type: async (field, text) => {
    await reach(field);
    await field.page().keyboard.press('Control+A');
    await field.page().keyboard.insertText(text);
  },
};

/** Presses Tab until the target has the focus, which has to be visible at every stop. */
async function reach(target: Locator) {
  await sees(target);
  const page = target.page();
  for (let press = 0; press < 150; press += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
    await focused(page);
  }
  throw new Error(`The keyboard does not reach ${target.toString()}.`);
}

/** What one language calls things. */
interface Language {
  prefix: string;
  texts: typeof fiTexts;
  verify: typeof fiVerify;
  words: typeof fiCatalogue;
  paying: typeof fi;
  resetMail: string;
  receipt: RegExp;
}

const finnish: Language = {
  prefix: '',
  texts: fiTexts,
  verify: fiVerify,
  words: fiCatalogue,
  paying: fi,
  resetMail: 'Aseta uusi salasana',
  receipt: /^Yksi kuitti, 31\.12\.\d{4} asti$/,
};
const english: Language = {
  prefix: '/en',
  texts: enTexts,
  verify: enVerify,
  words: enCatalogue,
  paying: en,
  resetMail: 'Set a new password',
  receipt: /^One receipt, until 31 Dec \d{4}$/,
};

/** One person's whole story: from registering, by all that protects the account, to leaving and coming back. */
class Story {
  private readonly account: NewAccount;
  private password: string;

  constructor(
    private readonly page: Page,
    private readonly errors: PageErrors,
    private readonly hand: Hand,
    private readonly language: Language,
    name: string,
  ) {
    this.account = newAccount(name);
    this.password = this.account.password;
  }

  private button(name: string, place: Page | Locator = this.page) {
    return place.getByRole('button', { name, exact: true });
  }

  private field(label: string, place: Page | Locator = this.page) {
    return place.getByLabel(label, { exact: true });
  }

  private dialog(name: string) {
    return this.page.getByRole('dialog', { name, exact: true });
  }

  /** Opens the sign-in dialog from the page about signing in, which asks who is not signed in. */
  private async openSignIn() {
    const { auth, nav } = this.language.words;
    await this.page.goto(`${this.language.prefix}/profile/me/security/`);
    await this.hand.press(this.button(nav.signIn, this.page.getByRole('main')));
    return this.dialog(auth.signInTitle);
  }

  async register() {
    const { auth } = this.language.words;
    const { first, last, email } = this.account;
    const signIn = await this.openSignIn();
    await this.hand.press(this.button(auth.makeAccount, signIn));
    const form = this.dialog(auth.signUpTitle);
    await this.hand.type(this.field(auth.firstName, form), first);
    await this.hand.type(this.field(auth.lastName, form), last);
    await this.hand.type(this.field(auth.email, form), email);
    await this.hand.type(this.field(auth.password, form), this.password);
    await this.hand.type(this.field(auth.passwordAgain, form), this.password);
    await this.hand.press(this.button(auth.makeAccount, form));
    await sees(this.page.getByText(this.language.texts.leadNone));
  }

  async verify() {
    let link = '';
    await eventually(
      async () => {
        const response = await fetch(
          `${platform().mail}/api/messages?to=${encodeURIComponent(this.account.email)}`,
        );
        const { messages } = (await response.json()) as { messages: { text: string }[] };
        link = messages.map(({ text }) => /\S+\/verify-email\/\S+/.exec(text)?.[0] ?? '').join('');
      },
      () => expect(link).not.toBe(''),
    );
    const { pathname, hash } = new URL(link);
    await this.page.goto(pathname + hash);
    await this.hand.press(this.button(this.language.verify.confirm));
    await sees(this.page.getByText(this.language.verify.done));
  }

  private async signOut() {
    const { nav } = this.language.words;
    const face = new RegExp(`, ${nav.menu}$`);
    await this.hand.press(this.page.getByRole('banner').getByRole('button', { name: face }));
    if (this.hand === keys) {
      await sees(this.page.getByRole('menu', { name: nav.menu }));
      await this.page.keyboard.press('End');
      await this.page.keyboard.press('Enter');
    } else await this.hand.press(this.button(nav.signOut));
    await sees(this.page.getByText(this.language.texts.signIn));
  }

  async reset() {
    const { auth, nav } = this.language.words;
    await this.page.goto(`${this.language.prefix}/profile/me/security/`);
    await this.signOut();
    await this.page.goto(`${this.language.prefix}/password-reset/`);
    await this.hand.type(this.field(auth.email), this.account.email);
    await this.hand.press(this.button(auth.reset.send));
    const mail = await theMailTo(this.account.email, this.language.resetMail);
    await this.page.goto(/http\S+\/password-reset\/\S+/.exec(mail.text)?.[0] ?? '');
    this.password = 'seitsemän harmaata kiveä';
    await this.hand.type(this.field(auth.reset.newPassword), this.password);
    await this.hand.type(this.field(auth.reset.newPasswordAgain), this.password);
    await this.hand.press(this.button(auth.reset.set));
    await sees(this.page.getByText(auth.reset.doneTitle));
    await this.hand.press(this.button(nav.signIn, this.page.getByRole('main')));
    const form = this.dialog(auth.signInTitle);
    await this.hand.type(this.field(auth.password, form), this.password);
    await this.hand.press(this.button(nav.signIn, form));
    await disappears(form);
  }

  async change() {
    const { password: words, steps } = this.language.texts;
    await this.page.goto(`${this.language.prefix}/profile/me/security/`);
    await this.hand.press(this.button(steps.password));
    const form = this.dialog(words.title);
    await this.hand.type(this.field(words.old, form), this.password);
    this.password = 'kahdeksan harmaata kiveä';
    await this.hand.type(this.field(words.new, form), this.password);
    await this.hand.type(this.field(words.again, form), this.password);
    await this.hand.press(this.button(words.save, form));
    await disappears(form);
  }

  /** Sets up a code app, which asks for the password again, then a passkey. Returns the app's secret. */
  async twoSteps(): Promise<string> {
    const { totp, codes, confirm, passkey, steps } = this.language.texts;
    await this.hand.press(this.page.getByRole('switch', { name: new RegExp(steps.app) }));
    const asked = this.dialog(confirm.title);
    await this.hand.type(this.field(this.language.words.auth.password, asked), this.password);
    await this.hand.press(this.button(confirm.submit, asked));
    const app = this.dialog(totp.title);
    const secret = ((await app.locator('code').textContent()) ?? '').replaceAll(' ', '');
    await this.hand.type(this.field(totp.code, app), await freshCode(secret));
    await this.hand.press(this.button(totp.use, app));
    const backup = this.dialog(codes.title);
    await this.hand.press(this.button(codes.done, backup));
    await disappears(backup);

    await this.hand.press(this.button(steps.add));
    const add = this.dialog(passkey.title);
    await this.hand.type(this.field(passkey.nameLabel, add), 'Oma laite');
    await this.hand.press(this.button(passkey.go, add));
    await disappears(add);
    await sees(this.page.getByText('Oma laite'));
    return secret;
  }

  async back() {
    const { address } = await demoCampaign('lyktstigen-i-ekenas');
    await this.page.goto(`${this.language.prefix}${address}pledge/`);
    await fillSum(this.page, this.language.paying, '12');
    await fillContact(this.page, this.language.paying, this.account);
    await fillCard(this.page, cards.good);
    await pressPay(this.page, this.language.paying);
    await seesThanks(this.page, this.language.paying);
  }

  /** Takes the data along and looks into the file. */
  async takeAlong(secret: string) {
    const { data } = this.language.texts;
    await this.page.goto(`${this.language.prefix}/profile/me/security/`);
    const waits = this.page.waitForEvent('download');
    await this.hand.press(this.button(data.downloadDo));
    const file = await waits;
    expect(file.suggestedFilename()).toMatch(new RegExp(`^${data.fileName}-\\d{4}-\\d\\d-\\d\\d\\.json$`));
    const text = await readFile(await file.path(), 'utf8');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('argon2');
    const { account, passkeys, code_app, pledges } = JSON.parse(text) as Record<string, never>;
    expect(account).toMatchObject({ email: this.account.email, first_name: this.account.first });
    expect(passkeys).toMatchObject([{ name: 'Oma laite' }]);
    expect(code_app).not.toBeNull();
    expect(pledges).toMatchObject([
      { amount: 12, status: 'paid', receipt_number: expect.any(String) as unknown },
    ]);
  }

  async erase() {
    const { data } = this.language.texts;
    await this.hand.press(this.button(data.eraseOpen));
    await sees(this.page.getByRole('heading', { name: data.question }));
    await sees(this.page.getByText(this.language.receipt));
    await sees(this.page.getByText(data.goingOnText));
    await expectAccessible(this.page);
    await expectNoSidewaysScroll(this.page);
    await this.hand.type(this.field(data.email), this.account.email);
    await this.hand.type(this.field(data.password), this.password);
    await this.hand.press(this.button(data.do)); // the second step was shown when it was taken into use
    await sees(this.page.getByText(data.done));
    await isAt(this.page, `${this.language.prefix}/`);
    await sees(this.page.getByText(data.doneText));
    await expectAccessible(this.page);
  }

  async isUnknown() {
    const { auth, nav } = this.language.words;
    const form = await this.openSignIn();
    await this.hand.type(this.field(auth.email, form), this.account.email);
    await this.hand.type(this.field(auth.password, form), this.password);
    this.errors.expect(/\/users\/tokens\//, 401);
    await this.hand.press(this.button(nav.signIn, form));
    await sees(form.getByText(/ei täsmää|does not match/));
  }

  async comesBack() {
    await this.register();
    await this.page.goto(`${this.language.prefix}/profile/me/pledges/`);
    await sees(this.page.getByRole('heading', { level: 1 }));
    expect(await this.page.getByText('12,00').count()).toBe(0);
  }
}

async function tell(story: Story, page: Page) {
  await addAuthenticator(page);
  await story.register();
  await story.verify();
  await story.reset();
  await story.change();
  const secret = await story.twoSteps();
  await story.back();
  await story.takeAlong(secret);
  await story.erase();
  await story.isUnknown();
  await story.comesBack();
}

desktop(
  'with the keyboard alone an account is made, confirmed, protected, taken along, deleted and made anew',
  ({ page, errors }) => tell(new Story(page, errors, keys, finnish, 'lahja'), page),
);

phone('on a phone, in English, the same', ({ page, errors }) =>
  tell(new Story(page, errors, finger, english, 'linnea'), page),
);
