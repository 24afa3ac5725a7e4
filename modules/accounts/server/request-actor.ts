import type { Id } from '#kit/domain/id.ts'
import { SignInRequired, type AnonymousContext } from '#kit/server/handler.ts'
import type { Caller, Scope } from '#kit/server/scope.ts'

/** Who an audit entry names, and from where the request came. */
type Actor = Pick<Scope, 'ownerId' | 'operatorId' | 'name' | 'ip' | 'requestId'>

/** The signed-in account of a request; refuses one without. */
export function requireCaller(c: AnonymousContext): Caller {
  if (!c.caller) throw new SignInRequired()
  return c.caller
}

export const callerActor = (c: AnonymousContext, caller: Caller): Actor => ({
  ...caller,
  ip: c.ip,
  requestId: c.requestId,
})

/** An account that acts without a session: it signs in, or proves itself by other means. */
export const accountActor = (
  c: AnonymousContext,
  account: { readonly ownerId: Id; readonly id: Id; readonly realName: string },
): Actor => ({
  ownerId: account.ownerId,
  operatorId: account.id,
  name: account.realName,
  ip: c.ip,
  requestId: c.requestId,
})
