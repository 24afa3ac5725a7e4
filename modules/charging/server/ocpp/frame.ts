import { isObject, type RawObject } from '#kit/contract/wire/members.ts'

/** OCPP-J: a request, its answer, or its failure. */
export type OcppFrame =
  | { readonly kind: 'call'; readonly id: string; readonly action: string; readonly payload: unknown }
  | { readonly kind: 'result'; readonly id: string; readonly payload: RawObject }
  | { readonly kind: 'error'; readonly id: string; readonly errorCode: string }

const messageType = { call: 2, result: 3, error: 4 } as const

const isId = (id: unknown): id is string => typeof id === 'string' && id.length > 0 && id.length <= 36

/** No text of the database holds U+0000. */
const dropNul = (_key: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '') : value

/** Undefined for what is no message of the protocol. */
export function readFrame(text: string): OcppFrame | undefined {
  let frame: unknown
  try {
    frame = JSON.parse(text, dropNul)
  } catch {
    return undefined
  }
  if (!Array.isArray(frame)) return undefined
  const [type, id, third, fourth]: unknown[] = frame
  if (!isId(id)) return undefined
  if (type === messageType.call && typeof third === 'string')
    return { kind: 'call', id, action: third, payload: fourth }
  if (type === messageType.result && isObject(third)) return { kind: 'result', id, payload: third }
  if (type === messageType.error) return { kind: 'error', id, errorCode: String(third).slice(0, 60) }
  return undefined
}

export const callFrame = (id: string, action: string, payload: object): string =>
  JSON.stringify([messageType.call, id, action, payload])

export const resultFrame = (id: string, payload: object): string =>
  JSON.stringify([messageType.result, id, payload])

export type OcppErrorCode = 'NotImplemented' | 'FormationViolation' | 'InternalError'

export const errorFrame = (id: string, code: OcppErrorCode, description: string): string =>
  JSON.stringify([messageType.error, id, code, description, {}])
