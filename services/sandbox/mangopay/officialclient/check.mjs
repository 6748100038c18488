// Calls all that the stand-in offers by Mangopay's official Node client, and holds each answer to the client's own typings.
// node check.mjs URL CLIENT_ID API_KEY, with a fresh stand-in at the URL. It ends with 1 when anything disagrees.
import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import { steps } from './steps.mjs';
import { checker } from './types.mjs';
import { known } from './known.mjs';

const [baseUrl, clientId, clientApiKey] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const Mangopay = require('mangopay4-nodejs-sdk');
const fromClient = createRequire(require.resolve('mangopay4-nodejs-sdk'));
let exchange; // the last one, as it was on the wire
fromClient('axios').interceptors.response.use(
  (answer) => ((exchange = answer), answer),
  (error) => ((exchange = error.response), Promise.reject(error)),
);
const api = new Mangopay({ clientId, clientApiKey, baseUrl, errorHandler: () => {} });

async function control(path, body = {}) {
  const answer = await fetch(`${baseUrl}/_sandbox${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  assert.ok(answer.ok, `${path}: ${answer.status} ${await answer.text()}`);
}

// tokenise is the payer's browser.
async function tokenise(registration, number) {
  const answer = await fetch(registration.CardRegistrationURL, {
    method: 'POST',
    body: new URLSearchParams({
      data: registration.PreregistrationData,
      accessKeyRef: registration.AccessKey,
      cardNumber: number,
      cardExpirationDate: '1230',
      cardCvx: '123',
    }),
  });
  return answer.text();
}

const disagreements = new Set();
const used = new Set();
let calls = 0;
let values = 0;
const wanted = [];
let differences;

// does makes one call and checks what came: type names the typings', with [] for a list, or null where they say nothing.
async function does(what, type, call) {
  let got;
  try {
    got = await call();
  } catch (error) {
    const said = error instanceof Error ? error.stack : JSON.stringify(error);
    throw new Error(`${what}: ${said}`);
  }
  calls++;
  const path = exchange.config.url;
  if (type === null) {
    return got;
  }
  const one = type.replace('[]', '');
  if (!differences) {
    wanted.push(one);
    return got;
  }
  const answers = type.endsWith('[]') ? exchange.data : [exchange.data];
  assert.ok(Array.isArray(answers), `${what}: a list was wanted`);
  for (const answer of answers) {
    values += count(answer);
    for (const found of differences(one, answer)) {
      const line = `${one} ${found.replace(/\[\d+\]/g, '[]')}`;
      const why = known.find(([pattern]) => pattern.test(line));
      if (why) {
        used.add(why);
      } else {
        disagreements.add(line);
      }
    }
    for (const name of Object.keys(answer)) {
      // What came is what the client gives: a class of its own may lose it.
      const item = Array.isArray(got) ? got.find((g) => g.Id === answer.Id) : got;
      if (item && item[name] === undefined) {
        disagreements.add(`${what}: ${name} came and is lost in the client`);
      }
    }
  }
  return got;
}

function count(value) {
  return value && typeof value === 'object' ? Object.values(value).reduce((n, one) => n + count(one), 0) : 1;
}

// refused makes a call that is to be refused, and gives the client's error.
async function refused(what, status, call) {
  try {
    await call();
  } catch (error) {
    calls++;
    assert.equal(exchange.status, status, `${what}: ${JSON.stringify(error)}`);
    return error;
  }
  throw new Error(`${what}: it is not refused`);
}

const types = (await import('node:fs')).readFileSync(new URL('./steps.mjs', import.meta.url), 'utf8');
const names = new Set([...types.matchAll(/'([a-zA-Z0-9]+\.[A-Z][A-Za-z0-9]+)(\[\])?'/g)].map((found) => found[1]));
differences = checker([...names]);

await steps({ api, does, refused, control, tokenise, assert, exchange: () => exchange });

for (const line of [...disagreements].sort()) {
  console.log(line);
}
for (const entry of known) {
  if (!used.has(entry)) {
    console.log(`known.mjs: nothing differs any more by ${entry[0]}`);
    disagreements.add(String(entry[0]));
  }
}
console.log(`${calls} calls of the official client, ${values} values in their answers, ${disagreements.size} disagreements`);
process.exitCode = disagreements.size ? 1 : 0;
