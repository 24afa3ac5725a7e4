import { Refused, resultCode } from '#kit/contract/wire.ts'

/** A refusal that the form shows at one field; `field` is its wire name. */
export const createFieldRefusal = (field: string, message: string): Refused =>
  new Refused(resultCode.refused, message, { Field: field })

/** The same as invalid input, which lists its faults. */
export const createInputRefusal = (field: string, message: string): Refused =>
  new Refused(resultCode.invalidInput, message, [{ Field: field, Message: message }])
