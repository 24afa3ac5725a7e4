import type { Call } from '#kit/contract/call.ts'
import { authorize, callerFor } from './authorize.ts'
import type { ReadContext } from './definition.ts'
import { handlerOfCall } from './registration.ts'

/**
 * Runs another call that reads, for the caller of this one: what he may not ask is refused as from outside.
 * `input` is decoded already.
 */
export async function runReadCall<I, O>(call: Call<I, O>, input: I, context: ReadContext): Promise<O> {
  const scope = callerFor(call, context.scope)
  authorize(call, scope)
  const handler = handlerOfCall(call)
  if (handler?.mode !== 'reads') throw new Error(`${call.route} is not a call that reads`)
  const { db, app, now, today, signal } = context
  return (await handler.run(input, { db, app, now, today, signal, scope })) as O
}
