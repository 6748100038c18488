import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Assertion } from '../../api/account';
import type { Attestation } from '../../api/security';

/** Whether the browser knows passkeys. */
export const knowsPasskeys = browserSupportsWebAuthn;

/** Lets a device sign with a passkey. Undefined if the person or the device has not gone through with it. */
export async function signWithPasskey(options: object): Promise<Assertion | undefined> {
  try {
    const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
    // No extension is asked for; some password managers answer with theirs all the same.
    return { ...(await startAuthentication({ optionsJSON })), clientExtensionResults: {} };
  } catch {
    return undefined;
  }
}

/** Lets a device make a passkey. Undefined if the person or the device has not gone through with it. */
export async function makePasskey(options: object): Promise<Attestation | undefined> {
  try {
    const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON;
    return { ...(await startRegistration({ optionsJSON })), clientExtensionResults: {} };
  } catch {
    return undefined;
  }
}
