/**
 * A number or an address without the invisible marks that come along when it is copied from a contact, a message, a page or a
 * table, and with plain spaces and hyphens. The server reads numbers and addresses in the same way (profiles.Pasted).
 */
export function pasted(text: string): string {
  return text
    .replace(/[\u00ad\u061c\ufeff\u200b-\u200f\u202a-\u202e\u2060-\u2069]/g, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-');
}
