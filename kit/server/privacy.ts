import type { Permission } from '#kit/contract/call.ts'
import type { Field, Fields } from '#kit/contract/field.ts'
import { maskedPattern } from '#kit/contract/rules.ts'
import type { Shape } from '#kit/contract/shape.ts'
import { maskByKind } from '#kit/contract/text.ts'
import { nestedFieldsOf } from '#kit/contract/value.ts'
import { Refused, resultCode } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { audit } from './audit.ts'
import { valuesByKey } from './column-storage.ts'
import type { Tx } from './db.ts'
import { hasPermission, type Caller, type Scope } from './scope.ts'

type PersonalKind = 'mobile' | 'idCard'

/** Where personal data is in rows of these fields: the keys of their own, and the rows nested in them. */
interface PersonalKeys {
  readonly own: readonly (readonly [key: string, kind: PersonalKind])[]
  readonly nested: readonly (readonly [key: string, fields: Fields])[]
}

const personalKeysByFields = new WeakMap<Fields, PersonalKeys>()

function personalKeysOf(fields: Fields): PersonalKeys {
  const known = personalKeysByFields.get(fields)
  if (known) return known
  const entries = Object.entries<Field>(fields)
  const keys: PersonalKeys = {
    own: entries.flatMap(([key, { masked }]) =>
      masked === 'mobile' || masked === 'idCard' ? [[key, masked] as const] : [],
    ),
    nested: entries
      .filter(([, { kind }]) => kind === 'lines' || kind === 'part')
      .map(([key, field]) => [key, nestedFieldsOf(field)] as const),
  }
  personalKeysByFields.set(fields, keys)
  return keys
}

/** What was masked before stays as it is. */
const maskText = (text: string, kind: PersonalKind): string =>
  maskedPattern.test(text) ? text : maskByKind[kind](text)

function maskValue(fields: Fields, record: unknown): unknown {
  if (Array.isArray(record)) return record.map(row => maskValue(fields, row))
  if (record === null || typeof record !== 'object') return record
  const { own, nested } = personalKeysOf(fields)
  const values = valuesByKey(record)
  const masked: Record<string, unknown> = {}
  for (const [key, kind] of own) {
    const value = values[key]
    if (typeof value === 'string' && value) {
      masked[key] = maskText(value, kind)
    } else if (Array.isArray(value)) {
      masked[key] = value.map(each => maskText(String(each), kind))
    }
  }
  for (const [key, inner] of nested) {
    if (values[key]) {
      masked[key] = maskValue(inner, values[key])
    }
  }
  return { ...record, ...masked }
}

/**
 * An answer as it leaves the server: phones and documents masked for everybody, nested rows too. Those who
 * may see them in full asks for the one (`Operationlog/PostShown`), and that is logged (PERM-7).
 */
export function maskAnswer({ form, fields }: Shape, answer: unknown): unknown {
  if (form === 'none' || form === 'blob' || !holdsPersonalData(fields)) return answer
  if (form === 'value') {
    const kind = personalKeysOf(fields).own[0]?.[1]
    return kind && typeof answer === 'string' ? maskText(answer, kind) : answer
  }
  if (form === 'page' && answer && typeof answer === 'object' && 'rows' in answer)
    return { ...answer, rows: maskValue(fields, answer.rows) }
  return maskValue(fields, answer)
}

const holdsByFields = new WeakMap<Fields, boolean>()

function holdsPersonalData(fields: Fields): boolean {
  const known = holdsByFields.get(fields)
  if (known !== undefined) return known
  // Rows that hold rows of their own kind end here.
  holdsByFields.set(fields, false)
  const { own, nested } = personalKeysOf(fields)
  const containsPersonal = own.length > 0 || nested.some(([, inner]) => holdsPersonalData(inner))
  holdsByFields.set(fields, containsPersonal)
  return containsPersonal
}

/** Refuses who may not see phones and documents in full. */
export function requirePersonalData(scope: Scope): void {
  if (scope.canSeePersonalData) return
  throw new Refused(
    resultCode.forbidden,
    `需要「查看完整手机号、证件号」，请联系${scope.granterLabel ?? '管理员'}开通`,
  )
}

/** Logs that a phone or a document is shown in full. */
export const auditReveal = (
  tx: Tx,
  scope: Scope,
  { entity, entityId, label }: { readonly entity: string; readonly entityId: Id; readonly label: string },
): Promise<void> =>
  audit(tx, scope, [
    { action: 'reveal', entity, entityId, projectCode: scope.projectCode || undefined, reason: label },
  ])

/**
 * The values to save from a form that showed masked values: those that come back as they were shown stay
 * unchanged. An empty one is cleared by those alone who may see it in full.
 */
export function restoreMasked<T extends object>(
  fields: Fields,
  input: T,
  before: object,
  caller: Pick<Caller, 'canSeePersonalData'>,
): T {
  const out = { ...input } as Record<string, unknown>
  const previous = valuesByKey(before)
  for (const [key, field] of Object.entries<Field>(fields)) {
    if (!field.masked || previous[key] === undefined) continue
    const isEmptied = out[key] === undefined && caller.canSeePersonalData
    if (
      !isEmptied &&
      (out[key] === undefined || out[key] === maskByKind[field.masked](String(previous[key])))
    ) {
      out[key] = previous[key]
    }
  }
  return out as T
}

/** Rows of a list open to everyone, without the fields that only a permission shows (PERM-3). */
export function omitUnlessPermitted<T extends object>(
  caller: Caller,
  permission: Permission,
  rows: readonly T[],
  keys: readonly (keyof T & string)[],
): readonly T[] {
  if (hasPermission(caller, permission)) return rows
  const hidden: ReadonlySet<string> = new Set(keys)
  // Only optional fields are ever named: what remains is a row still.
  return rows.map(row => Object.fromEntries(Object.entries(row).filter(([key]) => !hidden.has(key))) as T)
}
