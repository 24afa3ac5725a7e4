import type { Call } from '#kit/contract/call.ts'
import type { Entity } from '#kit/contract/entity.ts'
import { notFound } from '#kit/contract/wire.ts'
import type { Id } from '#kit/domain/id.ts'
import { valuesByKey } from '../column-storage.ts'
import { requireById } from '../table.ts'
import { authorize, callerFor, isAuthorized } from './authorize.ts'
import type { ReadContext, WriteContext } from './definition.ts'
import { handlerOfCall, readCallsOf } from './registration.ts'

/**
 * Runs another call that reads, for the caller of this one: what the caller may not do is refused as from
 * outside. `input` is decoded already.
 */
export async function runReadCall<I, O>(call: Call<I, O>, input: I, context: ReadContext): Promise<O> {
  const scope = callerFor(call, context.scope)
  authorize(call, scope)
  const handler = handlerOfCall(call)
  if (handler?.mode !== 'reads') throw new Error(`${call.route} is not a call that reads`)
  const { db, app, now, today, signal } = context
  return (await handler.run(input, { db, app, now, today, signal, scope })) as O
}

/**
 * A masked field of a record in full, for those whom a call with such records shows it to: with the
 * permission and the data domain of that call.
 */
export async function readMaskedField(
  entity: Entity,
  id: Id,
  key: string,
  context: WriteContext,
): Promise<unknown> {
  const calls = readCallsOf(entity.name).filter(({ output }) => output.fields[key]?.masked)
  const call = calls.find(candidate => isAuthorized(candidate, context.scope)) ?? calls[0]
  if (!call) throw notFound()
  authorize(call, context.scope)
  const scope = callerFor(call, context.scope)
  const handler = handlerOfCall(call)
  const isById = call.output.form === 'one' && handler?.mode === 'reads' && call.input.fields.id?.required
  const record = isById
    ? await runReadCall(call, { id }, { ...readContextOf(context), scope })
    : await requireById(context.tx, entity, scope, id)
  if (typeof record !== 'object' || record === null) throw notFound()
  return valuesByKey(record)[key]
}

const readContextOf = ({ tx, app, now, today, signal, scope }: WriteContext): ReadContext => ({
  db: tx,
  app,
  now,
  today,
  signal,
  scope,
})
