import { SignInRequired, type AnonymousContext } from '#kit/server/handler.ts'
import type { Scope } from '#kit/server/scope.ts'

/**
 * The scope of a signed-in caller, for `anonymous` handlers: they open their transactions themselves, while
 * other handlers are given one with its scope.
 */
export function scopeOfCaller({ caller, app, ip, requestId }: AnonymousContext): Scope {
  if (!caller) throw new SignInRequired()
  return { ...caller, projectCode: '', ip, requestId, time: new Date(app.clock()).toISOString() }
}
