import { methodOf, type Call } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import { completeEdit, editedRecord, notFound } from '#kit/contract/wire.ts'
import { isObject } from '#kit/contract/wire/members.ts'
import { parseId } from '#kit/domain/id.ts'
import { valuesByKey } from '../column-storage.ts'
import { getEntity } from '../registry.ts'
import { readableKeys } from '../table/columns.ts'
import { findAll, findByIds } from '../table/read.ts'
import type { ReadContext } from './definition.ts'
import { handlerOfCall, readCallsOf } from './registration.ts'

type Values = Readonly<Record<string, unknown>>

/**
 * What an edit can change that is outside the record itself (the fee items of an invoice good), as the
 * call that shows the record tells it. It goes into the edit alone: no right to see it is needed.
 */
async function valuesBesideRecord(
  { input }: Call,
  record: Entity,
  id: string,
  context: ReadContext,
): Promise<Values> {
  const stored = new Set<string>(readableKeys(record))
  const beside = Object.keys(input.fields).filter(key => !stored.has(key))
  const shows = readCallsOf(record.name).find(
    ({ output, input: asked }) =>
      output.form === 'one' && asked.fields.id?.required && beside.some(key => output.fields[key]),
  )
  const handler = shows && handlerOfCall(shows)
  if (handler?.mode !== 'reads') return {}
  const answer = await handler.run({ id: parseId(id) }, context)
  if (!isObject(answer)) return {}
  const shown = valuesByKey(answer)
  return Object.fromEntries(beside.map(key => [key, shown[key]]))
}

/** An edit with what it did not send, as it is stored; refused where there is no such record. */
export async function completeFromStored(call: Call, raw: Values, context: ReadContext): Promise<Values> {
  const edited = editedRecord(call, raw)
  if (!edited) return raw
  const record = getEntity(edited.entity)
  const { db, scope } = context
  const [stored] =
    edited.id === undefined
      ? await findAll(db, record, scope, {}, { limit: 1 })
      : await findByIds(db, record, scope, [edited.id])
  if (!stored) {
    // A call that adds is given numbers by old clients, and pays them no heed.
    if (methodOf(call) === 'PUT' && edited.id !== undefined) throw notFound()
    return raw
  }
  const beside = await valuesBesideRecord(call, record, String(stored.id), context)
  return completeEdit(call, raw, { ...beside, ...valuesByKey(stored) })
}
