/**
 * Protocol Buffers' wire format, as far as a federated trace needs it: whole numbers, texts and messages. A
 * field is its number and kind, then its value; a message is a sequence of fields. Bytes are held in a
 * string, one for each character: joining strings does not copy them, however deep messages are nested.
 */
export type Bytes = string

const wholeKind = 0
const lengthKind = 2

/** A whole number from 0 to 2^53 - 1 as a varint: seven bits a byte, the lowest first. */
function varint(value: number): Bytes {
  if (value < 128) return String.fromCharCode(value)
  return String.fromCharCode((value % 128) + 128) + varint(Math.floor(value / 128))
}

const tag = (field: number, kind: number) => varint(field * 8 + kind)

const long = (field: number, value: Bytes): Bytes => tag(field, lengthKind) + varint(value.length) + value

export const whole = (field: number, value: number): Bytes => tag(field, wholeKind) + varint(value)

export const text = (field: number, value: string): Bytes =>
  long(field, Buffer.from(value).toString('latin1'))

export const message = (field: number, fields: readonly Bytes[]): Bytes => long(field, together(fields))

const together = (fields: readonly Bytes[]) => fields.reduce((all, field) => all + field, '')

/** A message as base64. */
export const encoded = (fields: readonly Bytes[]): string =>
  Buffer.from(together(fields), 'latin1').toString('base64')
