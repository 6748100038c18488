import type { Page } from '@playwright/test';

/**
 * Collects a page's errors: console errors (violations of the Content-Security-Policy included), uncaught exceptions,
 * failed requests and responses of 400 and above.
 */
export class PageErrors {
  private readonly found: string[] = [];
  private readonly expected: { address: RegExp; status: number }[] = [];
  private readonly lost: RegExp[] = [];

  /** Requests that the journey lets fail. */
  expectLost(address: RegExp) {
    this.lost.push(address);
  }

  /** An error response that the journey provokes. */
  expect(address: RegExp, status: number) {
    this.expected.push({ address, status });
  }

  watch(page: Page) {
    page.on('pageerror', (error) =>
      this.found.push(`not caught: ${error.name} ${error.message} ${error.stack ?? ''}`),
    );
    page.on('console', (message) => {
      if (message.type() !== 'error') return;
      // The response itself is recorded below.
      if (message.text().startsWith('Failed to load resource')) return;
      this.found.push(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('requestfailed', (request) => {
      const reason = request.failure()?.errorText ?? '';
      // Leaving a page aborts its requests.
      const isExpected = this.lost.some((address) => address.test(request.url()));
      if (reason !== 'net::ERR_ABORTED' && !isExpected)
        this.found.push(`${request.method()} ${request.url()}: ${reason}`);
    });
    page.on('response', (response) => {
      const status = response.status();
      const isExpected = this.expected.some(
        (one) => one.status === status && one.address.test(response.url()),
      );
      if (status >= 400 && !isExpected)
        this.found.push(`${response.request().method()} ${response.url()}: ${status}`);
    });
  }

  list(): readonly string[] {
    return this.found;
  }
}
