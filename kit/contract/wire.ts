/**
 * The wire of the specification (0§7), whole, and nothing else knows it: envelopes by method, PascalCase
 * names, form-encoded posts, `{ Code, Message, Data }` answers. Decisions are in docs/decisions; names are
 * read without regard to case, written as specified.
 */
export { decodeRequest, decodeResponse, type DecodedRequest } from './wire/decode.ts'
export {
  encodeRefusal,
  encodeRequest,
  encodeResponse,
  type EncodedRequest,
  type Sender,
} from './wire/encode.ts'
export { assertWithinLimits, requestLimits } from './wire/limits.ts'
export { isShape, sumMembersOf, wireMembersOf, wireNameOf, type WireMember } from './wire/members.ts'
export { assertKnownMembers, completeEdit, editedRecord } from './wire/partial.ts'
export {
  Refused,
  UnknownSecret,
  invalidField,
  invalidInput,
  isSuccess,
  notFound,
  refuse,
  refuseField,
  resultCode,
  staleVersion,
  type Envelope,
  type FieldFault,
} from './wire/result.ts'
